import type { z } from 'zod';
import type {
  AssessmentTally,
  DiscoveryAgentRow,
  DiscoverySessionRow,
} from '../../../store/discovery-sessions.ts';
import type { evaluationResult, screeningResult } from '../assessment.ts';
import { openedWith } from '../opening.ts';
import { toldBy } from './agent-results.ts';
import type { Stage } from './assessing.ts';
import { type Rule, readInstructions, type Sentence } from './instructions.ts';

/** What the screening and the evaluation of a session came to, of all its sellers; nothing where it has none. */
export function assessmentsOf(
  session: DiscoverySessionRow,
  agents: readonly DiscoveryAgentRow[],
): {
  screening?: z.input<typeof screeningResult>;
  evaluation?: z.input<typeof evaluationResult>;
} {
  const { screening, evaluation, currency } = openedWith(session);
  const told = agents.map((agent) => toldBy(agent).assessment ?? {});
  const of = (stage: Stage) => told.flatMap((one) => one[stage] ?? []);
  const read = (text: string) => readInstructions(text, currency);
  return {
    ...(screening === undefined
      ? {}
      : { screening: screeningOf(of('screening'), read(screening.instructions)) }),
    ...(evaluation === undefined
      ? {}
      : { evaluation: evaluationOf(of('evaluation'), read(evaluation.instructions)) }),
  };
}

function screeningOf(tallies: readonly AssessmentTally[], sentences: readonly Sentence[]) {
  return { ...countsOf(tallies, sentences), screening_passes: sum(tallies, 'passes') };
}

function evaluationOf(tallies: readonly AssessmentTally[], sentences: readonly Sentence[]) {
  return {
    ...countsOf(tallies, sentences),
    evaluation_passes: sum(tallies, 'passes'),
    ranking_passes: tallies.filter(({ ranked }) => ranked > 0).length,
    candidates_ranked: sum(tallies, 'ranked'),
  };
}

function countsOf(tallies: readonly AssessmentTally[], sentences: readonly Sentence[]) {
  const isPart = sum(tallies, 'passedBy') > 0 || sentences.some(({ rules }) => rules.length === 0);
  const status = tallies.length === 0 ? 'not_run' : isPart ? 'degraded' : 'complete';
  return {
    enabled: true,
    status: status as 'not_run' | 'degraded' | 'complete',
    candidates_evaluated: sum(tallies, 'evaluated'),
    accepted: sum(tallies, 'accepted'),
    rejected: sum(tallies, 'rejected'),
    // A seller that is being told lands when it is over: nothing between is stored.
    refining: 0,
    refinement_limit_reached: sum(tallies, 'limitReached'),
    instructions_read: sentences.map(({ text, rules }) => ({ sentence: text, read_as: rules.map(asText) })),
  };
}

function sum(tallies: readonly AssessmentTally[], field: keyof AssessmentTally): number {
  return tallies.reduce((all, tally) => all + (tally[field] ?? 0), 0);
}

function asText(rule: Rule): string {
  if (rule.kind === 'max_price') return `max_price: ${rule.amount}`;
  return `${rule.kind}: ${rule.terms.map((term) => [...term.values()].join(' ')).join(', ')}`;
}
