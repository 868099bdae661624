const { availableParallelism } = require('node:os');
const config = require('./jest.config');

/** @type {import('jest').Config} */
module.exports = {
	...config,
	// One more than processors, because a suite in which a service does not answer waits in real time.
	maxWorkers: availableParallelism() + 1,
	// Many seconds of computing each: `npm test -- all` runs them, and so does `npx jest`.
	testPathIgnorePatterns: [...config.testPathIgnorePatterns, ...require('./test/slow.json')],
};
