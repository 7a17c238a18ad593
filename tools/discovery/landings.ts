import type { DiscoveryAgentRow, DiscoveryGroupRow, DiscoverySessionRow } from '../../store/discovery.ts';
import { insertLanding } from '../../store/discovery.ts';
import { insertDeliveries } from '../../store/webhooks.ts';
import type { Services } from '../context.ts';
import type { Collection, Outcome } from './collect.ts';
import { discoveryTopic, groupRow, revisionPayload, settle } from './revisions.ts';

/** Landings this close together may share a revision. */
const SHARED_WITHIN_MS = 25;
/** Groups of a landing larger than this are spread over several revisions: a webhook carries no more. */
const PAYLOAD_MAX_BYTES = 900_000;

export interface Landings {
  /** One seller has settled; its products and its state become part of the snapshot. */
  land(outcome: Outcome): void;
  /** There is nobody to ask: the first revision is the last. */
  landNothing(): void;
  /** Resolves when the final revision is stored. */
  readonly complete: Promise<void>;
}

interface State {
  session: DiscoverySessionRow;
  readonly pending: Map<string, DiscoveryAgentRow>;
  readonly incomplete: DiscoveryAgentRow[];
  position: number;
  /** When the last revision was stored. */
  storedAt: number;
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
  };
  const queue: Outcome[] = [];
  let running = false;
  let done: () => void = () => {};
  let fail: (error: unknown) => void = () => {};
  const complete = new Promise<void>((resolve, reject) => {
    done = resolve;
    fail = reject;
  });
  const run = async () => {
    running = true;
    while (queue.length > 0 || state.pending.size === 0) {
      if (queue.length < state.pending.size) await pause(services, state);
      await store(services, state, queue.splice(0));
      if (state.session.status === 'complete') return done();
    }
    running = false;
  };
  const start = () => {
    if (!running) run().catch(fail);
  };
  return {
    complete,
    land: (outcome) => {
      queue.push(outcome);
      start();
    },
    landNothing: start,
  };
}

/** Waits until another revision may follow the last one. The first never waits. */
function pause({ ports }: Services, { storedAt }: State): Promise<void> {
  const left = storedAt + SHARED_WITHIN_MS - ports.clock.now();
  if (left <= 0) return Promise.resolve();
  return new Promise((resolve) => {
    ports.clock.after(left, resolve);
  });
}

async function store(services: Services, state: State, outcomes: readonly Outcome[]): Promise<void> {
  const now = new Date(services.ports.clock.now()).toISOString();
  const settled = outcomes.flatMap((outcome) => {
    const agent = state.pending.get(outcome.agentId);
    return agent === undefined ? [] : [settle(agent, outcome, now)];
  });
  const groups = outcomes.flatMap((outcome) => groupsOf(state, outcome));
  const parts = spread(groups);
  for (const [index, part] of parts.entries()) {
    const last = index === parts.length - 1;
    // A seller is pending until the last of its groups has landed.
    if (last) takeOff(state, settled);
    await storeRevision(services, state, { groups: part, settled: last ? settled : [], last, now });
  }
  state.storedAt = services.ports.clock.now();
}

function takeOff(state: State, settled: readonly DiscoveryAgentRow[]): void {
  for (const agent of settled) {
    state.pending.delete(agent.agent_id);
    if (agent.state === 'incomplete') state.incomplete.push(agent);
  }
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

async function storeRevision(services: Services, state: State, portion: Portion): Promise<void> {
  const { now } = portion;
  const complete = portion.last && state.pending.size === 0;
  const session: DiscoverySessionRow = {
    ...state.session,
    revision: state.session.revision + 1,
    status: complete ? 'complete' : 'collecting',
    completed_at: complete ? now : null,
  };
  const { revision } = session;
  const groups = portion.groups.map((group) => ({ ...group, revision }));
  const payload = revisionPayload(session, {
    groups,
    pending: [...state.pending.values()],
    incomplete: state.incomplete,
    timestamp: now,
  });
  const stored = await services.store.transaction(async (tx) => {
    const fresh = await insertLanding(tx, {
      session,
      groups,
      settled: portion.settled.map((agent) => ({ ...agent, revision })),
      revision: {
        organization_id: session.organization_id,
        session_id: session.id,
        revision,
        complete: complete ? 1 : 0,
        payload,
        created_at: now,
      },
    });
    if (fresh) await insertDeliveries(tx, 'discovery.revision', eventOf(session, now));
    return fresh;
  });
  // Another process took the session for abandoned and completed it: its snapshot is the final one.
  state.session = stored ? session : { ...session, status: 'complete' };
  services.ports.wake.signal(discoveryTopic(session.id));
  services.ports.wake.signal('webhooks');
}

function eventOf(session: DiscoverySessionRow, now: string) {
  return {
    organization_id: session.organization_id,
    customer_id: session.customer_id,
    session_id: session.id,
    revision: session.revision,
    last_subscription: session.last_subscription,
    created_at: now,
  };
}
