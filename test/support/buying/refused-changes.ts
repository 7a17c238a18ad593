import { done } from '../sellers/market.ts';
import {
  beyond,
  changes,
  declaresNoRegions,
  declaresNothing,
  elsewhere,
  type Fields,
  least,
  NO_REGIONS,
  REGIONS,
  type Refused,
  speaksAnother,
  sums,
  TOO_FAST,
  undeclared,
  unpriced,
} from './money-facts.ts';
import {
  type Bought,
  boughtIn,
  DAY_MS,
  longPausedIn,
  pausedIn,
  refusesOrders,
  tenDays,
  unpricedIn,
} from './money-world.ts';

/** Changes of what was bought that are refused for money, or for what its seller cannot do. */

/** A change of one media buy: by itself, and in the update of its campaign. */
const CHANGES: readonly {
  readonly tool: string;
  readonly argsFor: (bought: Bought, change: object) => Fields;
  /** What the place of a field is called. */
  readonly at: (field: string) => string;
}[] = [
  {
    tool: 'media_buy_update',
    argsFor: ({ mediaBuyId }, change) => ({ media_buy_id: mediaBuyId, ...change }),
    at: (field) => field,
  },
  {
    tool: 'campaign_update',
    argsFor: ({ campaignId, mediaBuyId }, change) => ({ campaignId, mediaBuys: [{ mediaBuyId, ...change }] }),
    at: (field) => `mediaBuys.0.${field}`,
  },
];

const raised = ({ packageId }: Bought, budget: number) => ({ packages: [{ packageId, budget }] });

const ofChanges = CHANGES.flatMap(({ tool, argsFor, at }): readonly Refused[] => [
  [
    tool,
    'CREDIT_LIMIT_EXCEEDED',
    'a raise is more than is there',
    async (world) => {
      const bought = await boughtIn(world);
      return { args: argsFor(bought, raised(bought, 150)), details: beyond({ asked: 50, committed: 100 }) };
    },
  ],
  [
    tool,
    'PRICING_NOT_CONFIGURED',
    'no rule is about the seller of a raise any more',
    async (world) => {
      const bought = await boughtIn(world);
      await unpricedIn(world);
      return { args: argsFor(bought, raised(bought, 105)), details: unpriced(world, bought.mediaBuyId) };
    },
  ],
  [
    tool,
    'INSUFFICIENT_MEDIA_BUDGET',
    'a raise is beyond the total',
    async (world) => {
      const bought = await boughtIn(world, { budget: 100 });
      return {
        args: argsFor(bought, raised(bought, 105)),
        details: least(100, 105),
        field: 'budget.total',
      };
    },
  ],
  [
    tool,
    'INSUFFICIENT_MEDIA_BUDGET',
    'a raise is more a day than the cap',
    async (world) => {
      const { flightDates } = tenDays(world);
      const budget = { total: 1_000, dailyCap: 10 };
      const bought = await boughtIn(world, { each: 90, campaign: { flightDates, budget } });
      const end_time = new Date(Date.parse(flightDates.startDate) + 5 * DAY_MS).toISOString();
      return {
        args: argsFor(bought, { end_time }),
        details: sums(1_000, 90, { dailyCap: 10, perDay: 18 }),
        field: 'budget.dailyCap',
      };
    },
  ],
  [
    tool,
    'CAPABILITY_NOT_SUPPORTED',
    'the seller does not declare what is to change',
    async (world) => {
      const bought = await boughtIn(world);
      declaresNothing(world);
      const { mediaBuyId } = bought;
      return {
        args: argsFor(bought, { end_time: tenDays(world).flightDates.startDate.replace('T00', 'T12') }),
        details: undeclared(world, { mediaBuyId }, [at('end_time'), changes('end_time')]),
      };
    },
  ],
  [
    tool,
    'CAPABILITY_NOT_SUPPORTED',
    'what was refused is given a goal that its product does not declare',
    async (world) => {
      refusesOrders(world);
      const bought = await boughtIn(world);
      const { mediaBuyId } = bought;
      const vendor = { domain: 'gauge.example', brand_id: 'sight' };
      const goal = { kind: 'vendor_metric', vendor, metric_id: 'attention_units' };
      const said =
        'Product far-1 does not declare attention_units of gauge.example (sight) as what it is optimized for.';
      return {
        args: argsFor(bought, { optimization_goals: [goal] }),
        details: undeclared(world, { mediaBuyId }, [at('optimization_goals.0'), said]),
      };
    },
  ],
  [
    tool,
    'CAPABILITY_NOT_SUPPORTED',
    'what was refused would be ordered of who cannot target what its campaign asks for',
    async (world) => {
      refusesOrders(world);
      const bought = await boughtIn(world);
      const { campaignId, mediaBuyId } = bought;
      declaresNoRegions(world);
      done(await world.buyer.put(`/buyer/campaigns/${campaignId}`, { constraints: REGIONS }));
      return {
        args: argsFor(bought, { products: [{ productId: 'far-1', budget: 90 }] }),
        details: undeclared(world, { mediaBuyId, productId: 'far-1' }, [
          'constraints.geo_regions',
          NO_REGIONS,
        ]),
      };
    },
  ],
  [
    tool,
    'VERSION_UNSUPPORTED',
    'the seller speaks another major version',
    async (world) => {
      const bought = await boughtIn(world);
      speaksAnother(world);
      return { args: argsFor(bought, raised(bought, 105)), details: elsewhere(world, bought) };
    },
  ],
]);

