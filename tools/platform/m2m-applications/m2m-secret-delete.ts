import { z } from 'zod';
import { listSecrets, lockApplication, retireSecret } from '../../../store/m2m-applications.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import type { AppError } from '../../core/errors/app-error.ts';
import { conflict, notFound } from '../../core/errors/refusals.ts';
import { present } from '../../core/reach.ts';
import { applicationKind, secretKind } from '../../domain/credentials/kinds.ts';
import { prefixedId } from '../../domain/ids.ts';
import { timestamp } from '../../domain/time.ts';
import { reachApplication } from './reach.ts';
import { applicationId } from './record.ts';
import { reasonToKeep } from './secret-rotation.ts';

export const m2mSecretDelete = defineTool({
  name: 'm2m_secret_delete',
  title: 'Delete application secret',
  example: { id: 'm2m_example', secretId: 'sec_example' },
  description:
    'Ends a secret of an application; tokens that it got end with it. An old one goes only after a token of a ' +
    'newer one was used, so that nothing that runs is cut off, and the last one does not go: both are answered ' +
    'with 409 CONFLICT unless you say force.',
  effect: 'delete',
  restOnly: true,
  audit: { kind: secretKind, ofInput: ({ secretId }) => secretId },
  access: needs('buyer:admin', { human: true }),
  rest: { method: 'DELETE', path: '/m2m-applications/{id}/secrets/{secretId}' },
  input: z.strictObject({
    id: applicationId,
    secretId: prefixedId('the secret', 'sec_'),
    force: z
      .boolean()
      .default(false)
      .describe('true ends it whatever still uses it, such as one that leaked.'),
  }),
  output: z.object({
    id: z.string().describe('The secret that was ended.'),
    revoked: z.literal(true).describe('It gets no token any more.'),
    revokedAt: timestamp.describe('Since when.'),
  }),
  errors: ['NOT_FOUND', 'CONFLICT'],
  find: async (ctx, { id, secretId }) => {
    const application = await reachApplication(ctx, id);
    const live = await listSecrets(ctx.db, ctx.scope, id);
    present(
      live.find((one) => one.id === secretId),
      secretKind,
    );
    return application;
  },
  handler: async (ctx, { id, secretId, force }, found) => {
    await ctx.write(
      async (tx) => {
        if (!(await lockApplication(tx, ctx.scope, id))) throw notFound(applicationKind);
        const live = await listSecrets(tx, ctx.scope, id);
        if (live.every((one) => one.id !== secretId)) throw notFound(secretKind);
        const reason = force ? undefined : reasonToKeep(live, secretId);
        if (reason !== undefined) throw refusals[reason]();
        await retireSecret(tx, ctx.scope, { id: secretId, applicationId: id, now: ctx.now });
      },
      { resourceId: secretId, resourceName: found.name, changes: { application: { from: id } } },
    );
    return { id: secretId, revoked: true as const, revokedAt: ctx.now };
  },
});

const refusals: Readonly<Record<'last' | 'unproven', () => AppError>> = {
  last: () =>
    conflict(
      'This is the last secret: without it the application gets no token any more.',
      'Make another one first, delete the application, or say force=true.',
    ),
  unproven: () =>
    conflict(
      'No token of a newer secret was used yet: what runs may still need this one.',
      'Have the backend get a token with the newer secret and use it, or say force=true.',
    ),
};
