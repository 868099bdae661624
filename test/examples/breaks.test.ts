import { example } from '../e2e/examples';
import { alertChecks } from '../e2e/partners/alerts';
import { approvalChecks } from '../e2e/partners/approvals';
import { BREAKS } from '../e2e/partners/breaks';
import { companyChecks } from '../e2e/partners/companies';
import { sheetChecks } from '../e2e/partners/sheets';

// What the suite 'partners-broken' takes out of the examples. It runs by its name alone, so that they fit is tested here.

const nobody = () => {
	throw new Error('nothing runs here');
};
const checks = Object.keys({
	...sheetChecks(nobody),
	...companyChecks(nobody),
	...alertChecks(nobody),
	...approvalChecks(nobody),
});

const broken = ({ file, spoil }: (typeof BREAKS)[string]) => {
	const workflow = example(file);
	spoil(workflow);
	return workflow;
};

it.each(Object.entries(BREAKS))('without %s an example is another one, and one check is to notice', (_what, one) => {
	expect(broken(one)).not.toEqual(example(one.file));
	expect(checks.filter((name) => name.startsWith(one.check))).toHaveLength(1);
});

it('every error output is taken out once', () => {
	const handlers = (workflow: ReturnType<typeof example>) =>
		workflow.nodes.filter(({ onError }) => onError !== undefined).map(({ name }) => name);
	const files = [...new Set(Object.values(BREAKS).map(({ file }) => file))];
	expect(files).toHaveLength(5);
	const takenOut = Object.values(BREAKS).flatMap((one) => {
		const left = handlers(broken(one));
		return handlers(example(one.file))
			.filter((name) => !left.includes(name))
			.map((name) => `${one.file} ${name}`);
	});
	expect(takenOut.sort()).toEqual(
		files.flatMap((file) => handlers(example(file)).map((name) => `${file} ${name}`)).sort(),
	);
});
