import { z } from 'zod';
import { longText } from './text.ts';

/**
 * What a session is told to hold its products against (contract: ProposalScreeningRequest, ProposalEvaluationRequest).
 */

const INSTRUCTIONS_MAX = 8_000;
const RANKING_MAX = 4_000;

const instructions = longText(INSTRUCTIONS_MAX)
  .min(1)
  .describe('Sentences, read by rules: no, avoid; only, must; prefer; CPM under 12.');

const rounds = z
  .number()
  .int()
  .min(0)
  .max(3)
  .default(1)
  .describe('How often a seller is told what its products miss; 0: never.');

const passes = z
  .number()
  .int()
  .min(1)
  .max(100)
  .default(20)
  .describe('Answers looked at; others show as they are.');

export const screening = z.strictObject({
  instructions,
  max_refinement_rounds: rounds,
  max_screening_passes: passes,
});

const AS_OF_SCREENING = 'As of screening.';

export const evaluation = z.strictObject({
  instructions: instructions.describe(AS_OF_SCREENING),
  max_refinement_rounds: rounds.describe(AS_OF_SCREENING),
  max_evaluation_passes: passes.describe(AS_OF_SCREENING),
  enrichment: z.boolean().default(true).describe('Strengths, concerns and labels of each product.'),
  ranking: z
    .strictObject({
      instructions: longText(RANKING_MAX).min(1).optional().describe('Those above unless given.'),
    })
    .optional()
    .describe('Puts the best of each group first.'),
});

const share = z.number().min(0).max(1);

const verdict = {
  evaluated: z.boolean().describe('False: shown without having been looked at.'),
  quality_score: share.optional().describe('The part of what is wished that it has, 0 to 1.'),
  confidence: share.describe('The part of the instructions that could be decided, 0 to 1.'),
  reasons: z.array(z.string()).describe('Why, in the words of the instructions.'),
};

export const productScreening = z.object({
  decision: z.literal('accept').describe('Others are left out.'),
  ...verdict,
});

export const productEvaluation = z.object({
  disposition: z.literal('accept').describe('Others are left out.'),
  ...verdict,
  enrichment: z
    .object({
      summary: z.string().describe('In one sentence.'),
      strengths: z.array(z.string()).describe('What speaks for it.'),
      concerns: z.array(z.string()).describe('What speaks against it.'),
      labels: z.array(z.string()).describe('What it is.'),
    })
    .optional()
    .describe('Made of its fields.'),
  ranking: z
    .object({
      rank: z.number().int().describe('Its place in its group, from 1 on.'),
      score: share.describe('To compare it across groups.'),
      rationale: z.string().describe('Why.'),
      provisional: z.boolean().describe('Whether it may still change in this round.'),
    })
    .optional()
    .describe('Where a ranking was asked for.'),
});

const counts = {
  enabled: z.boolean().describe('Whether it was asked for.'),
  status: z
    .enum(['not_run', 'complete', 'degraded'])
    .describe('degraded: a sentence could not be read, or passes ran out.'),
  candidates_evaluated: z.number().int().describe('Products looked at.'),
  accepted: z.number().int().describe('Of these, those shown.'),
  rejected: z.number().int().describe('Of these, those left out.'),
  refining: z.number().int().describe('Products whose sellers are being told what they miss.'),
  refinement_limit_reached: z.number().int().describe('Rejected after the last round.'),
  instructions_read: z
    .array(
      z.object({
        sentence: z.string().describe('As it was written.'),
        read_as: z.array(z.string()).describe('The rules it came to; none: it was not understood.'),
        not_read: z.string().optional().describe('What of it is held against nothing, and why.'),
      }),
    )
    .describe('How the instructions were read.'),
};

export const screeningResult = z.object({
  ...counts,
  screening_passes: z.number().int().describe('Answers of sellers looked at.'),
});

export const evaluationResult = z.object({
  ...counts,
  evaluation_passes: z.number().int().describe('Answers of sellers looked at.'),
  ranking_passes: z.number().int().describe('Answers that were put in order.'),
  candidates_ranked: z.number().int().describe('Products that were put in order.'),
});
