import type { DiscoveryGroupRow } from '../../../../store/discovery-groups.ts';
import type { DiscoveryProductRow } from '../../../../store/discovery-products.ts';
import {
  type DiscoveryAgentRow,
  type DiscoverySessionRow,
  incompleteReasons,
} from '../../../../store/discovery-sessions.ts';
import { toJson } from '../../../../store/engine/codec.ts';
import { openedWith } from '../../discovery-opening.ts';
import { pricingModels } from '../../pricing.ts';
import { AGENTS_TOLD } from '../events.ts';
import { moreOf } from '../more-agents.ts';
import type { Product } from '../schema.ts';
import type { Outcome } from './collect.ts';
import { NO_PUBLISHER } from './group-order.ts';
import { quietOf } from './quiet.ts';
import type { Group } from './seller-products.ts';

/** Ten-thousandths: fine enough for any price of a thousand impressions, and exact to add up. */
export const PRICE_SCALE = 10_000;

/** What those who wait for a session listen to. */
export function discoveryTopic(sessionId: string): string {
  return `discovery:${sessionId}`;
}

/** A seller's row once it is settled, one way or the other. */
export function settle(agent: DiscoveryAgentRow, outcome: Outcome, now: string): DiscoveryAgentRow {
  const response_ms = outcome.responseMs ?? null;
  const settled = { ...agent, settled_at: now, response_ms, told: keptTold(outcome) };
  if ('read' in outcome) {
    const { products, invalid } = outcome.read;
    const quiet = quietOf(outcome.read);
    return { ...settled, ...quiet, state: 'answered', products, invalid_products: invalid };
  }
  const { reason, message } = outcome;
  return { ...settled, state: 'incomplete', reason, message };
}

function keptTold({ told = {} }: Outcome): DiscoveryAgentRow['told'] {
  return Object.keys(told).length === 0 ? null : toJson(told);
}

/** A group that is to be stored, with its products in their order. */
export interface NewGroup {
  readonly row: DiscoveryGroupRow;
  readonly products: readonly DiscoveryProductRow[];
}

/** A group as it is stored; its place and its revision are known when it is stored. */
export function newGroup(
  session: Pick<DiscoverySessionRow, 'organization_id' | 'id' | 'request'>,
  group: Group,
  agentId: string,
): NewGroup {
  const { currency } = openedWith(session);
  const row = {
    organization_id: session.organization_id,
    session_id: session.id,
    group_id: group.groupId,
    position: 0,
    revision: 0,
    name: group.groupName,
    agent_id: agentId,
    storefront_id: Number(group.products[0]?.storefrontId ?? 0),
    publisher_domain: group.publisherDomain,
  };
  const products = group.products.map(({ source, ...product }, ordinal) => ({
    organization_id: row.organization_id,
    session_id: row.session_id,
    group_id: row.group_id,
    ordinal,
    product_id: product.productId,
    agent_id: agentId,
    pricing_models: modelsOf(product),
    publisher_domains: domainsOf(product, group),
    price: priceOf(product, currency),
    product: JSON.stringify(product satisfies Product),
    source: source === undefined ? null : JSON.stringify(source),
  }));
  return groupWith(row, products);
}

/** The group with these of its products, counted and numbered. */
export function groupWith(
  row: Omit<DiscoveryGroupRow, keyof ReturnType<typeof countsOf>>,
  products: readonly DiscoveryProductRow[],
): NewGroup {
  return {
    row: { ...row, ...countsOf(products) },
    products: products.map((product, ordinal) => ({ ...product, ordinal })),
  };
}

/** The models that can be asked for. */
function modelsOf({ pricingOptions }: Product): string {
  const sold = new Set(pricingOptions.map(({ pricingModel }) => pricingModel));
  return `,${pricingModels.filter((model) => sold.has(model)).join(',')},`;
}

