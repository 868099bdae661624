import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';
import { credentialType, Failure, orMade, without } from '../definition';
import { createSender, type SenderOptions } from './request';
import { Tenant } from './tenant';

type Credential = ICredentialDataDecryptedObject;

/** Reading a credential costs n8n a database query, so not every item's is read where nothing says that they differ. */
const probes = 16;

/** Whose account an item belongs to: a credential may hold expressions, and then every item has its own. */
export class Tenants {
	private readonly known = new Map<string, Promise<Tenant>>();
	private common: Promise<Tenant | undefined> | undefined;

	private constructor(
		private readonly context: IExecuteFunctions,
		private readonly options: SenderOptions & { stopped: AbortSignal },
		private readonly first: Credential,
	) {}

	static async open(context: IExecuteFunctions, options: SenderOptions & { stopped: AbortSignal }): Promise<Tenants> {
		return new Tenants(context, options, await context.getCredentials(credentialType(context), 0));
	}

	async of(item: number): Promise<Tenant> {
		if (item === 0) return this.tenantOf(this.first);
		return (await this.ofOne()) ?? this.tenantOf(await this.read(item));
	}

	/** Of an operation that sends all items together, which can only be to one account. */
	async ofAll(): Promise<Tenant> {
		const common = await this.ofOne();
		if (common !== undefined) return common;
		for (let item = 1; item < this.count; item++) {
			if (identityOf(await this.read(item)) !== identityOf(this.first)) throw apart(item);
		}
		return this.tenantOf(this.first);
	}

	/** The account of all items, where nothing says that they differ: found out once. */
	private ofOne(): Promise<Tenant | undefined> {
		this.common ??= this.areAlike().then((alike) => (alike ? this.tenantOf(this.first) : undefined));
		return this.common;
	}

	/** Beyond the last item an expression that looks at its item finds nothing, and so differs or fails. */
	private async areAlike(): Promise<boolean> {
		const { count } = this;
		if (count < 2) return true;
		const spread = Array.from({ length: Math.min(count, probes) - 1 }, (_, place) =>
			Math.ceil(((place + 1) * (count - 1)) / (Math.min(count, probes) - 1)),
		);
		return Promise.all([...spread, count].map((item) => this.read(item))).then(
			(others) => others.every((other) => identityOf(other) === identityOf(this.first)),
			() => false,
		);
	}

	private tenantOf(credential: Credential): Promise<Tenant> {
		const { context, options } = this;
		return orMade(this.known, identityOf(credential), async () => {
			return new Tenant(await createSender(context, { ...options, credential }), options.stopped);
		});
	}

	private get count(): number {
		return this.context.getInputData().length;
	}

	private read(item: number): Promise<Credential> {
		return this.context.getCredentials(credentialType(this.context), item);
	}
}

/** n8n renews the tokens inside while we work. */
const identityOf = (credential: Credential) => JSON.stringify(without(credential, 'fetchedToken', 'oauthTokenData'));

const apart = (item: number) =>
	new Failure(`The credential is not the same for all items: item ${item} has another than item 0`, {
		description:
			'This operation sends all items together, to one account, so nothing was sent. Split the items by account first, or use a credential without expressions.',
	});
