import type { z } from 'zod';
import type { DiscoverySessionRow } from '../../../store/discovery-sessions.ts';
import { type AssessmentSum, sumAssessments } from '../../../store/discovery-told.ts';
import type { Context } from '../../core/context.ts';
import type { evaluationResult, screeningResult } from '../assessment.ts';
import { openedWith } from '../discovery-opening.ts';
import { type Rule, readInstructions, type Sentence } from './instructions.ts';

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
  const read = (text: string) => readInstructions(text, currency);
  return {
    ...(screening === undefined
      ? {}
      : { screening: screeningOf(sums.screening, read(screening.instructions)) }),
    ...(evaluation === undefined
      ? {}
      : { evaluation: evaluationOf(sums.evaluation, read(evaluation.instructions)) }),
  };
}

function screeningOf(sum: AssessmentSum, sentences: readonly Sentence[]) {
  return { ...countsOf(sum, sentences), screening_passes: sum.passes };
}

function evaluationOf(sum: AssessmentSum, sentences: readonly Sentence[]) {
  return {
    ...countsOf(sum, sentences),
    evaluation_passes: sum.passes,
    ranking_passes: sum.ordered,
    candidates_ranked: sum.ranked,
  };
}

function countsOf(sum: AssessmentSum, sentences: readonly Sentence[]) {
  const isPart = sum.passedBy > 0 || sentences.some(({ rules }) => rules.length === 0);
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
    instructions_read: sentences.map(({ text, rules }) => ({ sentence: text, read_as: rules.map(asText) })),
  };
}

function asText(rule: Rule): string {
  if (rule.kind === 'max_price') return `max_price: ${rule.amount}`;
  return `${rule.kind}: ${rule.terms.map((term) => [...term.values()].join(' ')).join(', ')}`;
}
