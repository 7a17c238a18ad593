import type { EmbeddedPackage } from '../../../../store/embedded-buys.ts';
import { decimalsOf } from '../../money.ts';
import { BELIEVED_COUNT_MAX, type Counts } from '../delivery.ts';

/** What the embedded seller shows for money, by the unit that a package is bought in. Pure. */

const TEN_THOUSAND = 10_000;
const THOUSAND = 1_000;
/** How often ten thousand impressions are clicked, viewed, viewed to the end, or lead to what is wanted. */
const CLICKED = 12;
const VIEWED = 3_000;
const COMPLETED = 2_000;
const CONVERTED = 1;
/** Impressions of a rating point: a hundredth of an audience of a million. */
const IMPRESSIONS_OF_A_POINT = 10_000;
/**
 * What a thousand impressions are taken to cost, in units of the currency, where nothing that is counted is paid for.
 */
const USUAL_CPM = 10;

/** What is paid for by the piece, and how much of it comes of ten thousand impressions. */
const PIECES: Readonly<Record<string, number | undefined>> = {
  cpc: CLICKED,
  cpv: VIEWED,
  cpcv: COMPLETED,
  cpa: CONVERTED,
};

/** No more is counted than is believed of any seller: what costs next to nothing would come to no number. */
export function countable(count: number): number {
  return Math.min(Math.floor(count), BELIEVED_COUNT_MAX);
}

interface Bought {
  readonly impressions: number;
  /** What is paid for by the piece; absent where impressions, points or time are. */
  readonly pieces?: number;
}

/** What an amount buys of a package. */
export function boughtFor(part: EmbeddedPackage, spentMinor: number, currency: string): Bought {
  const scale = 10 ** decimalsOf(currency);
  const { pricing_model: model = 'cpm', rate } = part;
  const units = rate <= 0 ? 0 : spentMinor / (rate * scale);
  const each = PIECES[model];
  if (each !== undefined) {
    const pieces = countable(units);
    return { pieces, impressions: countable((pieces * TEN_THOUSAND) / each) };
  }
  switch (model) {
    case 'cpp':
      return { impressions: countable(units * IMPRESSIONS_OF_A_POINT) };
    case 'flat_rate':
    case 'time':
      return { impressions: countable((spentMinor / scale / USUAL_CPM) * THOUSAND) };
    default:
      return { impressions: countable(units * THOUSAND) };
  }
}

type Shown = Pick<EmbeddedPackage, 'pricing_model' | 'impressions' | 'pieces'>;

const of = (impressions: number, each: number) => Math.floor((impressions * each) / TEN_THOUSAND);

export function clicksOf({ pricing_model, impressions = 0, pieces = 0 }: Shown): number {
  return pricing_model === 'cpc' ? pieces : of(impressions, CLICKED);
}

/** What is counted beside impressions and clicks, of packages that pay for it; undefined where none does. */
export function countsOf(parts: readonly Shown[]): Counts | undefined {
  const piecesOf = (model: string) =>
    parts.reduce((sum, { pricing_model, pieces = 0 }) => sum + (pricing_model === model ? pieces : 0), 0);
  if (!parts.some(({ pricing_model = '' }) => pricing_model !== 'cpc' && pricing_model in PIECES)) {
    return undefined;
  }
  const completed = parts.filter(({ pricing_model }) => pricing_model === 'cpcv');
  const begun = completed.reduce((sum, { impressions = 0 }) => sum + of(impressions, VIEWED), 0);
  return {
    views: countable(piecesOf('cpv') + begun),
    completedViews: countable(piecesOf('cpcv')),
    conversions: countable(piecesOf('cpa')),
    leads: 0,
  };
}
