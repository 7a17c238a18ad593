import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Tool } from '../../tools/core/define.ts';
import { tools } from '../../tools/registry.ts';
import { newPerson } from '../support/callers/people.ts';
import { takesChanges } from '../support/sellers/changing-seller.ts';
import { done, newAdvertiser } from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';
import { fieldsTakenBy, fieldsThatDiffer, isOf } from './effects/fields.ts';
import {
  type Given,
  giveAdvertiser,
  giveCampaign,
  giveChoice,
  type Market,
  newBuy,
  newDraft,
  openShop,
  type Shown,
  seenOfBuy,
  seenOfOrder,
} from './effects/giving.ts';
import { type Held, heldElsewhere, withoutEffect } from './effects/held.ts';
import { buyGoals, caps, constraints, goals, overlays, pacing, tags } from './effects/values.ts';

/** Two inputs that lead to different, right answers: each is given, and then seen as it was given. */
type Pair = readonly [Given, Given];

interface Way {
  readonly tool: string;
  readonly what: string;
  pair(market: Market): Pair;
  give(market: Market, given: Given): Promise<Shown>;
}

const flights = [
  { startDate: '2026-12-11T00:00:00.000Z', endDate: '2026-12-29T00:00:00.000Z' },
  { startDate: '2026-12-12T00:00:00.000Z', endDate: '2026-12-28T00:00:00.000Z' },
] as const;

/** One of both: `both(index => …)`. */
const both = (one: (index: 0 | 1) => Given): Pair => [one(0), one(1)];

const advertiserPair = ({ ada, bea }: Market): Pair =>
  both((index) => ({
    name: ['One', 'Other'][index],
    brand: ['one.example', 'other.example'][index],
    primaryCurrency: ['USD', 'EUR'][index],
    description: ['The one.', 'The other.'][index],
    optimizationApplyMode: ['AUTO', 'MANUAL'][index],
    utmConfig: tags[index],
    frequencyCaps: caps[index],
    linkedAccounts: [
      [ada, bea].map(({ storefrontId, sourceId }) => ({
        storefrontId,
        sourceId,
        accountId: `acct_${index}`,
      }))[index],
    ],
  }));

const campaignPair = ({ ada, bea }: Market): Pair =>
  both((index) => ({
    name: ['One', 'Other'][index],
    brief: ['Skaters', 'Sailors'][index],
    flightDates: flights[index],
    budget: { total: [900, 800][index], dailyCap: [90, 80][index], pacing: ['EVEN', 'ASAP'][index] },
    constraints: constraints[index],
    storefrontIds: [[ada, bea].map(({ storefrontId }) => Number(storefrontId))[index]],
    discoveryId: [ada, bea].map(({ discoveryId }) => discoveryId)[index],
    pacingPeriods: pacing[index],
    performanceConfig: { optimizationGoals: goals[index] },
    utmConfig: { params: tags[index], deleteMissing: true },
    frequencyCaps: caps[index],
    optimizationApplyMode: ['AUTO', 'MANUAL'][index],
    mode: 'discovery',
  }));

/** What changes of a media buy that runs; its packages are those of the buy that is given it. */
const buyPair = (reason: string): Pair =>
  both((index) => ({
    name: ['One', 'Other'][index],
    start_time: flights[index].startDate,
    end_time: flights[index].endDate,
    packages: [
      {
        packageId: ['first', 'second'][index],
        budget: [90, 80][index],
        pacing: ['even', 'asap'][index],
        bidPrice: [4, 5][index],
        startTime: ['2026-12-13T00:00:00.000Z', '2026-12-14T00:00:00.000Z'][index],
        endTime: ['2026-12-25T00:00:00.000Z', '2026-12-26T00:00:00.000Z'][index],
        targetingOverlay: overlays[index],
      },
    ],
    [reason]: ['One says so.', 'Another does.'][index],
    suggestion_id: ['sug_one', 'sug_other'][index],
  }));

const orderPair = both((index) => ({
  products: [
    {
      productId: ['one', 'two'][index],
      pricingOptionId: ['one-b', 'two-b'][index],
      budget: [150, 160][index],
      pacing: ['even', 'asap'][index],
      bidPrice: [4, 5][index],
    },
  ],
}));

const goalsPair = both((index) => ({ optimization_goals: buyGoals[index] }));
const periodsPair = both((index) => ({ pacingPeriods: pacing[index] }));

/** A media buy is changed by itself, or in the update of its campaign. */
type Change = (
  market: Market,
  ids: { campaignId: string; mediaBuyId: string },
  given: Given,
) => Promise<unknown>;
const byItself: Change = async ({ buyer }, { mediaBuyId }, given) =>
  done(await buyer.patch(`/buyer/media-buys/${mediaBuyId}`, given));
const withCampaign: Change = async ({ buyer }, { campaignId }, given) =>
  done(await buyer.put(`/buyer/campaigns/${campaignId}`, given));

