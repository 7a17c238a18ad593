import {
  type DiscoveryAgentRow,
  type DiscoverySessionRow,
  findSession,
  listAgents,
} from '../../../../store/discovery-sessions.ts';
import { scopeOfRow } from '../../../../store/engine/scope.ts';
import type { Services } from '../../../core/context.ts';
import { turn } from '../../../core/event-loop-turn.ts';
import { next } from '../../../core/machines.ts';
import { nowOf } from '../../../core/moments.ts';
import { sessionMachine } from '../machines.ts';
import { bytesOfSession } from '../quotas.ts';
import type { Collection, Outcome, Round } from './collect.ts';
import { type Batch, batchesOf, batchOf, type Landed, type Portion } from './portions.ts';
import { proposalRows } from './proposals.ts';
import { storeNewRevision } from './revision-storing.ts';
import { type GoneGroup, type NewGroup, newGroup, revisionPayload, settle } from './revisions.ts';
import { Shares } from './shares.ts';

/** What cannot be stored is tried again so often before it is given up. */
export const ATTEMPTS = 6;
/** Landings this close together may share a revision. */
const SHARED_WITHIN_MS = 25;
/** Each revision names those that are still asked: a session with so many sellers more has fewer of them. */
const SELLERS_A_SHARE = 200;
/** Products that one answer can hold: the reading of answers takes no more. */
const PRODUCTS_PER_SELLER = 900;

/** How storing went: how often what is left has failed (0: nothing is left), and why. */
export interface Progress {
  readonly left: number;
  readonly error?: unknown;
}

/** The landings of one session on their way into the store. */
export class LandingLog {
  readonly queue: Outcome[] = [];
  readonly #services: Services;
  readonly #shares: Shares;
  readonly #window: number;
  readonly #round: Round | undefined;
  #session: DiscoverySessionRow;
  #pending: ReadonlyMap<string, DiscoveryAgentRow>;
  #incomplete: readonly DiscoveryAgentRow[] = [];
  #position = 0;
  /** When the last revision was stored. */
  #storedAt = 0;
  /** What has landed and is cut up, but not stored yet: it stays here when storing it fails. */
  #batches: readonly Batch[] = [];

