import type { DiscoveryGroupRow } from '../../../store/discovery-groups.ts';
import type { DiscoveryAgentRow, DiscoverySessionRow } from '../../../store/discovery-sessions.ts';
import { makeScope, type Scope } from '../../../store/engine/scope.ts';
import { openedWith } from '../opening.ts';
import type { Outcome } from './collect.ts';
import type { Product } from './schema.ts';
import type { Group } from './seller-products.ts';

/** Ten-thousandths: fine enough for any price of a thousand impressions, and exact to add up. */
export const PRICE_SCALE = 10_000;

/** What those who wait for a session listen to. */
export function discoveryTopic(sessionId: string): string {
  return `discovery:${sessionId}`;
}

/** A seller's row once it is settled, one way or the other. */
export function settle(agent: DiscoveryAgentRow, outcome: Outcome, now: string): DiscoveryAgentRow {
  if ('read' in outcome) {
    const { products, invalid } = outcome.read;
    return { ...agent, state: 'answered', products, invalid_products: invalid, settled_at: now };
  }
  return { ...agent, state: 'incomplete', reason: outcome.reason, message: outcome.message, settled_at: now };
}

/** A group as it is stored; its revision is known when it is stored. */
export function groupRow(
  session: Pick<DiscoverySessionRow, 'organization_id' | 'id' | 'request'>,
  group: Group,
  { agentId, position }: { agentId: string; position: number },
): DiscoveryGroupRow {
  return {
    organization_id: session.organization_id,
    session_id: session.id,
    group_id: group.groupId,
    position,
    revision: 0,
    name: group.groupName,
    agent_id: agentId,
    storefront_id: Number(group.products[0]?.storefrontId ?? 0),
    publisher_domain: group.publisherDomain,
    ...countsOf(group.products, openedWith(session).currency),
    products: JSON.stringify(group.products satisfies readonly Product[]),
  };
}

/** How many products these are, and the prices of a thousand impressions in the currency of the session. */
export function countsOf(products: readonly Product[], sessionCurrency: string) {
  // Prices in another currency cannot be added to these.
  const prices = products.flatMap(({ cpm, currency }) =>
    cpm === undefined || currency !== sessionCurrency ? [] : [Math.round(cpm * PRICE_SCALE)],
  );
  return {
    product_count: products.length,
    price_count: prices.length,
    price_min: prices.length === 0 ? null : Math.min(...prices),
    price_max: prices.length === 0 ? null : Math.max(...prices),
    price_sum: prices.reduce((sum, price) => sum + price, 0),
  };
}

interface Snapshot {
  readonly groups: readonly DiscoveryGroupRow[];
  readonly pending: readonly DiscoveryAgentRow[];
  readonly incomplete: readonly DiscoveryAgentRow[];
  readonly timestamp: string;
}

/**
 * The payload of `discovery.revision`, as the event catalogue has it: one line of JSON, made once, sent over
 * the event stream and every webhook as it is.
 */
export function revisionPayload(session: DiscoverySessionRow, snapshot: Snapshot): string {
  const groups = snapshot.groups.map(
    ({ group_id, name, products }) =>
      `{"groupId":${JSON.stringify(group_id)},"groupName":${JSON.stringify(name)},"products":${products}}`,
  );
  const head = JSON.stringify({
    event: 'discovery.revision',
    discoveryId: session.id,
    revision: session.revision,
    resultsComplete: session.status === 'complete',
  });
  const tail = JSON.stringify({
    pendingAgents: snapshot.pending.map(asPending),
    incompleteAgents: snapshot.incomplete.map(asIncomplete),
    timestamp: snapshot.timestamp,
  });
  return `${head.slice(0, -1)},"productGroups":[${groups.join(',')}],${tail.slice(1)}`;
}

export function asPending(agent: DiscoveryAgentRow) {
  return { agentId: agent.agent_id, agentName: agent.agent_name };
}

export function asIncomplete(agent: DiscoveryAgentRow) {
  return { ...asPending(agent), reason: agent.reason ?? ('error' as const), message: agent.message ?? '' };
}

/** What a revision tells the webhooks of the account. */
export function eventOf(session: DiscoverySessionRow, now: string) {
  return {
    event_type: 'discovery.revision' as const,
    session_id: session.id,
    advertiser_id: session.advertiser_id,
    revision: session.revision,
    last_subscription: session.last_subscription,
    created_at: now,
  };
}

/** Whoever asks, a session is written as its own account's. */
export function scopeOf({ organization_id, customer_id }: DiscoverySessionRow): Scope {
  return makeScope({ organizationId: organization_id, customerId: customer_id });
}
