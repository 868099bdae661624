import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeProperties } from 'n8n-workflow';
import { credentialProperties, credentialTypes as types } from './credentialTypes';

const { n8n } = JSON.parse(readFileSync(join(__dirname, '..', 'package.json'), 'utf8'));

interface Setting {
	property: INodeProperties;
	of: string[];
}

/** Every setting of every credential, one row each. */
export function credentialTable(): string {
	if (types.length !== n8n.credentials.length)
		throw new Error('package.json lists a credential that is not in the table');
	const settings = new Map<string, Setting>();
	for (const type of types)
		for (const property of credentialProperties(type).filter(({ type }) => type !== 'hidden' && type !== 'notice')) {
			const known = settings.get(property.name);
			if (known === undefined) settings.set(property.name, { property, of: [type.displayName] });
			else known.of.push(type.displayName);
		}
	return [
		'| Setting | Credential | Default | What it is |',
		'|---|---|---|---|',
		...[...settings.values()].map(row),
	].join('\n');
}

function row({ property: { displayName, default: value, description, options }, of }: Setting): string {
	const credential =
		of.length === types.length ? 'all' : of.map((each) => each.replace('Business Verification ', '')).join(', ');
	const choices = (options ?? []).map(({ name }) => name).join(', ');
	const help = [description, choices && `One of: ${choices}.`].filter(Boolean).join('. ');
	return `| **${displayName}** | ${credential} | ${shown(value, options)} | ${help.replaceAll('|', '\\|').replace(/\.\. /g, '. ')} |`;
}

function shown(value: unknown, options: INodeProperties['options']): string {
	const chosen = (options ?? []).find((each) => 'value' in each && each.value === value);
	if (chosen !== undefined) return chosen.name;
	return value === '' || value === '{}' ? '' : `\`${String(value)}\``;
}
