import 'reflect-metadata';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { Container } from '@n8n/di';
import { InstanceSettings } from 'n8n-core';

it('n8n has a folder of its own, and not that of the user', () => {
	expect(dirname(dirname(Container.get(InstanceSettings).n8nFolder))).toBe(tmpdir());
});
