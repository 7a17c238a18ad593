import type { DiscoveryGroupRow } from '../../../store/discovery-groups.ts';
import type { DiscoveryAgentRow, DiscoverySessionRow } from '../../../store/discovery-sessions.ts';
import { findSession } from '../../../store/discovery-sessions.ts';
import type { Services } from '../../core/context.ts';
import { next } from '../../core/machines.ts';
import { nowOf } from '../../core/moments.ts';
import type { Collection, Outcome } from './collect.ts';
import { storeNewRevision } from './revision-storing.ts';
import { groupRow, revisionPayload, scopeOf, settle } from './revisions.ts';
import { sessionMachine } from './session-machine.ts';

/** Landings this close together may share a revision. */
const SHARED_WITHIN_MS = 25;
/** Groups of a landing larger than this are spread over several revisions: a webhook carries no more. */
const PAYLOAD_MAX_BYTES = 900_000;
/** A store that fails is tried again so often before it is given up, after twice as long each time. */
const ATTEMPTS = 6;
const TRY_AGAIN_MS = 100;

export interface Landings {
  /** One seller has settled; its products and its state become part of the snapshot. */
  land(outcome: Outcome): void;
  /** There is nobody to ask: the first revision is the last. */
  landNothing(): void;
  /** Resolves when the final revision is stored; rejects when everything has landed and cannot be stored. */
  readonly complete: Promise<void>;
}

interface State {
  session: DiscoverySessionRow;
  pending: ReadonlyMap<string, DiscoveryAgentRow>;
  incomplete: readonly DiscoveryAgentRow[];
  position: number;
  /** When the last revision was stored. */
  storedAt: number;
  /** What has landed and is cut up, but not stored yet: it stays here when storing it fails. */
  portions: readonly Portion[];
}

/**
 * Turns outcomes into revisions: each is one transaction with its webhook rows, and its bytes are made once,
 * for the row, the event stream and every webhook.
 */
export function createLandings(services: Services, { session, agents }: Collection): Landings {
  const state: State = {
    session,
    pending: new Map(agents.map((agent) => [agent.agent_id, agent])),
    incomplete: [],
    position: 0,
    storedAt: 0,
    portions: [],
  };
  const queue: Outcome[] = [];
  let running = false;
  let expected = agents.length;
  let failures = 0;
  let done: () => void = () => {};
  let fail: (error: unknown) => void = () => {};
  const complete = new Promise<void>((resolve, reject) => {
    done = resolve;
    fail = reject;
  });
  // Nobody may be waiting yet, because sellers are still being asked: a rejection must not end the process.
  complete.catch(() => {});
  const run = async () => {
    running = true;
    try {
      while (isUnfinished(state, queue)) {
        await storeNext(services, state, queue);
        failures = 0;
      }
    } finally {
      // At once, or an outcome that lands in between would find nobody to store it.
      running = false;
    }
    if (state.session.status === 'complete') done();
  };
  const start = () => {
    if (!running) run().catch(tryAgain);
  };
  const tryAgain = (error: unknown) => {
    failures += 1;
    const isLast = failures >= ATTEMPTS;
    if (isLast && expected === 0) return fail(error);
    services.log.warn({ err: error, discoveryId: session.id }, 'a landing could not be stored yet');
    // When it is given up for now, the next seller to land takes it along.
    if (!isLast) services.ports.clock.after(TRY_AGAIN_MS * 2 ** (failures - 1), start);
  };
  return {
    complete,
    land: (outcome) => {
      expected -= 1;
      queue.push(outcome);
      start();
    },
    landNothing: start,
  };
}

function isUnfinished({ session, portions, pending }: State, queue: readonly Outcome[]): boolean {
  if (session.status === 'complete') return false;
  return portions.length > 0 || queue.length > 0 || pending.size === 0;
}

