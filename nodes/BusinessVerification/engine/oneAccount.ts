import type { IExecuteFunctions } from 'n8n-workflow';
import { concurrencyBounds } from '../kit/operation';
import { Failure } from '../kit/service';
import { identityOf } from './account';
import { credentialId, readCredential } from './request';
import { asFailure } from './runErrors';
import { createSender, type Sender, type SenderOptions } from './sender';
import { sideBySide } from './turns';

/**
 * The sender of all items. An expression in the credential may give items different accounts: then nothing is sent,
 * because what is sent to the wrong account cannot be undone. With `comparesEach`, the credential of each item is read.
 */
export async function senderForAll(
	context: IExecuteFunctions,
	options: SenderOptions,
	comparesEach: boolean,
): Promise<Sender> {
	const invalid = (error: unknown) => Promise.reject(asFailure(error, 'credential-invalid'));
	const sender = await createSender(context, options).catch(invalid);
	const count = context.getInputData().length;
	const login = credentialId(context);
	const isSame = async (item: number) =>
		identityOf(await readCredential(context, item).catch(invalid), login) === sender.identity;
	// n8n reads each credential with a database query. Nearly every expression that uses the item differs or fails after
	// the last one, where there is none.
	const probe = () =>
		Promise.all([count - 1, count].map(isSame)).then(
			(same) => !same.includes(false),
			() => false,
		);
	if (count > 1 && (comparesEach || !(await probe()))) {
		await sideBySide(count - 1, concurrencyBounds.default, async (index) => {
			if (!(await isSame(index + 1))) throw differing(index + 1);
		});
	}
	return sender;
}

const differing = (item: number) =>
	new Failure(`The items use different credentials: item ${item + 1} has another one than the first`, {
		description:
			'Nothing was sent, because all items of a run use one account. Split the items by account, or use a credential without expressions.',
		cause: 'configuration-invalid',
	});
