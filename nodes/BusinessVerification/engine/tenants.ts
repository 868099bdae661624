import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';
import { orBegun, orMade } from '../kit/objects';
import { concurrencyBounds } from '../kit/operation';
import { credentialType } from '../../../credentials/credentialFields';
import { Failure } from '../kit/service';
import { identityOf } from './account';
import { asFailure } from './results';
import { Sender, type SenderOptions } from './sender';
import { pause, sideBySide } from './turns';
import { Watcher } from './waiting';

/** The account of a run, with everything that its items share in it. */
export class Tenant {
	private readonly watchers = new Map<string, Watcher>();
	private readonly results = new Map<string, Promise<unknown>>();

	constructor(
		readonly sender: Sender,
		private readonly stopped: AbortSignal,
	) {}

	/** Accounts must not share results, even under the same key. */
	scoped = (key: string): string => `${this.sender.identity} ${key}`;

	shared = <T>(key: string, task: () => Promise<T>) => orBegun(this.results, key, task) as Promise<T>;

	watcher(list: string): Watcher {
		const { sender, stopped } = this;
		const make = () =>
			new Watcher({
				send: sender.send,
				itemsField: sender.settings.listItemsField,
				pause: (ms) => pause(ms, stopped),
				isCancelled: () => stopped.aborted,
				uptime: () => performance.now(),
			});
		return orMade(this.watchers, list, make);
	}
}

/**
 * The account of all items. An expression in the credential may give items different ones: then nothing is sent,
 * because what is sent to the wrong account cannot be undone. With `comparesEach`, the credential of each item is read.
 */
export async function tenantOf(
	context: IExecuteFunctions,
	options: SenderOptions & { stopped: AbortSignal },
	comparesEach: boolean,
): Promise<Tenant> {
	const type = credentialType(context);
	const count = context.getInputData().length;
	const read = (item: number) =>
		context.getCredentials<ICredentialDataDecryptedObject>(type, item).catch((error: unknown) => {
			throw asFailure(error, 'credential-invalid');
		});
	const credential = await read(0);
	const identity = identityOf(credential);
	const isSame = async (item: number) => identityOf(await read(item)) === identity;
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
	return new Tenant(new Sender(context, credential, options), options.stopped);
}

const differing = (item: number) =>
	new Failure(`The items use different credentials: item ${item + 1} has another one than item 1`, {
		description:
			'Nothing was sent, because all items of a run use one account. Split the items by account, or use a credential without expressions.',
		cause: 'configuration-invalid',
	});
