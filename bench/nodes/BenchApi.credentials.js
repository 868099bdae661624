/** A credential as cheap as one can be: it adds a header. */
exports.BenchApi = class {
	name = 'benchApi';
	displayName = 'Bench API';
	properties = [{ displayName: 'Key', name: 'key', type: 'string', default: '' }];

	async authenticate({ key }, request) {
		return { ...request, headers: { ...request.headers, Authorization: `Bearer ${key}` } };
	}
};
