import { z } from 'zod';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { accountOn } from '../../core/surfaces.ts';
import { organizationKeyKind } from '../../domain/credentials/kinds.ts';
import { credentialName, requireOwn, wantedPermissions } from '../../domain/credentials/schema.ts';
import { newOrganizationKey, organizationKeyRecord } from './record.ts';

export const orgApiKeyCreate = defineTool({
  name: 'org_api_key_create',
  title: 'Create organization key',
  example: { name: 'Nightly reports', permissions: ['buyer:read'] },
  description:
    'Makes an API key for scripts and backends of your organization. Its value is in this answer and nowhere ' +
    'else: put it into a secrets manager at once. You can give only what you hold yourself, and what a key opens ' +
    'never changes: make another one, and revoke this with org_api_key_delete.',
  effect: 'create',
  restOnly: true,
  inSteps: true,
  audit: { kind: organizationKeyKind, ofResult: ({ apiKey }) => apiKey.id },
  access: needs('buyer:admin', { human: true }),
  rest: { method: 'POST', path: '/org-api-keys', status: 201 },
  input: z.strictObject({ name: credentialName, permissions: wantedPermissions }),
  output: z.object({ apiKey: newOrganizationKey.describe('The key, with its value.') }),
  errors: ['CONFLICT'],
  handler: async (ctx, { name, permissions }) => {
    requireOwn(ctx.caller, permissions);
    const { key, value } = await ctx.services.ports.credentials.create(ctx, {
      organizationId: ctx.caller.organizationId,
      name,
      permissions,
      createdByUserId: ctx.caller.userId,
      loggedIn: accountOn('platform', ctx.caller.accounts),
    });
    return { apiKey: { ...organizationKeyRecord(key), value } };
  },
});
