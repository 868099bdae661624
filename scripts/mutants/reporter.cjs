const { writeFileSync } = require('node:fs');

/** Ends the run at the first test that fails: one that waits for what a mutant never does would make all others wait too. */
module.exports = class {
	onTestCaseResult(test, { status }) {
		if (status === 'failed') stop(test.path);
	}

	onTestFileResult(test, { testExecError }) {
		if (testExecError) stop(test.path);
	}
};

function stop(path) {
	writeFileSync(process.env.MUTANTS_FAILED, path);
	process.exit(1);
}
