import type { z } from 'zod';
import type { DiscoverySessionRow } from '../../../store/discovery-sessions.ts';
import { type AssessmentSum, sumAssessments } from '../../../store/discovery-told.ts';
import type { Context } from '../../core/context.ts';
import type { evaluationResult, screeningResult } from '../assessment.ts';
import { openedWith } from '../discovery-opening.ts';
import { isUnread, type Rule, readInstructions, type Sentence } from './instructions.ts';

/** What the screening and the evaluation of a session came to, of all its sellers; nothing where it has none. */
export async function assessmentsOf(
  ctx: Context,
  session: DiscoverySessionRow,
): Promise<{
  screening?: z.input<typeof screeningResult>;
  evaluation?: z.input<typeof evaluationResult>;
}> {
  const { screening, evaluation, currency } = openedWith(session);
  if (screening === undefined && evaluation === undefined) return {};
  const sums = await sumAssessments(ctx.db, ctx.scope, session.id);
  const read = (text: string) => ({ currency, sentences: readInstructions(text, currency) });
  return {
    ...(screening === undefined
      ? {}
      : { screening: screeningOf(sums.screening, read(screening.instructions)) }),
    ...(evaluation === undefined
      ? {}
      : { evaluation: evaluationOf(sums.evaluation, read(evaluation.instructions)) }),
  };
}

interface Read {
  readonly currency: string;
  readonly sentences: readonly Sentence[];
}

function screeningOf(sum: AssessmentSum, read: Read) {
  return { ...countsOf(sum, read), screening_passes: sum.passes };
}

function evaluationOf(sum: AssessmentSum, read: Read) {
  return {
    ...countsOf(sum, read),
    evaluation_passes: sum.passes,
    ranking_passes: sum.ordered,
    candidates_ranked: sum.ranked,
  };
}

function countsOf(sum: AssessmentSum, { currency, sentences }: Read) {
  const isPart = sum.passedBy > 0 || sentences.some(isUnread);
  const status = sum.sellers === 0 ? 'not_run' : isPart ? 'degraded' : 'complete';
  return {
    enabled: true,
    status: status as 'not_run' | 'degraded' | 'complete',
    candidates_evaluated: sum.evaluated,
    accepted: sum.accepted,
    rejected: sum.rejected,
    // A seller that is being told lands when it is over: nothing between is stored.
    refining: 0,
    refinement_limit_reached: sum.limitReached,
    instructions_read: sentences.map((sentence) => ({
      sentence: sentence.text,
      read_as: sentence.rules.map(asText),
      ...notRead(sentence, currency),
    })),
  };
}

const DOUBTS = {
  meaning: 'All of it: what it leaves out or asks for is not certain.',
  price: 'All of it: a price is read as a ceiling alone, not as a least one or a range.',
};

/** What of a sentence is held against nothing, and why; nothing where no word of it says anything of a product. */
function notRead({ pricedIn, doubt }: Sentence, currency: string): { not_read?: string } {
  const reasons = [
    ...(pricedIn === undefined ? [] : [otherPrice(pricedIn, currency)]),
    ...(doubt === undefined ? [] : [DOUBTS[doubt]]),
  ];
  return reasons.length === 0 ? {} : { not_read: reasons.join(' ') };
}

function otherPrice(pricedIn: string, currency: string): string {
  return `A price in ${pricedIn}, in a session of ${currency}: currencies are never changed into one another.`;
}

function asText(rule: Rule): string {
  if (rule.kind === 'max_price') return `max_price: ${rule.amount}`;
  return `${rule.kind}: ${rule.terms.map((term) => [...term.values()].join(' ')).join(', ')}`;
}
