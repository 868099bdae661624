import { readJobs } from './workflow';

const run = { github: { token: 'secret' }, env: { GITHUB_REF_NAME: '1.2.3' } };

const workflow = (job: string) => `
name: Any
on: push
permissions:
  contents: read
jobs:
${job}`;

const jobs = (job: string) => readJobs('any.yml', workflow(job), run);

const oneStep = (step: string) => `
  one:
    runs-on: ubuntu-24.04
    steps:
      - ${step}`;

describe('a workflow, read for the rehearsal', () => {
	test('jobs, rights, matrix, actions and expressions', () => {
		const read = jobs(`
  one:
    runs-on: ubuntu-24.04
    strategy:
      matrix:
        node: [20, 22]
    steps:
      - uses: actions/setup-node@abc # v7.0.0
        with:
          node-version: \${{ matrix.node }}
  two:
    needs: one
    if: failure()
    runs-on: ubuntu-24.04
    permissions:
      issues: write
    steps:
      - run: |
          gh issue create
          echo "$GITHUB_REF_NAME"
        env:
          GH_TOKEN: \${{ github.token }}`);
		const setUp = (node: string) => ({
			title: 'actions/setup-node',
			action: { name: 'actions/setup-node', commit: 'abc', with: { 'node-version': node } },
			env: {},
		});
		const one = { key: 'any.yml one', needs: [], image: 'ubuntu-24.04', rights: { contents: 'read' }, env: run.env };
		expect(read).toEqual([
			{ ...one, name: 'any.yml one 20', steps: [setUp('20')] },
			{ ...one, name: 'any.yml one 22', steps: [setUp('22')] },
			{
				key: 'any.yml two',
				name: 'any.yml two',
				needs: ['any.yml one'],
				image: 'ubuntu-24.04',
				rights: { issues: 'write' },
				env: run.env,
				steps: [
					{
						title: 'gh issue create',
						run: 'gh issue create\necho "$GITHUB_REF_NAME"\n',
						env: { GH_TOKEN: 'secret' },
					},
				],
			},
		]);
	});

	test.each([
		['run: echo ${{ github.tag }}', 'any.yml one: unknown expression github.tag'],
		["run: echo ${{ hashFiles('a') }}", "any.yml one: unknown expression hashFiles('a')"],
		['run: echo "$GITHUB_TAG"', 'any.yml one: unknown variable GITHUB_TAG'],
		['run: echo "${RUNNER_TEMP}"', 'any.yml one: unknown variable RUNNER_TEMP'],
		['shell: sh', 'any.yml one: unknown shell'],
		['name: nothing', 'any.yml one: unknown name'],
		['env: {}', 'any.yml one: a step is either uses or run'],
	])('%s is not skipped', (step, message) => {
		expect(() => jobs(oneStep(step))).toThrow(message);
	});

	test.each([
		['container: node', 'any.yml one: unknown container'],
		["if: github.actor == 'x'", "any.yml one: unknown condition github.actor == 'x'"],
	])('a job with %s is not skipped', (line, message) => {
		expect(() => jobs(`${oneStep('run: true')}\n    ${line}`)).toThrow(message);
	});

	test('a line that YAML takes for a boolean is a command', () => {
		expect(jobs(oneStep('run: true'))[0].steps[0].run).toBe('true');
	});
});
