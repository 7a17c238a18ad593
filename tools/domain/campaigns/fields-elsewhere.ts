import type { Elsewhere } from '../../core/schemas/not-built.ts';

/** Fields that callers carry over from neighbouring operations and from AdCP, each with where it is given here. */

/** Each of these names means the field. */
function meaning(field: string, names: readonly string[]): [string, string][] {
  return names.map((name) => [name, `Give ${field}.`]);
}

const starts = ['startDate', 'start_date', 'startTime', 'start_time', 'start'];
const ends = ['endDate', 'end_date', 'endTime', 'end_time', 'end'];
const overlay = ['targetingOverlay', 'targeting_overlay', 'targeting'];

/** Where a flight is given as one object. */
export const flightElsewhere: Elsewhere = Object.fromEntries([
  ...meaning('flightDates.startDate', starts),
  ...meaning('flightDates.endDate', ends),
]);

const CHOOSE =
  'Products are chosen in a session: find them with discover_products, choose with discovery_add_products, and give discoveryId.';

/** What campaign_create and campaign_update are given in place of the parts of budget, constraints and choice. */
export const campaignElsewhere: Elsewhere = {
  ...flightElsewhere,
  ...Object.fromEntries([
    ...meaning('budget.total', ['total', 'totalBudget', 'total_budget', 'amount']),
    ...meaning('budget.currency', ['currency', 'budgetCurrency', 'budget_currency']),
    ...meaning('budget.dailyCap', ['dailyCap', 'daily_cap', 'dailyBudget', 'daily_budget']),
    ...meaning('budget.pacing', ['pacing']),
    ...meaning('constraints.geo_countries', ['countries', 'geo_countries', 'geoCountries']),
    ...meaning('constraints.channels', ['channels']),
    ...meaning('constraints', overlay),
    ...meaning('performanceConfig.optimizationGoals', ['optimizationGoals', 'optimization_goals', 'goals']),
  ]),
  products: CHOOSE,
  productIds: CHOOSE,
};

/** What a media buy is given in place of what its packages have; `at` is what comes before, where it is an entry. */
export function buyElsewhere(at = ''): Elsewhere {
  const PACKAGES = `${at}packages[]`;
  const part = (field: string) =>
    `${PACKAGES}.${field}, with packageId: a media buy has what its packages have.`;
  const dates = (names: readonly string[], field: string) =>
    names.filter((name) => !(name in TAKEN)).map((name) => [`${at}${name}`, `Give ${at}${field}.`]);
  return Object.fromEntries([
    ...['budget', 'totalBudget', 'total_budget'].map((name) => [`${at}${name}`, `Give ${part('budget')}`]),
    [`${at}pacing`, `Give ${part('pacing')}`],
    ...['bidPrice', 'bid_price'].map((name) => [`${at}${name}`, `Give ${part('bidPrice')}`]),
    ...overlay.map((name) => [`${at}${name}`, `Give ${part('targetingOverlay')}`]),
    ...dates([...starts, 'flightDates'], 'start_time and end_time'),
    ...dates(ends, 'end_time'),
    ...meaning(
      `${PACKAGES}.startTime`,
      ['startDate', 'start_date'].map((name) => `${PACKAGES}.${name}`),
    ),
    ...meaning(
      `${PACKAGES}.endTime`,
      ['endDate', 'end_date'].map((name) => `${PACKAGES}.${name}`),
    ),
  ]);
}

/** Names that a media buy takes. */
const TAKEN = { startTime: true, start_time: true, endTime: true, end_time: true };
