import { expect } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { takesChanges } from '../../support/sellers/changing-seller.ts';
import { discover } from '../../support/sellers/discovery.ts';
import type { FarSeller } from '../../support/sellers/far-seller.ts';
import { done, flightDates, newAdvertiser } from '../../support/sellers/market.ts';
import { adcpProduct, startSellerAgent } from '../../support/sellers/seller-agent.ts';
import type { TestServer } from '../../support/server/server.ts';
import { everyTargeting, optimizable } from './values.ts';

// biome-ignore lint/suspicious/noExplicitAny: inputs of every shape are turned into what is seen of them.
export type Given = any;

/** What there is to be seen once an input was given, and how that has to look. */
export interface Shown {
  readonly seen: unknown;
  readonly expected: object;
}

/** Who gives, and to whom. */
export interface Market {
  readonly server: TestServer;
  readonly buyer: Person;
  readonly advertiserId: string;
  readonly advertiserToChange: string;
  readonly ada: Shop;
  readonly bea: Shop;
}

export interface Shop extends FarSeller {
  readonly sourceId: string;
  readonly discoveryId: string;
}

const auction = (id: string) => ({
  pricing_option_id: id,
  pricing_model: 'cpm',
  currency: 'USD',
  floor_price: 1,
});

const sold = ['one', 'two', 'three'];

/** A seller that declares all that can be declared, and does what it is told. */
export async function openShop(
  server: TestServer,
  { name, buyer, advertiserId }: { name: string; buyer: Person; advertiserId: string },
): Promise<Shop> {
  const products = sold.map((id) =>
    adcpProduct(id, { ...optimizable, pricing_options: [auction(`${id}-a`), auction(`${id}-b`)] }),
  );
  const far = await sellerWithOwnSource(server, name, products);
  far.agent.on('get_adcp_capabilities', () => ({
    adcp: { major_versions: [3] },
    media_buy: { execution: { targeting: everyTargeting } },
  }));
  takesChanges(far);
  const { discoveryId } = await discover(buyer, advertiserId, [far.storefrontId]);
  return { ...far, discoveryId };
}

/** One whose source is not called as that of another one is. */
async function sellerWithOwnSource(
  server: TestServer,
  name: string,
  products: readonly object[],
): Promise<Omit<Shop, 'discoveryId'>> {
  const agent = await startSellerAgent(products);
  const owner = await newPerson(server);
  const fields = { name, defaultCurrency: 'USD', acceptsAllCountries: true };
  const { storefrontId } = done(await owner.post('/storefront', fields));
  const source = { name: `${name} sells`, executionType: 'AGENT', endpointUrl: agent.url };
  const { sourceId, agentId } = done(await owner.post('/storefront/inventory-sources', source));
  done(await owner.put('/storefront', { transacting: true }));
  return { name, storefrontId, sourceId, agentId, agent };
}

const lastCall = ({ agent }: FarSeller, name: string) =>
  agent.calls.findLast(({ tool }) => tool === name)?.args;

export async function giveAdvertiser({ buyer }: Market, given: Given, id?: string): Promise<Shown> {
  const fields = { name: 'Acme', brand: 'acme.example', saveBrand: true, primaryCurrency: 'USD', ...given };
  const advertiser = id ?? done(await buyer.post('/buyer/advertisers', fields)).id;
  if (id !== undefined) done(await buyer.put(`/buyer/advertisers/${id}`, { saveBrand: true, ...given }));
  const { linkedAccounts = [], ...seen } = done(await buyer.get(`/buyer/advertisers/${advertiser}`));
  const { linkedAccounts: linked, ...expected } = given;
  if (linked === undefined) return { seen, expected };
  const [last] = linked;
  return {
    seen: { ...seen, last: linkedAccounts.at(-1) },
    expected: {
      ...expected,
      last: {
        accountId: last.accountId,
        sources: [{ storefrontId: Number(last.storefrontId), sourceId: last.sourceId }],
      },
    },
  };
}

export async function giveCampaign(market: Market, given: Given, id?: string): Promise<Shown> {
  const { buyer, advertiserId } = market;
  const fields = { advertiserId, name: 'Winter', flightDates, budget: { total: 1_000 }, ...given };
  const campaignId = id ?? done(await buyer.post('/buyer/campaigns', fields)).campaign.campaignId;
  if (id !== undefined) done(await buyer.put(`/buyer/campaigns/${id}`, given));
  const { campaign } = done(await buyer.get(`/buyer/campaigns/${campaignId}`));
  const { storefrontIds, utmConfig, ...rest } = given;
  return {
    seen: campaign,
    expected: {
      ...rest,
      ...(utmConfig === undefined ? {} : { utmConfig: { params: utmConfig.params } }),
      ...(storefrontIds === undefined
        ? {}
        : { storefronts: storefrontIds.map((one: number) => ({ id: one })) }),
    },
  };
}

export async function newDraft(market: Market): Promise<string> {
  const { buyer, advertiserId } = market;
  const campaign = { advertiserId, name: 'Winter', flightDates, budget: { total: 1_000 } };
  return done(await buyer.post('/buyer/campaigns', campaign)).campaign.campaignId;
}

