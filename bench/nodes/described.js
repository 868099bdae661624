/** What n8n has to know of a node with one input and one output. */
exports.described = (name, displayName, description, properties, more = {}) => ({
	...{ name, displayName, description, defaults: { name: displayName }, properties },
	...{ group: ['input'], version: 1, inputs: ['main'], outputs: ['main'] },
	...more,
});