/** A change of a media buy that runs, whose packages have the ids of that seller. */
async function changeRunning(market: Market, change: Change, given: Given): Promise<Shown> {
  const buy = await newBuy(market);
  const [first, second] = buy.packages.map(({ packageId }) => packageId);
  const ids: Given = { first, second };
  const placed = (one: Given) => ({
    ...one,
    ...(one.packages === undefined
      ? {}
      : { packages: one.packages.map((part: Given) => ({ ...part, packageId: ids[part.packageId] })) }),
  });
  const own = placed(given.mediaBuys?.[0] ?? given);
  await change(
    market,
    buy,
    given.mediaBuys === undefined ? own : { mediaBuys: [{ ...own, mediaBuyId: buy.mediaBuyId }] },
  );
  return seenOfBuy(market, buy, own);
}

async function changeRefused(market: Market, change: Change, given: Given): Promise<Shown> {
  const buy = await newBuy(market, { isTaken: false });
  const own = given.mediaBuys?.[0] ?? given;
  await change(
    market,
    buy,
    given.mediaBuys === undefined ? own : { mediaBuys: [{ ...own, mediaBuyId: buy.mediaBuyId }] },
  );
  return seenOfOrder(market, buy, own);
}

const inCampaign = (pair: Pair): Pair => both((index) => ({ mediaBuys: [pair[index]] }));

interface OfBuys {
  readonly tool: string;
  readonly change: Change;
  /** What the call calls the reason of a change. */
  readonly reason: string;
  asGiven(pair: Pair): Pair;
}

const waysOfBuys = ({ tool, change, asGiven, reason }: OfBuys): Way[] => [
  {
    ...{ tool, what: 'a media buy that runs' },
    pair: () => asGiven(buyPair(reason)),
    give: (market, given) => changeRunning(market, change, given),
  },
  {
    ...{ tool, what: 'what a media buy is optimized for' },
    pair: () => asGiven(goalsPair),
    give: (market, given) => changeRunning(market, change, given),
  },
  {
    ...{ tool, what: 'products of an order that was refused' },
    pair: () => asGiven(orderPair),
    give: (market, given) => changeRefused(market, change, given),
  },
  {
    ...{ tool, what: 'periods of an order that was refused' },
    pair: () => asGiven(periodsPair),
    give: (market, given) => changeRefused(market, change, given),
  },
];

