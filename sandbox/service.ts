import { Batches } from './batches';
import { Callbacks } from './callbacks';
import { Clock } from './clock';
import { Faults } from './faults';
import { Inquiries } from './inquiries';
import { Ledger, type Submission } from './ledger';
import { Lifecycle } from './lifecycle';
import { Organizations, type Organization } from './organizations';
import { RequestLog } from './requests';
import { Sellers } from './sellers';
import { createSwitches, type Switches } from './switches';
import { Tokens } from './tokens';

/** Everything that the mock service knows and remembers. */
export class Service {
	readonly clock = new Clock();
	readonly switches: Switches;
	readonly tokens = new Tokens(this.clock);
	readonly organizations = new Organizations(this.clock, this.tokens);
	readonly inquiries = new Inquiries();
	readonly batches = new Batches();
	readonly sellers = new Sellers();
	readonly lifecycle: Lifecycle;
	readonly callbacks: Callbacks;
	readonly ledger = new Ledger();
	readonly faults = new Faults();
	readonly requests = new RequestLog();
	listsRead = 0;
	private readonly startSwitches: Partial<Switches>;
	private readonly startOrganization: Organization;

	constructor(switches: Partial<Switches> = {}, organization: Partial<Organization> = {}) {
		this.startSwitches = switches;
		this.switches = createSwitches(switches);
		this.lifecycle = new Lifecycle(this.clock, this.switches);
		this.callbacks = new Callbacks(this.clock, this.switches);
		this.startOrganization = structuredClone(this.organizations.add(organization));
	}

	record(entry: Omit<Submission, 'at'>): void {
		this.ledger.push({ ...entry, at: this.clock.now() });
	}

	/** As it was at the start; the default organization keeps its credentials. */
	reset(): void {
		Object.assign(this.switches, createSwitches(this.startSwitches));
		this.clock.reset();
		this.tokens.reset();
		this.organizations.reset(this.startOrganization);
		for (const store of [this.inquiries, this.batches, this.sellers]) store.clear();
		for (const record of [this.ledger, this.faults, this.requests, this.callbacks]) record.clear();
		this.lifecycle.reset();
		this.listsRead = 0;
	}
}
