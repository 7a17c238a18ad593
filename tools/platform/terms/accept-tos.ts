import { z } from 'zod';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { forbidden } from '../../core/errors/refusals.ts';
import { outputId } from '../../domain/ids.ts';
import { termsKind } from '../../domain/organizations/kinds.ts';
import { acceptAsPerson } from '../../domain/organizations/terms.ts';
import { timestamp } from '../../domain/time.ts';

export const acceptTos = defineTool({
  name: 'accept_tos',
  title: 'Accept terms',
  example: { version: '1' },
  description:
    'Accepts the terms of service in force, for your organization and the accounts below it, when a call was ' +
    'refused with TOS_ACCEPTANCE_REQUIRED. Ask the person first: it is an agreement. Only an administrator of the ' +
    'organization that owns the agreement may, never a key or a machine. Then repeat what was ' +
    'refused.',
  effect: 'act',
  audit: { kind: termsKind, ofInput: ({ version }) => version },
  access: needs('buyer:admin', { person: true, beforeTerms: true }),
  rest: { method: 'POST', path: '/accept-tos' },
  input: z.strictObject({
    version: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .describe('The version that was read; refused when another one is in force by now.'),
  }),
  output: z.object({
    acceptance: z
      .object({
        organizationId: outputId('The organization that owns the agreement.'),
        tosVersion: z.string().describe('The version that is accepted.'),
        acceptedByUserId: outputId('Who accepted it.').nullable().describe('Null: the operator recorded it.'),
        acceptedAt: timestamp.describe('When it was accepted.'),
      })
      .meta({ id: 'TermsAcceptance' })
      .describe('The agreement as it stands.'),
  }),
  errors: ['CONFLICT'],
  handler: async (ctx, { version }) => {
    const { userId } = ctx.caller;
    if (userId === null)
      throw forbidden('Only a person can accept terms.', 'Ask an administrator to sign in.');
    const via = ctx.server === undefined ? 'rest' : 'mcp';
    const { scope: tenant } = ctx;
    const accepting = { tenant, customerId: tenant.customerId, userId, via, version } as const;
    const { acceptance } = await acceptAsPerson(ctx, accepting);
    return { acceptance };
  },
});