const draft = new WeakMap<Market, Promise<string>>();
const ways: readonly Way[] = [
  {
    ...{ tool: 'advertiser_create', what: 'an advertiser' },
    pair: advertiserPair,
    give: giveAdvertiser,
  },
  {
    ...{ tool: 'advertiser_create', what: 'a sandbox' },
    pair: () => both((index) => ({ sandbox: [true, false][index] })),
    give: giveAdvertiser,
  },
  {
    ...{ tool: 'advertiser_update', what: 'an advertiser' },
    pair: advertiserPair,
    give: (market, given) => giveAdvertiser(market, given, market.advertiserToChange),
  },
  {
    ...{ tool: 'advertiser_update', what: 'its status' },
    pair: () => both((index) => ({ status: ['ARCHIVED', 'ACTIVE'][index] })),
    give: (market, given) => giveAdvertiser(market, given, market.advertiserToChange),
  },
  { ...{ tool: 'campaign_create', what: 'a campaign' }, pair: campaignPair, give: giveCampaign },
  {
    ...{ tool: 'campaign_create', what: 'how it is made' },
    pair: () =>
      both((index) => ({
        mode: ['discovery', 'performance'][index],
        campaignType: ['DECISIONED', 'ROUTED'][index],
        performanceConfig: { optimizationGoals: goals[index] },
      })),
    give: giveCampaign,
  },
  {
    ...{ tool: 'campaign_create', what: 'its advertiser' },
    pair: ({ advertiserId, advertiserToChange }) =>
      both((index) => ({ advertiserId: [advertiserId, advertiserToChange][index] })),
    give: giveCampaign,
  },
  {
    ...{ tool: 'campaign_update', what: 'a draft' },
    pair: campaignPair,
    give: async (market, given) => {
      const made = draft.get(market) ?? newDraft(market);
      draft.set(market, made);
      return giveCampaign(market, given, await made);
    },
  },
  ...waysOfBuys({
    ...{ tool: 'campaign_update', change: withCampaign, reason: 'updated_reason' },
    asGiven: inCampaign,
  }),
  {
    ...{ tool: 'campaign_update', what: 'packages that are called off' },
    pair: () =>
      both((index) => ({
        mediaBuys: [
          {
            action: 'cancel',
            packageIds: [['first', 'second'][index]],
            reason: ['Sold out.', 'Too dear.'][index],
          },
        ],
      })),
    give: async (market, { mediaBuys: [entry] }) => {
      const buy = await newBuy(market);
      const packageIds = [buy.packages[entry.packageIds[0] === 'first' ? 0 : 1]?.packageId];
      await withCampaign(market, buy, { mediaBuys: [{ ...entry, packageIds, mediaBuyId: buy.mediaBuyId }] });
      const told = market.ada.agent.calls.findLast(({ tool }) => tool === 'update_media_buy')?.args;
      const [package_id] = packageIds;
      return {
        seen: told,
        expected: { packages: [{ package_id, canceled: true, cancellation_reason: entry.reason }] },
      };
    },
  },
  {
    ...{ tool: 'campaign_update', what: 'media buys that are called off, or put away' },
    pair: () => both((index) => ({ mediaBuys: [{ action: ['cancel', 'delete'][index] }] })),
    give: async (market, { mediaBuys: [{ action }] }) => {
      const buy = await newBuy(market);
      await withCampaign(market, buy, { mediaBuys: [{ action, mediaBuyId: buy.mediaBuyId }] });
      const { mediaBuy } = done(await market.buyer.get(`/buyer/media-buys/${buy.mediaBuyId}`));
      return { seen: mediaBuy, expected: { status: action === 'cancel' ? 'CANCELED' : 'ARCHIVED' } };
    },
  },
  ...waysOfBuys({
    ...{ tool: 'media_buy_update', change: byItself, reason: 'reason' },
    asGiven: (pair) => pair,
  }),
  {
    ...{ tool: 'discovery_add_products', what: 'a chosen product' },
    pair: () =>
      both((index) => ({
        products: [
          {
            productId: ['one', 'two'][index],
            pricingOptionId: ['one-b', 'two-b'][index],
            bidPrice: [4, 5][index],
            budget: [100, 200][index],
            targetingOverlay: overlays[index],
          },
        ],
      })),
    give: giveChoice,
  },
  {
    ...{ tool: 'webhook_create', what: 'a subscription' },
    pair: () =>
      both((index) => ({
        url: ['https://one.example/in', 'https://other.example/in'][index],
        eventTypes: [['campaign.updated'], ['discovery.revision', 'media_buy.updated']][index],
      })),
    give: async ({ buyer }, given) => {
      done(await buyer.post('/buyer/webhook-subscriptions', { secret: 'a secret of somebody', ...given }));
      const [newest] = done(await buyer.get('/buyer/webhook-subscriptions')).subscriptions;
      return { seen: newest, expected: given };
    },
  },
];

const asked = [...new Set([...Object.keys(heldElsewhere), ...ways.map(({ tool }) => tool)])].map(toolOf);
const held = Object.entries(heldElsewhere).flatMap(([tool, list]) =>
  list.map((one): Held & { tool: string } => ({ ...one, tool })),
);

function toolOf(name: string): Tool {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`There is no tool ${name}.`);
  return tool;
}

describe('each field that is taken', () => {
  let server: TestServer;
  let market: Market;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    const buyer = await newPerson(server);
    const advertiserId = await newAdvertiser(buyer);
    const advertiserToChange = await newAdvertiser(buyer);
    const [ada, bea] = [
      await openShop(server, { name: 'Ada', buyer, advertiserId }),
      await openShop(server, { name: 'Bea', buyer, advertiserId }),
    ];
    market = { server, buyer, advertiserId, advertiserToChange, ada, bea };
  });
  beforeEach(() => void takesChanges(market.ada));
  afterAll(async () => {
    await server.stop();
    await Promise.all([market.ada, market.bea].map(({ agent }) => agent.stop()));
  });

  test.each(ways)('changes what is seen of $what by $tool', async ({ pair, give }) => {
    for (const given of pair(market)) {
      const { seen, expected } = await give(market, given);
      expect(seen).toMatchObject(expected);
    }
  });

  test.each(asked.map((tool) => [tool.name, tool] as const))(
    'of %s is held to its effect here, or by another test',
    (name, tool) => {
      const differing = ways
        .filter((way) => way.tool === name)
        .flatMap(({ pair }) => fieldsThatDiffer(...pair(market)));
      const elsewhere = [
        ...(heldElsewhere[name] ?? []).flatMap(({ fields }) => fields),
        ...Object.keys(withoutEffect[name] ?? {}),
      ];
      const taken = fieldsTakenBy(tool);

      const places = [...differing, ...elsewhere];
      expect(taken.filter((field) => !places.some((place) => isOf(place, field)))).toEqual([]);
      expect(elsewhere.filter((field) => !taken.includes(field))).toEqual([]);
    },
  );

  test.each(held)('of $tool has in $file: $test', ({ file, test: title }) => {
    const path = new URL(`../${file}`, import.meta.url);
    expect(existsSync(path)).toBe(true);
    expect(readFileSync(path, 'utf8')).toContain(`'${title}'`);
  });
});
