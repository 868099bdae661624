/** The floor of any webhook trigger that is not n8n's own: it hands on what comes. */
exports.BareTrigger = class {
	description = {
		displayName: 'Bare Trigger',
		name: 'bareTrigger',
		group: ['trigger'],
		version: 1,
		description: 'Starts the workflow with each call',
		defaults: { name: 'Bare Trigger' },
		inputs: [],
		outputs: ['main'],
		webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'bare' }],
		properties: [],
	};

	async webhook() {
		return { webhookResponse: { received: true }, workflowData: [[{ json: this.getBodyData() }]] };
	}
};
