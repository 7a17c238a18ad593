import { z } from 'zod';
import { findWorkplace } from '../../../store/unscoped/organization-tree.ts';
import { chooseOrganization } from '../../../store/unscoped/web-sessions.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { forbidden } from '../../core/errors/refusals.ts';
import { present } from '../../core/reach.ts';
import { numericId } from '../../domain/ids.ts';
import { organizationKind } from '../../domain/organizations/kinds.ts';
import { accountOfMine } from '../../domain/organizations/reach.ts';
import { account, accountRecord } from './record.ts';

export const accountSwitch = defineTool({
  name: 'account_switch',
  title: 'Switch account',
  example: { accountId: 1 },
  description:
    'Has the browser you are signed in at work in another of your organizations from now on. Find them with ' +
    'account_list. Keys and tokens keep to their organization.',
  effect: 'update',
  restOnly: true,
  audit: { kind: organizationKind, ofInput: ({ accountId }) => accountId },
  // What narrows a person goes with them: each organization has grants of its own.
  access: needs('buyer:read', { human: true, beforeTerms: true, within: ['grants'] }),
  rest: { method: 'POST', path: '/accounts/{accountId}/switch' },
  input: z.strictObject({ accountId: numericId('the account') }),
  output: account,
  errors: ['NOT_FOUND'],
  handler: async (ctx, { accountId }) => {
    const { userId, sessionId } = ctx.caller;
    if (userId === null || sessionId === undefined) {
      throw forbidden('There is no session to switch.', 'Sign in at a browser.');
    }
    const place = present(await findWorkplace(ctx.db, { userId, organizationId: accountId }), accountOfMine);
    await ctx.write((tx) => chooseOrganization(tx, { id: sessionId, organizationId: accountId }), {
      resourceId: accountId,
    });
    const { organization_id: id, role, ...row } = place;
    return accountRecord({ id, ...row }, { role, current: accountId });
  },
});
