import { z } from 'zod';

/** What a product can be optimized for of what sellers measure themselves, as it is shown. */
export const optimizationFields = {
  optimizationMetrics: z
    .array(z.string())
    .optional()
    .describe('Figures it can be optimized for; absent where the seller names none.'),
  reachUnits: z.array(z.string()).optional().describe('Units in which its reach is measured.'),
  optimizationTargets: z
    .array(z.string())
    .optional()
    .describe('Kinds of targets that goals of its figures take; empty: none.'),
  viewDurations: z
    .array(z.number())
    .optional()
    .describe(
      'Seconds from which on a view can count as completed; absent where the seller names none: it counts from its own on, and goals name none.',
    ),
  maxOptimizationGoals: z
    .number()
    .int()
    .optional()
    .describe('How many goals a package of it takes; absent where the seller sets no limit.'),
};
