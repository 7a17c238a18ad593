import type { Client, Reply } from '../callers/client.ts';

/** A product of an embedded seller, as `product_create` takes it. */
export function productFields(changes: Readonly<Record<string, unknown>> = {}) {
  return {
    name: 'Morning display',
    description: 'Banners beside the morning news.',
    publisherDomain: 'news.example',
    channels: ['display'],
    countries: ['US'],
    deliveryType: 'non_guaranteed',
    pricingOptions: [{ pricingModel: 'cpm', currency: 'USD', fixedPrice: 10 }],
    formats: ['display_300x250'],
    ...changes,
  };
}

export interface OpenStorefront {
  readonly storefrontId: string;
  readonly sourceId: string;
  readonly agentId: string;
  readonly productIds: readonly string[];
}

/** A storefront that transacts, with an embedded seller and these products; one product when none are named. */
export async function openStorefront(
  seller: Client,
  {
    name = 'Corner Media',
    products = [productFields()],
  }: { name?: string; products?: readonly object[] } = {},
): Promise<OpenStorefront> {
  const source = await openSource(seller, name, { name: 'Shelf', executionType: 'MANAGED_SALES_AGENT' });
  const productIds: string[] = [];
  for (const product of products) {
    productIds.push(done(await seller.post('/storefront/products', product)).productId);
  }
  return { ...source, productIds };
}

/** A storefront that transacts, whose one source is an agent at an address. */
export function connectAgent(
  seller: Client,
  endpointUrl: string,
  { name = 'Far Media', ...fields }: { name?: string; [field: string]: unknown } = {},
): Promise<Omit<OpenStorefront, 'productIds'>> {
  return openSource(seller, name, { name: 'Agent', executionType: 'AGENT', endpointUrl, ...fields });
}

async function openSource(seller: Client, name: string, source: object) {
  const storefront = done(
    await seller.post('/storefront', { name, defaultCurrency: 'USD', acceptsAllCountries: true }),
  );
  const made = done(await seller.post('/storefront/inventory-sources', source));
  done(await seller.put('/storefront', { transacting: true }));
  return { storefrontId: storefront.storefrontId as string, sourceId: made.sourceId, agentId: made.agentId };
}

export async function newAdvertiser(buyer: Client, changes: object = {}): Promise<string> {
  const fields = {
    name: 'Acme',
    brand: 'acme.example',
    saveBrand: true,
    primaryCurrency: 'USD',
    ...changes,
  };
  return done(await buyer.post('/buyer/advertisers', fields)).id;
}

export const flightDates = { startDate: '2026-12-10T00:00:00.000Z', endDate: '2026-12-31T00:00:00.000Z' };

const DAY_MS = 86_400_000;

/** The flight of a campaign at a service that goes by the time of this machine, whenever that is. */
export function flightAhead(): typeof flightDates {
  const at = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
  return { startDate: at(14), endDate: at(35) };
}

export interface Draft {
  readonly advertiserId: string;
  readonly budget?: number;
  /** What each product gets; null leaves it to an equal share. */
  readonly each?: number | null;
  /** What is bid for each, at auctions. */
  readonly bidPrice?: number;
  /** The sellers to ask; all of them when none are named. */
  readonly storefrontIds?: readonly string[];
  /** Another one where the service goes by the time of this machine. */
  readonly flight?: typeof flightDates;
  /** Further fields of the campaign. */
  readonly campaign?: object;
}

/** A draft campaign that is to buy every product that is found, one budget each. */
export async function draftCampaign(buyer: Client, draft: Draft) {
  const { advertiserId, budget = 1_000, each = 100, bidPrice, storefrontIds } = draft;
  const { flight = flightDates, campaign: fields = {} } = draft;
  const found = done(
    await buyer.post('/buyer/discovery/discover-products', {
      advertiserId,
      brief: 'Everybody in the morning',
      waitSeconds: 30,
      productsPerGroup: 15,
      ...(storefrontIds === undefined ? {} : { storefrontIds }),
    }),
  );
  const products = found.productGroups.flatMap(
    ({ products }: { products: { productId: string; salesAgentId: string }[] }) =>
      products.map(({ productId, salesAgentId }) => ({
        productId,
        salesAgentId,
        ...(each === null ? {} : { budget: each }),
        ...(bidPrice === undefined ? {} : { bidPrice }),
      })),
  );
  done(await buyer.post(`/buyer/discovery/${found.discoveryId}/products`, { products }));
  const { campaign } = done(
    await buyer.post('/buyer/campaigns', {
      advertiserId,
      name: 'Winter',
      flightDates: flight,
      budget: { total: budget },
      discoveryId: found.discoveryId,
      ...fields,
    }),
  );
  return { campaignId: campaign.campaignId as string, discoveryId: found.discoveryId as string, products };
}

/** Executes a campaign that buys from one seller, and gives the id of its media buy. */
export async function executed(buyer: Client, campaignId: string): Promise<string> {
  done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
  return done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign.mediaBuys[0].mediaBuyId;
}

/** The id of a media buy that runs, bought of one seller by a campaign of its own. */
export async function bought(buyer: Client, draft: Draft): Promise<string> {
  const { campaignId } = await draftCampaign(buyer, draft);
  return executed(buyer, campaignId);
}

/** The data of an answer that has to be a success. */
export function done({ status, text, body }: Reply) {
  if (status >= 300) throw new Error(`Set-up failed with ${status}: ${text}`);
  return body.data;
}
