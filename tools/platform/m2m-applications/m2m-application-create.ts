import { z } from 'zod';
import { toJson } from '../../../store/engine/codec.ts';
import type { Db } from '../../../store/engine/db.ts';
import { countApplications, insertApplication, insertSecret } from '../../../store/m2m-applications.ts';
import { listCustomers, lockOrganization } from '../../../store/organizations.ts';
import { needs } from '../../core/access.ts';
import { fullPath } from '../../core/addresses.ts';
import type { Context } from '../../core/context.ts';
import { defineTool } from '../../core/define.ts';
import { contradicts } from '../../core/errors/refusals.ts';
import { applicationKind } from '../../domain/credentials/kinds.ts';
import { credentialName, requireOwn, wantedPermissions } from '../../domain/credentials/schema.ts';
import { numericId } from '../../domain/ids.ts';
import { holdCaller } from '../../domain/organizations/holding.ts';
import { requireRoom } from '../../domain/quota-room.ts';
import { longText } from '../../domain/text.ts';
import { application, applicationRecord, clientSecret, tokenRequest } from './record.ts';

export const m2mApplicationCreate = defineTool({
  name: 'm2m_application_create',
  title: 'Create application',
  example: { name: 'Bid optimiser', permissions: ['buyer:read', 'buyer:write'] },
  description:
    'Makes an application: a deployed backend that asks the tokenEndpoint for a short-lived access token with ' +
    'client_credentials, its clientId, the clientSecret and the resource. The secret is in this answer and ' +
    'nowhere else. You can give only what you hold yourself. Change secrets with m2m_secret_create and ' +
    'm2m_secret_delete, end it with m2m_application_delete.',
  effect: 'create',
  restOnly: true,
  audit: { kind: applicationKind, ofResult: (result) => result.application.id },
  access: needs('buyer:admin', { human: true }),
  rest: { method: 'POST', path: '/m2m-applications', status: 201 },
  input: z.strictObject({
    name: credentialName,
    permissions: wantedPermissions,
    description: longText(500).optional().describe('What it is for, up to 500 characters.'),
    customerId: numericId('the one account it works in; without it, each', 'account').optional(),
  }),
  output: z.object({
    application: application.describe('The application.'),
    clientSecret,
    secretId: z.string().describe('Id of the secret.'),
    tokenEndpoint: z.string().describe('Where it gets tokens.'),
    resource: z.string().describe('What it asks for there, as resource.'),
  }),
  errors: ['CONFLICT'],
  handler: async (ctx, input) => {
    requireOwn(ctx.caller, input.permissions);
    await requireAccount(ctx, input.customerId);
    const { value, hash, hint } = ctx.services.ports.keys.secret();
    const secretId = ctx.newId('sec');
    const row = await ctx.write(
      async (tx) => {
        await lockOrganization(tx, ctx.scope);
        await holdCaller(tx, ctx);
        await roomForApplication(ctx, tx);
        const made = await insertApplication(tx, ctx.scope, {
          id: ctx.newId('m2m'),
          client_id: ctx.newId('client'),
          customer_id: input.customerId ?? null,
          name: input.name,
          description: input.description ?? null,
          permissions: toJson(input.permissions),
          created_by_user_id: ctx.caller.userId,
          created_at: ctx.now,
          updated_at: ctx.now,
          deleted_at: null,
        });
        const by = { created_by_user_id: ctx.caller.userId, created_at: ctx.now };
        await insertSecret(tx, ctx.scope, { id: secretId, application_id: made.id, hash, hint, ...by });
        return made;
      },
      ({ id, name }) => ({
        resourceId: id,
        resourceName: name,
        changes: { permissions: { to: input.permissions } },
      }),
    );
    return {
      application: applicationRecord(row),
      clientSecret: value,
      secretId,
      ...tokenRequest(ctx),
    };
  },
});

async function requireAccount(ctx: Context, customerId: number | undefined): Promise<void> {
  if (customerId === undefined) return;
  const accounts = await listCustomers(ctx.db, ctx.scope);
  if (accounts.some(({ id }) => id === customerId)) return;
  throw contradicts('customerId', 'Is no account of your organization.', {
    suggestion: `Give one of ${accounts.map(({ id }) => id).join(', ')}, or leave it out.`,
  });
}

/** Counted while nobody else makes one. */
async function roomForApplication(ctx: Context, tx: Db): Promise<void> {
  const { applicationsPerOrganization: most } = ctx.services.limits.quotas;
  const there = await countApplications(tx, ctx.scope);
  const instead = `Delete one that is no longer needed first: DELETE ${fullPath('platform', '/m2m-applications/{id}')}.`;
  requireRoom({ owner: 'organization', what: 'application', there, most, instead });
}
