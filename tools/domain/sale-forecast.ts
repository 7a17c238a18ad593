import { asFields } from '../core/schemas/checks.ts';

/** What a product says that it delivers, and for how much (AdCP, core/delivery-forecast). Pure. */

/** What of a product tells it; whatever else stands there is no forecast. */
export interface Forecasting {
  readonly forecast?: unknown;
  /** Of products in the words of AdCP 2. */
  readonly estimated_exposures?: unknown;
}

export interface Spendable {
  readonly max?: number | undefined;
  readonly currency: string;
}

/** Points that are looked at. */
const POINTS_MAX = 200;

/** Figures of a week or a day are no sums: how many there are of these, nobody says. */
const PARTS_OF_TIME: readonly unknown[] = ['weekly', 'daily'];
/** Points of these stand beside each other: several can be bought. Those of others are steps of one curve. */
const APART: readonly unknown[] = ['availability', 'package'];

interface Point {
  /** Absent where all is meant that there is. */
  readonly budget: number | undefined;
  readonly impressions: number | undefined;
  readonly spend: number | undefined;
}

/**
 * The most exposures that it is said to bring for a budget, or for any; undefined where nothing is said. What a budget
 * between two steps of a curve brings is no more than what the upper one does.
 */
export function exposuresOf(product: Forecasting, budget: Spendable | undefined): number | undefined {
  const { unit, currency, points } = forecastOf(product);
  const isApart = APART.includes(unit);
  const told = points.flatMap(({ budget: at = 0, impressions }) =>
    impressions === undefined ? [] : [{ at, impressions }],
  );
  if (told.length === 0) return figureOf(product.estimated_exposures);
  const max = currency === budget?.currency ? budget?.max : undefined;
  const prices = told.map(({ at }) => at);
  const reach = max === undefined || isApart ? max : firstBeyond(prices, max);
  const within = told.filter(({ at }) => reach === undefined || at <= reach);
  const figures = within.map(({ impressions }) => impressions);
  return isApart ? sumOf(figures) : Math.max(...figures);
}

/** What all that there is of it is said to cost in a currency; undefined where more may be had, or nothing is said. */
export function costOfAll(product: Forecasting, wanted: string): number | undefined {
  const { unit = 'availability', currency, points } = forecastOf(product);
  if (unit !== 'availability' || currency !== wanted) return undefined;
  const costs = points.flatMap(({ budget, spend }) =>
    budget === undefined && spend !== undefined ? [spend] : [],
  );
  return costs.length === 0 || costs.length < points.length ? undefined : sumOf(costs);
}

/** The first step of a curve that costs no less; its last one where each costs less. */
function firstBeyond(prices: readonly number[], max: number): number {
  const beyond = prices.filter((price) => price >= max);
  return Math.min(...(beyond.length === 0 ? [max] : beyond));
}

function forecastOf({ forecast }: Forecasting) {
  const { points, forecast_range_unit: unit, currency } = asFields(forecast);
  const isRead = Array.isArray(points) && !PARTS_OF_TIME.includes(unit);
  return { unit, currency, points: isRead ? points.slice(0, POINTS_MAX).map(pointOf) : [] };
}

function pointOf(given: unknown): Point {
  const { budget, metrics } = asFields(given);
  const { impressions, spend } = asFields(metrics);
  return { budget: figureOf(budget), impressions: expected(impressions), spend: expected(spend) };
}

/** The likeliest figure of a range; of one that says none, its middle. */
function expected(range: unknown): number | undefined {
  const { low, mid, high } = asFields(range);
  const [least, likeliest, most] = [figureOf(low), figureOf(mid), figureOf(high)];
  if (likeliest !== undefined) return likeliest;
  return least === undefined || most === undefined ? undefined : (least + most) / 2;
}

function figureOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

function sumOf(figures: readonly number[]): number {
  return figures.reduce((sum, figure) => sum + figure, 0);
}
