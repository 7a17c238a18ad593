import type { KeptOpening } from '../../discovery-opening.ts';
import { toMajor } from '../../money.ts';
import { readInstructions, type Sentence } from '../instructions.ts';
import type { Product } from '../schema.ts';
import { enrichmentOf } from './enrichment.ts';
import { ranked } from './ranking.ts';
import type { Group } from './seller-products.ts';
import type { Verdict } from './verdicts.ts';

/** What the answers of one round of a session are held against: its screening, then its evaluation. */

export type Stage = 'screening' | 'evaluation';

export interface Terms {
  readonly stage: Stage;
  readonly sentences: readonly Sentence[];
  readonly rounds: number;
  readonly currency: string;
  readonly show: (product: Product, verdict: Verdict | undefined) => Product;
  readonly order: ((groups: readonly Group[]) => Group[]) | undefined;
  /** Passes that are left for the sellers to come. */
  passes: number;
}

/** Those that a session has, in their order. */
export function stagesOf(request: KeptOpening): readonly Terms[] {
  return [screeningTerms(request), evaluationTerms(request)].filter((terms) => terms !== undefined);
}

function screeningTerms({ screening, currency }: KeptOpening): Terms | undefined {
  if (screening === undefined) return undefined;
  return {
    stage: 'screening',
    sentences: readInstructions(screening.instructions, currency),
    rounds: screening.max_refinement_rounds,
    passes: screening.max_screening_passes,
    currency,
    order: undefined,
    show: (product, verdict) => ({ ...product, screening: { decision: 'accept', ...shownOf(verdict) } }),
  };
}

function evaluationTerms({ evaluation, currency, budgetMinor }: KeptOpening): Terms | undefined {
  if (evaluation === undefined) return undefined;
  const { instructions, enrichment, ranking } = evaluation;
  const budget = budgetMinor === undefined ? undefined : toMajor(budgetMinor, currency);
  const wishes = readInstructions(ranking?.instructions ?? instructions, currency);
  return {
    stage: 'evaluation',
    sentences: readInstructions(instructions, currency),
    rounds: evaluation.max_refinement_rounds,
    passes: evaluation.max_evaluation_passes,
    currency,
    order: ranking === undefined ? undefined : (groups) => ranked(groups, wishes, currency),
    show: (product, verdict) => ({
      ...product,
      evaluation: {
        disposition: 'accept',
        ...shownOf(verdict),
        ...(enrichment && verdict !== undefined
          ? { enrichment: enrichmentOf(product, verdict, { currency, budget }) }
          : {}),
      },
    }),
  };
}

function shownOf(verdict: Verdict | undefined) {
  if (verdict === undefined) return { evaluated: false, confidence: 0, reasons: [] };
  const { quality, confidence, reasons } = verdict;
  return {
    evaluated: true,
    ...(quality === undefined ? {} : { quality_score: quality }),
    confidence,
    reasons: [...reasons],
  };
}
