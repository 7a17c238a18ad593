import { z } from 'zod';
import type { Db } from '../../../store/engine/db.ts';
import { insertSecret, listSecrets, lockApplication } from '../../../store/m2m-applications.ts';
import { needs } from '../../core/access.ts';
import { fullPath } from '../../core/addresses.ts';
import type { Context } from '../../core/context.ts';
import { defineTool } from '../../core/define.ts';
import { notFound } from '../../core/errors/refusals.ts';
import { applicationKind, secretKind } from '../../domain/credentials/kinds.ts';
import { holdCaller } from '../../domain/organizations/holding.ts';
import { requireRoom } from '../../domain/quota-room.ts';
import { reachApplication } from './reach.ts';
import { applicationId, clientSecret, secret, secretRecord } from './record.ts';

export const m2mSecretCreate = defineTool({
  name: 'm2m_secret_create',
  title: 'Create application secret',
  example: { id: 'm2m_example' },
  description:
    'Makes another secret for an application; those it has go on. Give it to the backend, see with ' +
    'm2m_application_get that a token of it was used, and then end the old one with m2m_secret_delete. The ' +
    'secret is in this answer and nowhere else.',
  effect: 'create',
  restOnly: true,
  audit: { kind: secretKind, ofResult: (result) => result.secret.id },
  access: needs('buyer:admin', { human: true }),
  rest: { method: 'POST', path: '/m2m-applications/{id}/secrets', status: 201 },
  input: z.strictObject({ id: applicationId }),
  output: z.object({ secret: secret.describe('The secret as it is shown from now on.'), clientSecret }),
  errors: ['NOT_FOUND', 'CONFLICT'],
  find: (ctx, { id }) => reachApplication(ctx, id),
  handler: async (ctx, { id }, found) => {
    const { value, hash, hint } = ctx.services.ports.keys.secret();
    const row = await ctx.write(
      async (tx) => {
        await holdCaller(tx, ctx);
        if (!(await lockApplication(tx, ctx.scope, id))) throw notFound(applicationKind);
        await roomForSecret(ctx, tx, id);
        const secretId = ctx.newId('sec');
        const by = { created_by_user_id: ctx.caller.userId, created_at: ctx.now };
        return insertSecret(tx, ctx.scope, { id: secretId, application_id: id, hash, hint, ...by });
      },
      (made) => ({ resourceId: made.id, resourceName: found.name, changes: { application: { to: id } } }),
    );
    return { secret: secretRecord(row), clientSecret: value };
  },
});

/** Counted while nobody else makes one of the same application. */
async function roomForSecret(ctx: Context, tx: Db, id: string): Promise<void> {
  const { secretsPerApplication: most } = ctx.services.limits.quotas;
  const { length: there } = await listSecrets(tx, ctx.scope, id);
  const instead = `Delete one that is no longer used first: DELETE ${fullPath('platform', '/m2m-applications/{id}/secrets/{secretId}')}.`;
  requireRoom({ owner: 'application', what: 'live secret', there, most, instead });
}
