import { panelChecks } from '../panels';
import type { Suite } from '../suite';
import { createKeyCredential, verificationNode } from '../verification';
import { chain, manualTrigger } from '../workflow';

/** What a person does in the editor, in a real browser. */
const browser: Suite = {
	checks(world) {
		const { api, host, sandbox, browser: open } = world;
		return {
			'the node runs from the editor and shows what the service answered': async () => {
				const service = await sandbox();
				const credential = await createKeyCredential(api, service);
				const profile = verificationNode(credential, { resource: 'user', operation: 'getProfile' });
				const { id } = await api.createWorkflow(chain('Profile', [manualTrigger(), profile]));
				const editor = await open();
				await editor.openWorkflow(id);
				await editor.openNode(profile.name);
				await editor.executeNode();
				await editor.outputPanel().getByText(service.organization.user.email).first().waitFor();
				await editor.picture(`profile-${host}`);
			},

			'searching for the name offers the node, its triggers and its actions': async () => {
				const editor = await open();
				await editor.page.goto('/workflow/new');
				await editor.page.getByTestId('canvas-add-button').click();
				await editor.page.getByTestId('node-creator-search-bar').fill('business verification');
				const found = editor.page
					.getByTestId('node-creator-item-name')
					.filter({ hasText: /^\s*Business Verification\s*$/ });
				await found.first().click();
				await editor.page.getByText('On verification finished as partial success only').first().waitFor();
				// With triggers to offer for a first step, the editor keeps the actions folded.
				await editor.page
					.getByText(/^Actions \(\d+\)/)
					.first()
					.click();
				await editor.page.getByText('Get user profile').first().waitFor();
				await editor.picture(`search-${host}`);
			},

			...panelChecks(world),
		};
	},
};

export default browser;
