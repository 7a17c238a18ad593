import { leastSpend } from '../../pricing.ts';
import { boundedText } from '../../text.ts';
import type { Product } from '../schema.ts';
import type { Verdict } from './verdicts.ts';

/**
 * What an evaluation says of a product beside its verdict (contract: evaluation.enrichment), of its fields alone. Pure.
 */

const LINES_MAX = 10;
const LINE_MAX = 300;
const LABELS_MAX = 20;
const LABEL_MAX = 100;

export interface Enrichment {
  readonly summary: string;
  readonly strengths: string[];
  readonly concerns: string[];
  readonly labels: string[];
}

interface Session {
  readonly currency: string;
  /** What there is to spend, in the currency. */
  readonly budget: number | undefined;
}

export function enrichmentOf(product: Product, { findings }: Verdict, session: Session): Enrichment {
  const kept = findings.filter(({ outcome }) => outcome === 'kept').length;
  const { cpm, currency } = product;
  const price =
    cpm === undefined ? 'no price of a thousand impressions' : `from ${cpm} ${currency} a thousand`;
  const shared = findings.filter(({ outcome }) => outcome === 'kept').flatMap((one) => one.shared);
  return {
    summary: `Keeps ${kept} of ${findings.length} rules of the instructions; ${price}.`,
    strengths: lines([
      shared.length > 0 && `Speaks of ${[...new Set(shared)].join(', ')}.`,
      product.deliveryType === 'guaranteed' && 'Its delivery is guaranteed.',
      product.pricingOptions.some(({ isFixed }) => isFixed) && 'It has a fixed price.',
    ]),
    concerns: lines([
      ...findings
        .filter(({ rule, outcome }) => rule.kind === 'prefer' && outcome === 'missed')
        .map(({ sentence }) => `Says nothing of: ${sentence.text}`),
      product.notBuyable !== undefined && product.notBuyable,
      product.briefMatched === false && 'Its seller found nothing for the brief and shows it all the same.',
      product.pricingOptions.every(({ isFixed }) => !isFixed) && 'It is sold by auction: a bid is needed.',
      beyondBudget(product, session),
    ]),
    labels: [...new Set([...product.channels, product.deliveryType ?? []].flat())]
      .slice(0, LABELS_MAX)
      .map((label) => boundedText(label, LABEL_MAX)),
  };
}

/** Said where every way to buy it in the currency starts above the budget. */
function beyondBudget({ pricingOptions }: Product, { currency, budget }: Session): string | false {
  const starts = pricingOptions
    .filter((option) => option.currency === currency)
    .map((option) => leastSpend(option));
  const least = Math.min(...starts);
  if (budget === undefined || starts.length === 0 || least <= budget) return false;
  return `It starts at ${least} ${currency}; the budget is ${budget}.`;
}

function lines(given: readonly (string | false)[]): string[] {
  return given
    .filter((line) => line !== false)
    .slice(0, LINES_MAX)
    .map((line) => boundedText(line, LINE_MAX));
}