/** In a session of its own: no campaign bounds what may be chosen there. */
export async function giveChoice({ buyer, advertiserId, ada }: Market, given: Given): Promise<Shown> {
  const { discoveryId } = await discover(buyer, advertiserId, [ada.storefrontId]);
  const { products } = given;
  const path = `/buyer/discovery/${discoveryId}/products`;
  done(await buyer.post(path, { products, replace: true }));
  return { seen: done(await buyer.get(path)).products, expected: products };
}

/** A media buy of two packages, by itself: one that runs, or one whose order was refused. */
export async function newBuy(market: Market, { isTaken = true } = {}) {
  const { buyer, ada } = market;
  const advertiserId = await newAdvertiser(buyer);
  const { discoveryId } = await discover(buyer, advertiserId, [ada.storefrontId]);
  const products = ['one', 'two'].map((productId) => ({ productId, budget: 100, bidPrice: 3 }));
  done(await buyer.post(`/buyer/discovery/${discoveryId}/products`, { products }));
  const campaign = { advertiserId, name: 'Winter', flightDates, budget: { total: 1_000 }, discoveryId };
  const { campaignId } = done(await buyer.post('/buyer/campaigns', campaign)).campaign;
  if (!isTaken) refuseOrders(ada);
  done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
  const [buy] = done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign.mediaBuys;
  return {
    campaignId,
    mediaBuyId: buy.mediaBuyId as string,
    packages: buy.packages as { packageId: string }[],
  };
}

function refuseOrders({ agent }: FarSeller): void {
  agent.on('create_media_buy', () => ({
    errors: [{ code: 'PRODUCT_UNAVAILABLE', message: 'Sold out.', recovery: 'correctable' }],
  }));
}

/** What a change of a media buy that runs says, as its seller is told it and as it is shown. */
export async function seenOfBuy(
  { buyer, ada }: Market,
  { campaignId, mediaBuyId }: { campaignId: string; mediaBuyId: string },
  given: Given,
): Promise<Shown> {
  const { campaign } = done(await buyer.get(`/buyer/campaigns/${campaignId}`));
  const { mediaBuy } = done(await buyer.get(`/buyer/media-buys/${mediaBuyId}`));
  const { packages = [], optimization_goals: goals, start_time, end_time } = given;
  const reason = given.reason ?? given.updated_reason;
  const ids = new Set(packages.map(({ packageId }: Given) => packageId));
  const [inCampaign] = campaign.mediaBuys;
  return {
    seen: {
      told: lastCall(ada, 'update_media_buy'),
      shown: inCampaign.packages.filter(({ packageId }: Given) => ids.has(packageId)),
      buy: mediaBuy,
      version: mediaBuy.history[0],
    },
    expected: {
      told: {
        ...(start_time === undefined ? {} : { start_time }),
        ...(end_time === undefined ? {} : { end_time }),
        ...(packages.length === 0 ? {} : { packages: packages.map(packageTold) }),
      },
      shown: packages,
      buy: {
        ...(given.name === undefined ? {} : { name: given.name }),
        ...(goals === undefined ? {} : { optimizationGoals: goals }),
      },
      version: {
        ...(reason === undefined ? {} : { updated_reason: reason }),
        ...(given.suggestion_id === undefined ? {} : { suggestion_id: given.suggestion_id }),
      },
    },
  };
}

function packageTold({ packageId, bidPrice, startTime, endTime, targetingOverlay, ...same }: Given) {
  return {
    package_id: packageId,
    bid_price: bidPrice,
    start_time: startTime,
    end_time: endTime,
    targeting_overlay: overlayTold(targetingOverlay),
    ...same,
  };
}

/** Postal systems are named for sellers as AdCP 3.0 does, with their country. */
function overlayTold(overlay: Given) {
  const told = (areas: Given[]) =>
    areas.map(({ country, system, values }) => ({ system: `${country.toLowerCase()}_${system}`, values }));
  return {
    ...overlay,
    geo_postal_areas: told(overlay.geo_postal_areas),
    geo_postal_areas_exclude: told(overlay.geo_postal_areas_exclude),
  };
}

/** What a refused order is made of once it was given something else, as its seller is sent it and as it is shown. */
export async function seenOfOrder(
  { buyer, ada }: Market,
  { campaignId }: { campaignId: string },
  given: Given,
): Promise<Shown> {
  done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
  const { campaign } = done(await buyer.get(`/buyer/campaigns/${campaignId}`));
  const { products = [], pacingPeriods } = given;
  return {
    seen: { sent: lastCall(ada, 'create_media_buy')?.['packages'], buy: campaign.mediaBuys[0] },
    expected: {
      sent: expect.arrayContaining(products.map(productSent)),
      buy: pacingPeriods === undefined ? {} : { pacingPeriods },
    },
  };
}

function productSent({ productId, pricingOptionId, budget, pacing, bidPrice }: Given) {
  return expect.objectContaining({
    product_id: productId,
    pricing_option_id: pricingOptionId,
    bid_price: bidPrice,
    budget,
    pacing,
  });
}
