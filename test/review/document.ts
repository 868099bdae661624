import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Finding, SOURCES } from './finding';
import { root } from './subject';

const FILE = join(root, 'docs', 'review.md');
const TABLE = /(<!-- findings:start -->)[\s\S]*(<!-- findings:end -->)/;

const row = ({ holds, from, more }: Finding) =>
	`| ${holds} | ${from.map((each) => SOURCES[each]).join(', ')} | ${more ?? ''} |`;

/** The page about the review, with a row for each finding. */
function page(findings: Finding[]): string {
	const rows = ['| What holds | Where it is asked for | Shown further by |', '|---|---|---|', ...findings.map(row)];
	return readFileSync(FILE, 'utf8').replace(TABLE, (_, start, end) => `${start}\n${rows.join('\n')}\n${end}`);
}

export const writePage = (findings: Finding[]) => writeFileSync(FILE, page(findings));

export const isPageCurrent = (findings: Finding[]) => readFileSync(FILE, 'utf8') === page(findings);
