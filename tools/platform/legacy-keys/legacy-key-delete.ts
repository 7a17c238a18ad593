import { z } from 'zod';
import { findLegacyKey, revokeLegacyKey } from '../../../store/legacy-keys.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { notFound } from '../../core/errors/refusals.ts';
import { present } from '../../core/reach.ts';
import { legacyKeyKind } from '../../domain/credentials/kinds.ts';
import { prefixedId } from '../../domain/ids.ts';
import { timestamp } from '../../domain/time.ts';

export const legacyKeyDelete = defineTool({
  name: 'legacy_key_delete',
  title: 'Delete legacy key',
  example: { id: 'lk_example' },
  description:
    'Revokes a key of the earlier kind: it is refused from the next call on. Make what takes its place with ' +
    'org_api_key_create before. It cannot be undone.',
  effect: 'delete',
  restOnly: true,
  audit: { kind: legacyKeyKind, ofInput: ({ id }) => id },
  access: needs('buyer:admin', { human: true }),
  rest: { method: 'DELETE', path: '/legacy-keys/{id}' },
  input: z.strictObject({ id: prefixedId('the key', 'lk_') }),
  output: z.object({
    id: z.string().describe('The key that was revoked.'),
    revoked: z.literal(true).describe('It is refused from now on.'),
    revokedAt: timestamp.describe('Since when.'),
  }),
  errors: ['NOT_FOUND'],
  find: async (ctx, { id }) => present(await findLegacyKey(ctx.db, ctx.scope, id), legacyKeyKind),
  handler: async (ctx, { id }) => {
    await ctx.write(
      async (tx) => {
        const revoked = await revokeLegacyKey(tx, ctx.scope, { id, now: ctx.now });
        if (revoked === undefined) throw notFound(legacyKeyKind);
        return revoked;
      },
      ({ name }) => ({ resourceId: id, resourceName: name }),
    );
    return { id, revoked: true as const, revokedAt: ctx.now };
  },
});
