import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';
import { orMade } from '../kit/objects';
import { credentialType } from '../../../credentials/credentialFields';
import { Failure } from '../kit/service';
import { identityOf, organizationOf } from './account';
import { asFailure } from './results';
import { createSender, type Sender, type SenderOptions } from './sender';
import { exclusive, pause } from './turns';
import { Watcher } from './waiting';

/** An account of the service, with everything that the items of an execution share in it. */
export class Tenant {
	private readonly watchers = new Map<string, Watcher>();
	private organization: string | undefined;
	private readonly results = new Map<string, Promise<unknown>>();

	constructor(
		readonly sender: Sender,
		private readonly stopped: AbortSignal,
	) {}

	/** Accounts must not share results, even under the same key. */
	scoped = (key: string): string => `${this.sender.identity} ${key}`;

	/**
	 * Exclusive among all credentials of one organization. `task` must read what it needs itself, because anything read
	 * before it holds the lock may be outdated.
	 */
	async exclusiveToOrganization<T>(key: string, task: () => Promise<T>): Promise<T> {
		this.organization = await this.shared('organization', () => organizationOf(this.sender));
		return await exclusive(this.ofOrganization(key), task);
	}

	/** Valid after the first `exclusiveToOrganization`. */
	ofOrganization = (key: string): string => `${this.organization} ${key}`;

	/** Shares one request, also while it is under way. A failure is not kept, so the next caller asks again. */
	shared = <T>(key: string, task: () => Promise<T>) =>
		orMade(this.results, key, () => {
			const asked = task();
			asked.catch(() => this.results.delete(key));
			return asked;
		}) as Promise<T>;

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

type Credential = ICredentialDataDecryptedObject;

/** Finds the account of each item. A credential with expressions may have another one for every item. */
export class Tenants {
	private readonly count: number;
	private readonly type: string;
	private readonly known = new Map<string, Promise<Tenant>>();
	private first: Promise<Credential> | undefined;
	private firstTenant: Promise<Tenant> | undefined;
	private shared: Promise<boolean> | undefined;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly options: SenderOptions & { stopped: AbortSignal },
	) {
		this.count = context.getInputData().length;
		this.type = credentialType(context);
	}

	/** A write to the wrong account cannot be undone, so for writes the credential of each item is read. */
	async forItem(item: number, writes: boolean): Promise<Tenant> {
		if (!writes && (await this.isShared())) return await this.ofFirst();
		return await this.tenantOf(await (item === 0 ? this.readFirst() : this.read(item)));
	}

	/** The account of an operation that sends all items together. Throws if the items have different ones. */
	async forAll(): Promise<Tenant> {
		const credential = await this.readFirst();
		if (!(await this.isShared())) {
			for (let item = 1; item < this.count; item++) {
				if (identityOf(await this.read(item)) !== identityOf(credential)) throw differing(item);
			}
		}
		return await this.tenantOf(credential);
	}

	/** Found once, from few items, because n8n reads each credential with a database query. */
	private readonly isShared = (): Promise<boolean> => (this.shared ??= this.compare());

	private async compare(): Promise<boolean> {
		if (this.count < 2) return true;
		const identity = identityOf(await this.readFirst());
		// Nearly every expression that uses the item differs or fails after the last one, where there is none.
		return await Promise.all([this.count - 1, this.count].map(this.read)).then(
			(others) => others.every((other) => identityOf(other) === identity),
			() => false,
		);
	}

	private readonly readFirst = (): Promise<Credential> => (this.first ??= this.read(0));

	/** Kept, because finding it takes a hash of the credential. */
	private readonly ofFirst = (): Promise<Tenant> =>
		(this.firstTenant ??= this.readFirst().then((credential) => this.tenantOf(credential)));

	private readonly read = (item: number): Promise<Credential> =>
		this.context.getCredentials<Credential>(this.type, item).catch((error: unknown) => {
			throw asFailure(error, 'credential-invalid');
		});

	private tenantOf(credential: Credential): Promise<Tenant> {
		const { context, options } = this;
		const make = async () => new Tenant(await createSender(context, { ...options, credential }), options.stopped);
		return orMade(this.known, identityOf(credential), make);
	}
}

const differing = (item: number) =>
	new Failure(`The items use different credentials: item ${item + 1} has another one than item 1`, {
		description:
			'Nothing was sent, because this operation sends all items to one account. Split the items by account, or use a credential without expressions.',
		cause: 'configuration-invalid',
	});
