import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Finding, SOURCES } from './finding';
import { inOrderOfPeople, outsideOfCollections } from './order';
import { type NodeType, root } from './subject';

const FILE = join(root, 'docs', 'development', 'review.md');

const table = (head: string[], rows: string[][]): string[] =>
	[head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);

/** The page about the review, with what follows from the findings and from the forms between its marks. */
function page(findings: Finding[], nodes: NodeType[]): string {
	const tables: Record<string, string[]> = {
		findings: table(
			['What holds', 'Where it is asked for', 'Shown further by'],
			findings.map(({ holds, from, more }) => [holds, from.map((each) => SOURCES[each]).join(', '), more ?? '']),
		),
		order: table(
			['Form', 'Order'],
			inOrderOfPeople(nodes).map(({ place, labels }) => [place, labels.join(', ')]),
		),
		outside: table(
			['Field', 'Where'],
			[...outsideOfCollections(nodes)].map(([label, places]) => [label, places.join('; ')]),
		),
	};
	return readFileSync(FILE, 'utf8').replace(
		/(<!-- (\w+):start -->)[^]*?(<!-- \2:end -->)/g,
		(_, start: string, name: string, end: string) => `${start}\n${tables[name].join('\n')}\n${end}`,
	);
}

export const writePage = (findings: Finding[], nodes: NodeType[]) => writeFileSync(FILE, page(findings, nodes));

export const isPageCurrent = (findings: Finding[], nodes: NodeType[]) =>
	readFileSync(FILE, 'utf8') === page(findings, nodes);