/** Stores one revision: of what is left of an earlier landing, or else of what has landed since. */
async function storeNext(services: Services, state: State, queue: Outcome[]): Promise<void> {
  if (state.portions.length === 0) {
    if (queue.length < state.pending.size) await pause(services, state);
    state.portions = portionsOf(services, state, queue.splice(0));
  }
  const [portion, ...left] = state.portions;
  if (portion === undefined) return;
  await storeRevision(services, state, portion);
  state.portions = left;
}

/** Waits until another revision may follow the last one. The first never waits. */
function pause({ ports }: Services, { storedAt }: State): Promise<void> {
  const left = storedAt + SHARED_WITHIN_MS - ports.clock.now();
  if (left <= 0) return Promise.resolve();
  return new Promise((resolve) => {
    ports.clock.after(left, resolve);
  });
}

/** Cuts landings up into what one revision can carry; at least one portion, be it empty. */
function portionsOf({ ports }: Services, state: State, outcomes: readonly Outcome[]): Portion[] {
  const now = nowOf(ports.clock);
  const settled = outcomes.flatMap((outcome) => {
    const agent = state.pending.get(outcome.agentId);
    return agent === undefined ? [] : [settle(agent, outcome, now)];
  });
  const parts = spread(outcomes.flatMap((outcome) => groupsOf(state, outcome)));
  return parts.map((groups, index) => {
    const last = index === parts.length - 1;
    // A seller is pending until the last of its groups has landed.
    return { groups, settled: last ? settled : [], last, now };
  });
}

function groupsOf(state: State, outcome: Outcome): DiscoveryGroupRow[] {
  if (!('read' in outcome)) return [];
  return outcome.read.groups.map((group) => {
    state.position += 1;
    return groupRow(state.session, group, { agentId: outcome.agentId, position: state.position });
  });
}

/** The groups in portions whose payload stays within bounds; at least one portion, be it empty. */
function spread(groups: readonly DiscoveryGroupRow[]): DiscoveryGroupRow[][] {
  const parts: DiscoveryGroupRow[][] = [[]];
  let size = 0;
  for (const group of groups) {
    const bytes = Buffer.byteLength(group.products);
    if (size > 0 && size + bytes > PAYLOAD_MAX_BYTES) {
      parts.push([]);
      size = 0;
    }
    parts.at(-1)?.push(group);
    size += bytes;
  }
  return parts;
}

interface Portion {
  readonly groups: readonly DiscoveryGroupRow[];
  readonly settled: readonly DiscoveryAgentRow[];
  readonly last: boolean;
  readonly now: string;
}

/** Stores a revision. Nothing about the state changes before it is stored, so that it can be tried again. */
async function storeRevision(services: Services, state: State, portion: Portion): Promise<void> {
  const { now, settled } = portion;
  const pending = new Map(state.pending);
  for (const { agent_id } of settled) pending.delete(agent_id);
  const incomplete = [...state.incomplete, ...settled.filter((agent) => agent.state === 'incomplete')];
  const complete = portion.last && pending.size === 0;
  const session: DiscoverySessionRow = {
    ...state.session,
    revision: state.session.revision + 1,
    status: next(sessionMachine, state.session.status, complete ? 'landedLast' : 'landed') ?? 'complete',
    completed_at: complete ? now : null,
  };
  const { revision } = session;
  const groups = portion.groups.map((group) => ({ ...group, revision }));
  const payload = revisionPayload(session, {
    groups,
    pending: [...pending.values()],
    incomplete,
    timestamp: now,
  });
  const stored = await storeNewRevision(services, {
    session,
    groups,
    settled: settled.map((agent) => ({ ...agent, revision })),
    payload,
    now,
  });
  state.session = stored ? session : await asStored(services, session);
  state.pending = pending;
  state.incomplete = incomplete;
  state.storedAt = services.ports.clock.now();
}

/**
 * The session as it is when our revision came too late: another process took it for abandoned and completed
 * it, or our own transaction was committed although its answer was lost, and we tried it again.
 */
async function asStored({ store }: Services, session: DiscoverySessionRow): Promise<DiscoverySessionRow> {
  return (await findSession(store.db, scopeOf(session), session.id)) ?? { ...session, status: 'complete' };
}
