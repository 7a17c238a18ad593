import type { Agent } from './agent.ts';
import type { Reader } from './by-document.ts';

/** What agents are asked to do, as a careful one does it: it looks before it buys and afterwards. */

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

interface Found {
  readonly productId: string;
  readonly salesAgentId: string;
  readonly notBuyable?: string;
  readonly pricingOptions: readonly { readonly minSpend?: number }[];
}

/** From nothing to executed, with two sellers. Gives the id of the campaign. */
export async function buyFromTwo(agent: Agent): Promise<string> {
  const flightDates = { startDate: inDays(7), endDate: inDays(28) };
  const advertisers = await agent.get('advertiser_list');
  const advertiserId = advertisers.items[0].id;
  const found = await agent.get('discover_products', {
    advertiserId,
    brief: 'People who run in the morning',
    flightDates,
    waitSeconds: 30,
  });
  const chosen = oneOfEach(offeredIn(found.productGroups));
  const { discoveryId } = found;
  await agent.get('discovery_add_products', {
    discoveryId,
    products: chosen.map(({ productId, salesAgentId }) => ({ productId, salesAgentId, budget: 20_000 })),
  });
  await agent.get('discovery_list_products', { discoveryId });
  const { campaign } = await agent.get('campaign_create', {
    advertiserId,
    name: 'Morning runners',
    budget: { total: 40_000 },
    flightDates,
    discoveryId,
  });
  const { campaignId } = campaign;
  await agent.get('campaign_execute', { campaignId });
  await agent.get('campaign_get_media_buy_status', { campaignId });
  return campaignId;
}

/** The same over REST, by its document alone: dates, names and amounts are those of its examples. */
export async function buyByDocument(reader: Reader): Promise<string> {
  const [{ id: advertiserId }] = (await reader.get('advertiser_list')).items;
  const found = await reader.get('discover_products', { advertiserId });
  const { discoveryId } = found;
  const chosen = oneOfEach(offeredIn(found.productGroups)).map(({ productId, salesAgentId }) => ({
    productId,
    salesAgentId,
    budget: 20_000,
  }));
  await reader.get('discovery_add_products', { discoveryId, products: chosen });
  const { campaign } = await reader.get('campaign_create', {
    advertiserId,
    discoveryId,
    budget: { total: 40_000 },
  });
  const { campaignId } = campaign;
  await reader.get('campaign_execute', { campaignId });
  await reader.get('campaign_get_media_buy_status', { campaignId });
  return campaignId;
}

/** A group in short names the seller of its products once. */
interface Group {
  readonly salesAgentId?: string;
  readonly products: readonly (Omit<Found, 'salesAgentId'> & Partial<Pick<Found, 'salesAgentId'>>)[];
}

function offeredIn(groups: readonly Group[]): Found[] {
  return groups.flatMap(({ salesAgentId = '', products }) =>
    products.map((product) => ({ salesAgentId, ...product })),
  );
}

/** A product of each seller: of those that 20,000 buy. */
function oneOfEach(products: readonly Found[]): readonly Found[] {
  const fit = products.filter(
    ({ notBuyable, pricingOptions }) =>
      notBuyable === undefined && pricingOptions.some(({ minSpend = 0 }) => minSpend <= 20_000),
  );
  const byAgent = new Map(fit.map((product) => [product.salesAgentId, product]));
  return [...byAgent.values()].slice(0, 2);
}

/** What did we spend, and what underperforms? Gives the ids of the media buys it looked at. */
export async function lookAtSpend(agent: Agent): Promise<string[]> {
  const { campaigns } = await agent.get('campaign_list');
  const { campaignId } = campaigns[0];
  const status = await agent.get('campaign_get_media_buy_status', { campaignId });
  await agent.get('campaign_get', { campaignId });
  const ids: string[] = status.media_buys.map((buy: { media_buy_id: string }) => buy.media_buy_id);
  for (const id of ids) await agent.get('media_buy_get', { media_buy_id: id });
  return ids;
}

/** Have results sent to an address, and see that it is kept. */
export async function subscribe(agent: Agent): Promise<void> {
  await agent.get('webhook_create', {
    url: 'https://127.255.255.254:4443/hook',
    secret: 'sixteen characters and more',
    eventTypes: ['discovery.revision'],
  });
  await agent.get('webhook_list');
}

/** Open a storefront with three products. */
export async function openShop(agent: Agent): Promise<readonly unknown[]> {
  await agent.call('storefront_record_get');
  await agent.get('storefront_record_create', {
    name: 'Corner Media',
    defaultCurrency: 'USD',
    acceptsAllCountries: true,
  });
  await agent.get('inventory_source_create', { name: 'Shelf', executionType: 'MANAGED_SALES_AGENT' });
  for (const name of ['Morning display', 'Evening display', 'Weekend display']) {
    await agent.get('product_create', {
      name,
      description: `${name} beside the news.`,
      publisherDomain: 'news.example',
      channels: ['display'],
      countries: ['US'],
      deliveryType: 'non_guaranteed',
      pricingOptions: [{ pricingModel: 'cpm', currency: 'USD', fixedPrice: 10 }],
      formats: ['display_300x250'],
    });
  }
  await agent.get('storefront_record_update', { transacting: true });
  return (await agent.get('product_list')).items;
}
