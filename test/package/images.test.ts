import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { root } from './built';

const tagsFor = (...releases: string[]) =>
	JSON.parse(
		execFileSync(process.execPath, [path.join(root, 'scripts/images.mjs')], {
			input: releases.join('\n'),
			encoding: 'utf8',
		}),
	);

test('the weekly workflow tests the newest release of n8n 2 and of n8n 3', () => {
	const releases = ['n8n@2.9.1', 'n8n@2.45.0', 'n8n@2.45.10', 'n8n@2.44.11', 'n8n@1.123.50', '@n8n/node-cli@3.1.0'];
	expect(tagsFor(...releases)).toEqual(['2.45.10']);
	expect(tagsFor(...releases, 'n8n@3.0.0-rc.2')).toEqual(['2.45.10', '3.0.0-rc.2']);
	expect(tagsFor('stable', '')).toEqual([]);
});
