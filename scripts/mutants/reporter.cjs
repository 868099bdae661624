const { writeFileSync } = require('node:fs');

/** Ends the run at the first test that fails: one that waits for what a mutant never does would make all others wait too. */
module.exports = class {
	/** What never returns stops this too: `copy.ts` sees it by the age of the file. */
	constructor() {
		const beat = () => writeFileSync(process.env.MUTANTS_BEAT, '');
		beat();
		setInterval(beat, 1000).unref();
	}

	onTestCaseResult(test, { status, failureMessages }) {
		if (status === 'failed')
			this.stop(
				test.path,
				failureMessages.some((message) => message.includes('Exceeded timeout')),
			);
	}

	onTestFileResult(test, { testExecError }) {
		if (testExecError) this.stop(test.path, false);
	}

	stop(failed, isTooLate) {
		writeFileSync(process.env.MUTANTS_RESULT, JSON.stringify({ failed, isTooLate }));
		process.exit(1);
	}
};
