import { z } from 'zod';
import { campaign as campaignShape } from '../tools/buyer/campaigns/schema.ts';
import { mediaBuy as mediaBuyShape } from '../tools/buyer/media-buys/schema.ts';
import { snapshot as snapshotShape } from '../tools/domain/discovery/schema.ts';
import { type Agent, connectAgent } from './agent.ts';
import type { Receiver } from './receiver.ts';
import { type DemoSeller, knownParty, sellerToken } from './sellers.ts';

type Snapshot = z.output<typeof snapshotShape>;
type Product = Snapshot['productGroups'][number]['products'][number];

export interface Walk {
  /** Address of Rialto. */
  readonly url: string;
  readonly buyerKey: string;
  readonly sellers: readonly DemoSeller[];
  readonly receiver: Receiver;
  say(line: string): void;
}

/** What the walk came to, for whoever checks it. */
export interface Outcome {
  readonly revisions: readonly number[];
  readonly chosen: readonly Product[];
  readonly incomplete: Snapshot['incompleteAgents'];
  /** One a seller: what we keep, and what the seller itself says. */
  readonly buys: readonly Bought[];
  readonly webhook: { readonly signed: boolean; readonly revision: number };
}

export interface Bought {
  readonly mediaBuyId: string;
  readonly seller: string;
  readonly budget: number;
  readonly atSeller: { readonly mediaBuyId: string; readonly status: string };
}

const FLIGHT_DAYS = 30;
const DAY_MS = 86_400_000;
/** How often to look for what is new: short, because this reader wants to see each answer land. */
const LOOK_EVERY_SECONDS = 0.1;

/** The whole job as a buyer's assistant does it, over MCP. */
export async function walk(parts: Walk): Promise<Outcome> {
  const agent = await connectAgent(`${parts.url}/mcp/v2/buyer`, parts.buyerKey);
  try {
    await agent.call(
      'webhook_create',
      { url: parts.receiver.url, secret: parts.receiver.secret, eventTypes: ['discovery.revision'] },
      z.looseObject({}),
    );
    const advertiserId = await makeAdvertiser(agent);
    const discovered = await discover(agent, advertiserId, parts);
    const { discoveryId, revisions, found } = discovered;
    const chosen = await chooseProducts(agent, discovered, parts);
    const campaignId = await buy(agent, { advertiserId, discoveryId, chosen }, parts);
    const buys = await readBack(agent, campaignId, parts);
    const { signed, revision } = await parts.receiver.event(
      (event) => event.discoveryId === discoveryId && event.resultsComplete,
    );
    parts.say(
      `\nWebhook discovery.revision ${revision} came; its signature ${signed ? 'fits' : 'does NOT fit'}.`,
    );
    return { revisions, chosen, incomplete: found.incompleteAgents, buys, webhook: { signed, revision } };
  } finally {
    await agent.close();
  }
}

async function makeAdvertiser(agent: Agent): Promise<string> {
  const fields = { name: 'Acme Outdoor', brand: knownParty.brand, saveBrand: true, primaryCurrency: 'USD' };
  const { id } = await agent.call('advertiser_create', fields, z.looseObject({ id: z.string() }));
  return id;
}

interface Discovered {
  readonly discoveryId: string;
  readonly revisions: readonly number[];
  /** The whole session, once every seller has answered or failed. */
  readonly found: Snapshot;
}

/** Prints what is new after each answer, until no seller is left to wait for. */
async function discover(agent: Agent, advertiserId: string, { say }: Walk): Promise<Discovered> {
  say('\nAsking every seller for trail shoes and tents, spring hikers in the US:');
  const brief = 'Hikers in the US who plan a spring trip: tents, packs, trail shoes';
  let seen = await agent.call(
    'discover_products',
    { advertiserId, brief, waitSeconds: 0, productsPerGroup: 15, detail: 'full' },
    snapshotShape,
  );
  const { discoveryId } = seen;
  const revisions: number[] = [];
  for (;;) {
    if (seen.revision > (revisions.at(-1) ?? 0)) {
      revisions.push(seen.revision);
      sayRevision(seen, say);
    }
    if (seen.resultsComplete) break;
    const since = { discoveryId, sinceRevision: seen.revision, productsPerGroup: 15, detail: 'full' };
    seen = await agent.call('browse_products', { ...since, waitSeconds: LOOK_EVERY_SECONDS }, snapshotShape);
  }
  const found = await agent.call(
    'browse_products',
    { discoveryId, productsPerGroup: 15, detail: 'full' },
    snapshotShape,
  );
  for (const { agentName, reason, message } of found.incompleteAgents) {
    say(`  no answer from ${agentName}: ${reason} (${message})`);
  }
  return { discoveryId, revisions, found };
}

function sayRevision(seen: Snapshot, say: Walk['say']): void {
  const waiting = seen.pendingAgents.map(({ agentName }) => agentName).join(', ');
  say(`  revision ${seen.revision}${waiting === '' ? ', complete' : `, still waiting for ${waiting}`}`);
  for (const { groupName, products } of seen.productGroups) {
    for (const { name, salesAgentName } of products) say(`    ${groupName}: ${name} (${salesAgentName})`);
  }
}

