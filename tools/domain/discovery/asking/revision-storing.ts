import type { DiscoveryProposalRow } from '../../../../store/discovery-proposals.ts';
import { insertLanding } from '../../../../store/discovery-revisions.ts';
import type { DiscoveryAgentRow, DiscoverySessionRow } from '../../../../store/discovery-sessions.ts';
import { scopeOfRow } from '../../../../store/engine/scope.ts';
import { insertDeliveries } from '../../../../store/webhook-due.ts';
import type { Services } from '../../../core/context.ts';
import { discoveryTopic, eventOf, type GoneGroup, type NewGroup } from './revisions.ts';

/** A revision as it is to be stored: the session as it is from now on, and what brought it there. */
export interface NewRevision {
  readonly session: DiscoverySessionRow;
  readonly groups: readonly NewGroup[];
  readonly settled: readonly DiscoveryAgentRow[];
  /** What sellers brought before and bring no more. */
  readonly gone?: readonly GoneGroup[];
  readonly proposals?: readonly DiscoveryProposalRow[];
  /** True where what lands takes the place of what landed before. */
  readonly replaces?: boolean;
  readonly payload: string;
  readonly now: string;
}

/**
 * Stores a revision with its webhook rows in one transaction, and wakes whoever waits for either. False when the
 * session had moved on already: then nothing is stored.
 */
export async function storeNewRevision({ store, ports }: Services, made: NewRevision): Promise<boolean> {
  const { session, groups, settled, proposals = [], payload, now, replaces } = made;
  const { id, organization_id, revision, status } = session;
  // Whoever asks, a session is written as its own account's.
  const scope = scopeOfRow(session);
  const stored = await store.transaction(async (tx) => {
    const fresh = await insertLanding(tx, scope, {
      session,
      groups: groups.map(({ row }) => row),
      products: groups.flatMap(({ products }) => products),
      settled,
      proposals,
      ...(replaces ? { replaced: replacedBy(made) } : {}),
      revision: {
        organization_id,
        session_id: id,
        revision,
        complete: status === 'complete' ? 1 : 0,
        payload,
        created_at: now,
      },
    });
    if (fresh) await insertDeliveries(tx, scope, eventOf(session, now));
    return fresh;
  });
  ports.wake.signal(discoveryTopic(id));
  ports.wake.signal('webhooks');
  return stored;
}

/** Who did not answer keeps what it brought. */
function replacedBy({ groups, gone = [], settled }: NewRevision) {
  return {
    groupIds: [...groups, ...gone].map(({ row }) => row.group_id),
    proposalsOf: settled.flatMap(({ state, agent_id }) => (state === 'answered' ? [agent_id] : [])),
  };
}
