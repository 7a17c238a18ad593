import { z } from 'zod';
import { fromJson } from '../../../store/engine/codec.ts';
import { type LegacyKeyRow, listLegacyKeys } from '../../../store/legacy-keys.ts';
import { hasPermission, needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { heldPermissions } from '../../domain/credentials/schema.ts';
import { outputId } from '../../domain/ids.ts';
import { listOf, nextPage, pagingFields, pagingSpellings } from '../../domain/paging.ts';
import { timestamp } from '../../domain/time.ts';

const legacyKey = z
  .object({
    id: z.string().describe('Id of the key.'),
    scope: z.enum(['user', 'customer']).describe('Whether it acts for a person or for the account.'),
    name: z.string().describe('What people know it by.'),
    obfuscatedValue: z.string().describe('Its prefix and its last four characters.'),
    customerId: outputId('The account it works in.'),
    userId: outputId('The person it acts for.').nullable().describe('Null: it is the account’s.'),
    permissions: heldPermissions,
    createdAt: timestamp.describe('When it was made.'),
    lastUsedAt: timestamp.nullable().describe('When it was last used, to the minute; null before that.'),
    expiresAt: timestamp.nullable().describe('When it ends by itself; null: it does not.'),
    revokedAt: timestamp.nullable().describe('Since when it is refused; null while nobody revoked it.'),
  })
  .meta({ id: 'LegacyKey' });

export const legacyKeyList = defineTool({
  name: 'legacy_key_list',
  title: 'List legacy keys',
  example: { take: 20 },
  description:
    'Lists keys of the earlier kind, newest first: to account administrators those of all people and of the ' +
    'accounts, to others their own. They can be ended with legacy_key_delete and neither made, changed nor ' +
    'shown; org_api_key_create makes what takes their place. Pages with take and skip.',
  effect: 'read',
  restOnly: true,
  access: needs('buyer:read', { human: true }),
  rest: { method: 'GET', path: '/legacy-keys', list: 'items' },
  input: z.strictObject(pagingFields({ byDefault: 50, max: 100 })),
  spellings: pagingSpellings,
  output: listOf(legacyKey),
  errors: [],
  handler: async (ctx, page) => {
    const seesAll = hasPermission(ctx.caller, 'account:admin');
    // Nobody has the number 0: who is no person has no keys of its own.
    const userId = seesAll ? null : (ctx.caller.userId ?? 0);
    const { rows, total } = await listLegacyKeys(ctx.db, ctx.scope, { userId, page });
    return { items: rows.map(legacyKeyRecord), ...nextPage(page, rows.length, total) };
  },
});

function legacyKeyRecord(row: LegacyKeyRow): z.input<typeof legacyKey> {
  return {
    id: row.id,
    scope: row.user_id === null ? 'customer' : 'user',
    name: row.name,
    obfuscatedValue: row.obfuscated_value,
    customerId: row.customer_id,
    userId: row.user_id,
    permissions: fromJson(row.permissions),
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
  };
}
