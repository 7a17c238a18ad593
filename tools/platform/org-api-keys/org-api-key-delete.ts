import { z } from 'zod';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { present } from '../../core/reach.ts';
import { accountOn } from '../../core/surfaces.ts';
import { organizationKeyKind } from '../../domain/credentials/kinds.ts';
import { prefixedId } from '../../domain/ids.ts';
import { timestamp } from '../../domain/time.ts';

export const orgApiKeyDelete = defineTool({
  name: 'org_api_key_delete',
  title: 'Delete organization key',
  example: { key_id: 'key_example' },
  description:
    'Revokes an API key of your organization: it is refused from the next call on, what it has open is closed ' +
    'within a second, and webhook subscriptions that carry its grants end. It cannot be undone.',
  effect: 'delete',
  restOnly: true,
  inSteps: true,
  audit: { kind: organizationKeyKind, ofInput: ({ key_id }) => key_id },
  access: needs('buyer:admin', { human: true }),
  rest: { method: 'DELETE', path: '/org-api-keys/{key_id}' },
  input: z.strictObject({ key_id: prefixedId('the key', 'key_') }),
  output: z.object({
    id: z.string().describe('The key that was revoked.'),
    revoked: z.literal(true).describe('It is refused from now on.'),
    revokedAt: timestamp.describe('Since when.'),
  }),
  errors: ['NOT_FOUND'],
  find: async (ctx, { key_id: id }) => {
    const { organizationId } = ctx.caller;
    return present(
      await ctx.services.ports.credentials.find(ctx, { organizationId, id }),
      organizationKeyKind,
    );
  },
  handler: async (ctx, { key_id: id }, { name }) => {
    const { organizationId } = ctx.caller;
    const key = { organizationId, id, name, loggedIn: accountOn('platform', ctx.caller.accounts) };
    const revokedAt = await ctx.services.ports.credentials.revoke(ctx, key);
    return { id, revoked: true as const, revokedAt };
  },
});