/** The first product of each seller, for what it wants at the least. */
async function chooseProducts(agent: Agent, { discoveryId, found }: Discovered, { say }: Walk) {
  const offered = found.productGroups.flatMap(({ products }) => products);
  const chosen = offered.filter(
    ({ salesAgentId }, index) => offered.findIndex((other) => other.salesAgentId === salesAgentId) === index,
  );
  const products = chosen.map((product) => ({
    productId: product.productId,
    salesAgentId: product.salesAgentId,
    budget: budgetFor(product),
  }));
  await agent.call('discovery_add_products', { discoveryId, products }, z.looseObject({}));
  say('\nChosen:');
  for (const product of chosen) say(`  ${product.name} for ${budgetFor(product)} USD`);
  return chosen;
}

function budgetFor({ pricingOptions }: Product): number {
  return Math.max(1_000, pricingOptions[0]?.minSpend ?? 0);
}

interface Choice {
  readonly advertiserId: string;
  readonly discoveryId: string;
  readonly chosen: readonly Product[];
}

async function buy(
  agent: Agent,
  { advertiserId, discoveryId, chosen }: Choice,
  { say }: Walk,
): Promise<string> {
  const start = Date.now() + DAY_MS;
  const { campaign } = await agent.call(
    'campaign_create',
    {
      advertiserId,
      discoveryId,
      name: 'Spring trails',
      budget: { total: chosen.reduce((sum, product) => sum + budgetFor(product), 0) },
      flightDates: {
        startDate: new Date(start).toISOString(),
        endDate: new Date(start + FLIGHT_DAYS * DAY_MS).toISOString(),
      },
    },
    z.object({ campaign: campaignShape }),
  );
  const { campaignId } = campaign;
  const executed = z.looseObject({ newStatus: z.string(), mediaBuysExecuted: z.number() });
  const { newStatus, mediaBuysExecuted } = await agent.call('campaign_execute', { campaignId }, executed);
  say(`\nExecuted: the campaign is ${newStatus}, ${mediaBuysExecuted} sellers took the order.`);
  return campaignId;
}

/** Each buy as we keep it, and as the seller it was placed with tells it. */
async function readBack(agent: Agent, campaignId: string, parts: Walk): Promise<Bought[]> {
  await everySellerDecided(agent, campaignId);
  const { campaign } = await agent.call(
    'campaign_get',
    { campaignId },
    z.object({ campaign: campaignShape }),
  );
  const buys: Bought[] = [];
  parts.say('\nRead back from the sellers themselves:');
  for (const { mediaBuyId, salesAgentName, budget } of campaign.mediaBuys) {
    const kept = await agent.call('media_buy_get', { media_buy_id: mediaBuyId }, mediaBuyShape);
    const theirs = await askSeller(parts.sellers, salesAgentName, kept.adcp.media_buy_id ?? '');
    parts.say(
      `  ${salesAgentName}: ${theirs.mediaBuyId} is ${theirs.status}, ${budget} USD (ours: ${mediaBuyId})`,
    );
    buys.push({ mediaBuyId, seller: salesAgentName, budget, atSeller: theirs });
  }
  return buys;
}

/** A guaranteed seller reviews an order before it makes a media buy of it. */
async function everySellerDecided(agent: Agent, campaignId: string): Promise<void> {
  const status = z.looseObject({
    media_buys: z.array(
      z.looseObject({ adcp_media_buy_id: z.string().nullable(), internal_status: z.string() }),
    ),
  });
  for (;;) {
    const { media_buys } = await agent.call(
      'campaign_get_media_buy_status',
      { campaignId, detail: 'full' },
      status,
    );
    if (media_buys.every(({ adcp_media_buy_id }) => adcp_media_buy_id !== null)) return;
    const lost = media_buys.find(({ internal_status }) => /^(FAILED|REJECTED)$/.test(internal_status));
    if (lost !== undefined) throw new Error(`A seller refused: ${JSON.stringify(lost)}`);
  }
}

async function askSeller(sellers: readonly DemoSeller[], agentName: string, mediaBuyId: string) {
  const seller = sellers.find(({ name }) => agentName.startsWith(name));
  if (seller === undefined) throw new Error(`There is no seller behind ${agentName}.`);
  const agent = await connectAgent(seller.url, sellerToken);
  try {
    const answer = z.looseObject({
      media_buys: z.array(z.looseObject({ media_buy_id: z.string(), status: z.string() })),
    });
    const account = { brand: { domain: knownParty.brand }, operator: knownParty.operator };
    const { media_buys } = await agent.call(
      'get_media_buys',
      { account, media_buy_ids: [mediaBuyId] },
      answer,
    );
    const buy = media_buys.find(({ media_buy_id }) => media_buy_id === mediaBuyId);
    if (buy === undefined) throw new Error(`${agentName} does not know ${mediaBuyId}.`);
    return { mediaBuyId: buy.media_buy_id, status: buy.status };
  } finally {
    await agent.close();
  }
}
