import { z } from 'zod';
import { fromJson } from '../../../store/engine/codec.ts';
import type { M2mApplicationRow, M2mSecretRow } from '../../../store/m2m-applications.ts';
import type { Context } from '../../core/context.ts';
import { oauthPaths } from '../../core/root-addresses.ts';
import { surfaces } from '../../core/surfaces.ts';
import { heldPermissions } from '../../domain/credentials/schema.ts';
import { outputId, prefixedId } from '../../domain/ids.ts';
import { timestamp } from '../../domain/time.ts';

export const applicationId = prefixedId('the application', 'm2m_');

export const application = z
  .object({
    id: z.string().describe('Id of the application.'),
    clientId: z.string().describe('What it shows at the token endpoint beside a secret.'),
    name: z.string().describe('What people know it by.'),
    description: z.string().nullable().describe('What it is for.'),
    permissions: heldPermissions,
    customerId: outputId('The one account it works in.').nullable().describe('Null: it works in each.'),
    status: z.literal('active').describe('One that was deleted is not shown.'),
    createdByUserId: outputId('The person who made it.').nullable().describe('The person who made it.'),
    createdAt: timestamp.describe('When it was made.'),
  })
  .meta({ id: 'M2mApplication' });

export const secret = z
  .object({
    id: z.string().describe('Id of the secret.'),
    secretHint: z.string().describe('Its last four characters.'),
    createdAt: timestamp.describe('When it was made.'),
    lastUsedAt: timestamp.nullable().describe('When it last got a token; null before that.'),
    tokenUsedAt: timestamp
      .nullable()
      .describe('When a token that it got was first used: from then on older secrets may go.'),
    expiresAt: z.null().describe('Secrets do not end by themselves.'),
  })
  .meta({ id: 'ClientSecret' });

export const clientSecret = z
  .string()
  .describe('The secret itself. It is shown this once and kept nowhere: put it into a secrets manager.');

export function applicationRecord(row: M2mApplicationRow): z.input<typeof application> {
  return {
    id: row.id,
    clientId: row.client_id,
    name: row.name,
    description: row.description,
    permissions: fromJson(row.permissions),
    customerId: row.customer_id,
    status: 'active',
    createdByUserId: row.created_by_user_id,
    createdAt: row.created_at,
  };
}

export function secretRecord(row: M2mSecretRow): z.input<typeof secret> {
  return {
    id: row.id,
    secretHint: `…${row.hint}`,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    tokenUsedAt: row.proven_at,
    expiresAt: null,
  };
}

/** How an application gets a token: where, and for what it asks. */
export function tokenRequest({ services }: Context): { tokenEndpoint: string; resource: string } {
  const url = services.publicUrl();
  return { tokenEndpoint: `${url}${oauthPaths.token}`, resource: `${url}${surfaces.platform.prefix}` };
}
