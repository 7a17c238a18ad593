import { z } from 'zod';
import { needs } from '../../../tools/core/access.ts';
import { defineTool } from '../../../tools/core/define.ts';
import { AppError } from '../../../tools/core/errors/app-error.ts';
import { accessDenied, conflict, notFound } from '../../../tools/core/errors/refusals.ts';
import { campaignKind } from '../../../tools/domain/buying/reach.ts';

export interface GateTool {
  readonly tool: ReturnType<typeof defineTool>;
  /** How often the handler was reached. */
  handled(): number;
}

/**
 * A tool behind every gate there is: a permission, an input, an object that may be absent or beyond the
 * caller's grants, terms, alpha, and a handler that may refuse for state or for money.
 */
export function gateTool(): GateTool {
  let handled = 0;
  const tool = defineTool({
    name: 'gate_pass',
    title: 'Pass gates',
    description: 'Passes every gate.',
    effect: 'act',
    audit: { kind: campaignKind, ofInput: ({ campaignId }) => campaignId },
    access: needs('buyer:write'),
    alpha: true,
    rest: { method: 'POST', path: '/gates/{campaignId}' },
    input: z.strictObject({ campaignId: z.string().max(20), size: z.number().int().min(1) }),
    output: z.object({ campaignId: z.string(), size: z.number() }),
    errors: ['NOT_FOUND', 'CONFLICT', 'CREDIT_LIMIT_EXCEEDED'],
    find: async (_ctx, { campaignId }) => {
      if (campaignId === 'absent') throw notFound({ word: 'gate', lookUp: 'Ask for the list of gates.' });
      if (campaignId === 'beyond') throw accessDenied('gate');
    },
    handler: async (_ctx, input) => {
      handled += 1;
      if (input.campaignId === 'conflict') throw conflict('The gate is shut.', 'Open it.');
      if (input.campaignId === 'credit') {
        throw new AppError('CREDIT_LIMIT_EXCEEDED', 'The toll is higher than the credit.');
      }
      return input;
    },
  });
  return { tool, handled: () => handled };
}

/** A tool that only reads, behind the same organization and no alpha. */
export const gateRead = defineTool({
  name: 'gate_look',
  title: 'Look at gates',
  description: 'Looks at a gate.',
  effect: 'read',
  access: needs('buyer:read'),
  rest: { method: 'GET', path: '/gates/{campaignId}' },
  input: z.strictObject({ campaignId: z.string() }),
  output: z.object({ campaignId: z.string() }),
  errors: ['NOT_FOUND'],
  handler: async (_ctx, { campaignId }) => ({ campaignId }),
});
