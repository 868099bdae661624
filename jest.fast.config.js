const config = require('./jest.config');

/** @type {import('jest').Config} */
module.exports = {
	...config,
	// Many seconds of computing each: `npm test -- all` runs them, and so does `npx jest`.
	testPathIgnorePatterns: [...config.testPathIgnorePatterns, ...require('./test/slow.json')],
};