/** The publisher that names its group, which was looked for among all it has, and those it shows. */
function domainsOf({ publisherProperties }: Product, { publisherDomain }: Group): string {
  const shown = publisherProperties.flatMap(({ publisherDomain: domain }) => domain?.toLowerCase() ?? []);
  const known = publisherDomain === NO_PUBLISHER ? shown : [publisherDomain, ...shown];
  return [...new Set(known)].map((domain) => `.${domain}.`).join('');
}

/** Prices in another currency than the session's cannot be added to these. */
function priceOf({ cpm, currency }: Product, sessionCurrency: string): number | null {
  return cpm === undefined || currency !== sessionCurrency ? null : Math.round(cpm * PRICE_SCALE);
}

/** How many products these are, and their prices of a thousand impressions. */
function countsOf(products: readonly DiscoveryProductRow[]) {
  const prices = products.flatMap(({ price }) => price ?? []);
  return {
    product_count: products.length,
    price_count: prices.length,
    price_min: prices.length === 0 ? null : Math.min(...prices),
    price_max: prices.length === 0 ? null : Math.max(...prices),
    price_sum: prices.reduce((sum, price) => sum + price, 0),
  };
}

/** A group without products, as it is told. */
export interface GoneGroup {
  readonly row: Pick<DiscoveryGroupRow, 'group_id' | 'name'>;
  readonly products: readonly [];
}

interface Snapshot {
  readonly groups: readonly (NewGroup | GoneGroup)[];
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
    ({ row: { group_id, name }, products }) =>
      `{"groupId":${JSON.stringify(group_id)},"groupName":${JSON.stringify(name)},"products":[${products
        .map(({ product }) => product)
        .join(',')}]}`,
  );
  const head = JSON.stringify({
    event: 'discovery.revision',
    discoveryId: session.id,
    revision: session.revision,
    resultsComplete: session.status === 'complete',
  });
  const { pending, incomplete } = snapshot;
  const tail = JSON.stringify({
    pendingAgents: pending.slice(0, AGENTS_TOLD).map(asPending),
    incompleteAgents: incomplete.slice(0, AGENTS_TOLD).map((agent) => asIncomplete(agent, session)),
    ...moreOf({
      pendingAgents: pending.length - AGENTS_TOLD,
      incompleteAgents: incomplete.length - AGENTS_TOLD,
    }),
    timestamp: snapshot.timestamp,
  });
  return `${head.slice(0, -1)},"productGroups":[${groups.join(',')}],${tail.slice(1)}`;
}

export function asPending(agent: DiscoveryAgentRow) {
  return { agentId: agent.agent_id, agentName: agent.agent_name };
}

export function asIncomplete(
  agent: DiscoveryAgentRow,
  session: Pick<DiscoverySessionRow, 'created_at' | 'asked_at'>,
) {
  const settledAt = agent.settled_at ?? session.created_at;
  const waited = Date.parse(settledAt) - Date.parse(askedAt(settledAt, session));
  const reason = incompleteReasons.find((known) => known === agent.reason) ?? 'error';
  return {
    ...asPending(agent),
    reason,
    waitSeconds: Math.max(1, Math.round(waited / 1_000)),
    message: agent.message ?? '',
  };
}

/** Since when a seller was waited for: in a later round since that began, unless it had settled before. */
function askedAt(
  settledAt: string,
  { created_at, asked_at }: Pick<DiscoverySessionRow, 'created_at' | 'asked_at'>,
): string {
  return asked_at !== null && asked_at <= settledAt ? asked_at : created_at;
}

/** What a revision tells the webhooks of the account. */
export function eventOf(session: DiscoverySessionRow, now: string) {
  return {
    event_type: 'discovery.revision' as const,
    session_id: session.id,
    advertiser_id: session.advertiser_id,
    revision: session.revision,
    last_subscription: session.last_subscription,
    told: `${session.id}.${session.revision}`,
    created_at: now,
  };
}