  constructor(services: Services, { session, agents, sellers, round }: Collection) {
    const { quotas } = services.limits;
    const { productsPerSession, bytesPerSeller } = quotas;
    const { products = 0, bytes = 0 } = round?.others ?? {};
    const owners = sellers.map(({ agentId, source }) => ({ agentId, owner: source.organizationId }));
    this.#services = services;
    this.#shares = new Shares(owners, {
      session: { products: productsPerSession - products, bytes: bytesOfSession(quotas) - bytes },
      seller: { products: PRODUCTS_PER_SELLER, bytes: bytesPerSeller },
    });
    this.#window = SHARED_WITHIN_MS * Math.max(1, agents.length / SELLERS_A_SHARE);
    this.#round = round;
    this.#position = round?.position ?? 0;
    this.#incomplete = round?.incomplete ?? [];
    this.#session = session;
    this.#pending = new Map(agents.map((agent) => [agent.agent_id, agent]));
  }

  get isComplete(): boolean {
    return this.#session.status === 'complete';
  }

  /** Stores what has landed, each seller once: one that cannot be stored keeps nobody else from it. */
  async storeAll(): Promise<Progress> {
    let failed: readonly Batch[] = [];
    let error: unknown;
    for (;;) {
      await this.#takeIn();
      const [batch, ...others] = this.#batches.filter((one) => !failed.includes(one));
      if (batch === undefined || this.isComplete) break;
      try {
        await this.#storePortion(batch);
      } catch (caught) {
        error = caught;
        const again = await this.#afterFailure(batch);
        this.#batches = [...others, ...failed, ...again].filter((one) => this.#isOpen(one));
        // Nothing can be stored at all: the others would fare no better.
        if (again.some(({ failures }) => failures >= ATTEMPTS)) return { left: ATTEMPTS, error };
        failed = [...failed, ...again.filter(({ failures }) => failures > 0)];
      }
    }
    if (this.isComplete) return { left: 0 };
    return { left: Math.max(0, ...this.#batches.map(({ failures }) => failures)), error };
  }

  /** Cuts up what has landed since, once nothing else waits to be stored. */
  async #takeIn(): Promise<void> {
    const waiting = this.#batches.some(({ failures }) => failures === 0);
    if (waiting || this.isComplete) return;
    if (this.queue.length === 0 && this.#pending.size > 0) return;
    if (this.#batches.length > 0 && this.queue.length === 0) return;
    if (this.queue.length < this.#pending.size) await this.#pause();
    const landed: Landed[] = [];
    for (const outcome of this.queue.splice(0)) landed.push(...(await this.#landed(outcome)));
    const fresh = landed.length === 0 && this.#batches.length === 0 ? [batchOf([])] : batchesOf(landed);
    this.#batches = [...this.#batches, ...fresh];
  }

  /** Waits until another revision may follow the last one. The first never waits. */
  #pause(): Promise<void> {
    const { clock } = this.#services.ports;
    const left = this.#storedAt + this.#window - clock.now();
    if (left <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      clock.after(left, resolve);
    });
  }

  async #landed(outcome: Outcome): Promise<Landed[]> {
    const agent = this.#pending.get(outcome.agentId);
    if (agent === undefined) return [];
    const now = nowOf(this.#services.ports.clock);
    if (!('read' in outcome)) return [{ agent: settle(agent, outcome, now), groups: [] }];
    // The products of a seller are written in one go: few enough of them, but not of several sellers.
    await turn();
    const all = outcome.read.groups.map((group) => newGroup(this.#session, group, outcome.agentId));
    const proposed = proposalRows(this.#session, outcome.agentId, outcome.proposals ?? []);
    const { groups, leftOut, proposals } = this.#shares.take(outcome.agentId, all, proposed);
    const { products, invalid, hidden } = outcome.read;
    const counted = { products: products - leftOut, invalid: invalid + leftOut };
    const read = { ...outcome.read, ...counted, groups: [], hidden: { ...hidden, no_room: leftOut } };
    const settled = settle(agent, { ...outcome, read }, now);
    return [{ agent: settled, groups, gone: this.#gone(agent, groups), proposals }];
  }

  /** What a seller that was asked once more brought before, and brings no more. */
  #gone({ agent_id }: DiscoveryAgentRow, groups: readonly NewGroup[]): GoneGroup[] {
    const stay = new Set(groups.map(({ row }) => row.group_id));
    const own = this.#round?.before.get(agent_id)?.groups ?? [];
    return own.filter(({ group_id }) => !stay.has(group_id)).map((row) => ({ row, products: [] }));
  }

  /**
   * What is to be tried again of a batch that could not be stored. Sellers that landed together land alone from
   * now on; one that fails for good alone is stored without its products, unless that fails as well.
   */
  async #afterFailure(batch: Batch): Promise<readonly Batch[]> {
    if (batch.landed.length > 1) return batch.landed.map((one) => batchOf([one]));
    const failed = { ...batch, failures: batch.failures + 1 };
    if (failed.failures < ATTEMPTS) return [failed];
    const without = {
      ...batch,
      portions: [{ groups: [], settled: batch.landed.map(unstorable), gone: [], proposals: [] }],
    };
    try {
      await this.#storePortion(without);
      return [];
    } catch {
      return [failed];
    }
  }

  /** Stores a revision. Nothing about the state changes before it is stored, so that it can be tried again. */
  async #storePortion(batch: Batch): Promise<void> {
    const [portion, ...left] = batch.portions;
    if (portion === undefined) return;
    const now = nowOf(this.#services.ports.clock);
    const pending = new Map(this.#pending);
    for (const { agent_id } of portion.settled) pending.delete(agent_id);
    const incomplete = [
      ...this.#incomplete,
      ...portion.settled.filter((agent) => agent.state === 'incomplete'),
    ];
    const session = this.#nextSession(pending.size === 0, now);
    const made = this.#placed(portion, session.revision);
    const rest = { pending: [...pending.values()], incomplete, timestamp: now };
    const payload = revisionPayload(session, { groups: [...made.groups, ...made.gone], ...rest });
    const replaces = this.#round !== undefined;
    const stored = await storeNewRevision(this.#services, { session, ...made, payload, now, replaces });
    this.#batches = this.#batches.flatMap((one) => {
      if (one !== batch) return [one];
      return left.length === 0 ? [] : [{ ...batch, portions: left, failures: 0 }];
    });
    this.#position += portion.groups.length;
    this.#storedAt = this.#services.ports.clock.now();
    if (!stored) return this.#readAgain(session);
    this.#session = session;
    this.#pending = pending;
    this.#incomplete = incomplete;
  }

  #nextSession(complete: boolean, now: string): DiscoverySessionRow {
    const { status, revision } = this.#session;
    return {
      ...this.#session,
      revision: revision + 1,
      status: next(sessionMachine, status, complete ? 'landedLast' : 'landed') ?? status,
      completed_at: complete ? now : null,
    };
  }

  #placed({ groups, settled, ...rest }: Portion, revision: number): Portion {
    return {
      ...rest,
      groups: groups.map(({ row, products }, index) => ({
        row: { ...row, revision, position: this.#position + index + 1 },
        products,
      })),
      settled: settled.map((agent) => ({ ...agent, revision })),
    };
  }

  /**
   * The session as it is when our revision came too late: another process took it for abandoned and completed
   * it, or our own transaction was committed although its answer was lost, and we tried it again.
   */
  async #readAgain(session: DiscoverySessionRow): Promise<void> {
    const { db } = this.#services.store;
    const scope = scopeOfRow(session);
    const agents = await listAgents(db, scope, session.id);
    this.#session = (await findSession(db, scope, session.id)) ?? {
      ...session,
      // It is gone, with whoever had it.
      status: next(sessionMachine, session.status, 'abandoned') ?? session.status,
    };
    const pending = agents.filter(({ state }) => state === 'pending');
    this.#pending = new Map(pending.map((agent) => [agent.agent_id, agent]));
    this.#incomplete = agents.filter(({ state }) => state === 'incomplete');
    this.#batches = this.#batches.filter((one) => this.#isOpen(one));
  }

  /** Whether anything of it is still to be stored. */
  #isOpen({ landed }: Batch): boolean {
    return landed.length === 0 || landed.some(({ agent }) => this.#pending.has(agent.agent_id));
  }
}

/** A seller whose products the store refuses. */
function unstorable({ agent }: Landed): DiscoveryAgentRow {
  return {
    ...agent,
    state: 'incomplete',
    reason: 'error',
    message: 'The products of this seller could not be stored.',
    products: 0,
  };
}
