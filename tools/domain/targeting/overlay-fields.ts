import { z } from 'zod';
import { oneOf } from '../campaigns/constraint-fields.ts';

/** Fields of targeting that campaigns do not have (AdCP 3.0, core/targeting). */

const methods = ['facial_age_estimation', 'id_document', 'digital_id', 'credit_card', 'world_id'] as const;

export const furtherFields = {
  age_restriction: z
    .strictObject({
      min: z.number().int().min(13).max(99).describe('Lowest.'),
      verification_required: z.boolean().optional().describe('Whether it is proved.'),
      accepted_methods: z.array(oneOf(methods)).min(1).max(10).optional().describe('How.'),
    })
    .optional()
    .describe('Age.'),
};