const ofTotals: readonly Refused[] = [
  [
    'campaign_update',
    'INSUFFICIENT_MEDIA_BUDGET',
    'the total is lowered below what its media buys take',
    async (world) => {
      const { campaignId } = await boughtIn(world);
      return { args: { campaignId, budget: { total: 90 } }, details: least(90, 100), field: 'budget.total' };
    },
  ],
  [
    'campaign_update',
    'INSUFFICIENT_MEDIA_BUDGET',
    'the cap is lowered below what its media buys take in all',
    async (world) => {
      const budget = { total: 1_000, dailyCap: 20 };
      const { campaignId } = await boughtIn(world, { campaign: { budget } });
      return {
        args: { campaignId, budget: { dailyCap: 9.5 } },
        details: sums(1_000, 100, { spendableTotal: 95 }),
        field: 'budget.dailyCap',
      };
    },
  ],
];

const byCampaign = ({ campaignId }: Bought) => ({ campaignId });
const byItself = ({ mediaBuyId }: Bought) => ({ media_buy_id: mediaBuyId });

/** What stops media buys or lets them go on, and what the seller would be told. */
const STOPS = [
  ['campaign_pause', byCampaign, 'paused', boughtIn],
  ['campaign_cancel', byCampaign, 'canceled', boughtIn],
  ['campaign_delete', byCampaign, 'canceled', boughtIn],
  ['campaign_reactivate', byCampaign, 'paused', pausedIn],
  ['media_buy_pause', byItself, 'paused', boughtIn],
  ['media_buy_reactivate', byItself, 'paused', pausedIn],
] as const;

const ofStops = STOPS.flatMap(([tool, argsOf, word, standing]): readonly Refused[] => [
  [
    tool,
    'CAPABILITY_NOT_SUPPORTED',
    'the seller does not declare it',
    async (world) => {
      const bought = await standing(world);
      declaresNothing(world);
      const { mediaBuyId } = bought;
      const [field = ''] = Object.keys(argsOf(bought));
      return {
        args: argsOf(bought),
        details: undeclared(world, { mediaBuyId }, [field, changes(word)]),
      };
    },
  ],
  [
    tool,
    'VERSION_UNSUPPORTED',
    'the seller speaks another major version',
    async (world) => {
      const bought = await standing(world);
      speaksAnother(world);
      return { args: argsOf(bought), details: elsewhere(world, bought) };
    },
  ],
]);

const GOES_ON = [
  ['campaign_reactivate', byCampaign],
  ['media_buy_reactivate', byItself],
] as const;

const ofGoingOn = GOES_ON.flatMap(([tool, argsOf]): readonly Refused[] => [
  [
    tool,
    'PRICING_NOT_CONFIGURED',
    'no rule is about the seller any more',
    async (world) => {
      const bought = await pausedIn(world);
      await unpricedIn(world);
      return { args: argsOf(bought), details: unpriced(world, bought.mediaBuyId) };
    },
  ],
  [
    tool,
    'INSUFFICIENT_MEDIA_BUDGET',
    'the days that are left would take more than the cap',
    async (world) => ({ args: argsOf(await longPausedIn(world)), ...TOO_FAST }),
  ],
]);

export const refusedChanges: readonly Refused[] = [...ofChanges, ...ofTotals, ...ofStops, ...ofGoingOn];
