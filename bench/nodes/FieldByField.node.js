const fields = [
	'businessName',
	'businessDba',
	'businessCity',
	'businessState',
	'businessEin',
	'businessAddressLine1',
	'businessAddressLine2',
	'businessZip',
	'businessPhone',
	'businessEmail',
	'businessDomain',
	'businessSosId',
	'lastName',
	'externalId',
];

/** What most nodes do: each field is a parameter, evaluated for each row. */
exports.FieldByField = class {
	description = {
		displayName: 'Field by Field',
		name: 'fieldByField',
		group: ['output'],
		version: 1,
		description: 'Batches of rows whose fields are expressions',
		defaults: { name: 'Field by Field' },
		inputs: ['main'],
		outputs: ['main'],
		properties: ['url', ...fields].map((name) => ({ displayName: name, name, type: 'string', default: '' })),
	};

	async execute() {
		const items = this.getInputData();
		const url = this.getNodeParameter('url', 0);
		const inquiries = items.map((_, index) => {
			const inquiry = Object.fromEntries(fields.map((name) => [name, this.getNodeParameter(name, index)]));
			const { lastName, ...rest } = inquiry;
			return { ...rest, principals: [{ lastName }] };
		});
		const bodies = [];
		for (let from = 0; from < inquiries.length; from += 250) {
			bodies.push({ name: `fields ${from}`, inquiries: inquiries.slice(from, from + 250) });
		}
		const send = async () => {
			for (let body = bodies.shift(); body; body = bodies.shift())
				await this.helpers.httpRequest({ method: 'POST', url, body, json: true });
		};
		await Promise.all([send(), send(), send(), send()]);
		return [items];
	}
};
