import { z } from 'zod';
import { findOrganization } from '../../../store/organizations.ts';
import { findMember } from '../../../store/unscoped/people.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { present } from '../../core/reach.ts';
import { organizationKind } from '../../domain/organizations/kinds.ts';
import { creditStandingOf, standingFields } from './account-credit.ts';
import { account, accountRecord } from './record.ts';

export const accountGet = defineTool({
  name: 'account_get',
  title: 'Get current account',
  example: {},
  description:
    'Gives the organization you work in: your role, the money of its buyer account (paid in, credit limit, ' +
    'committed, what it may still spend), and the limits above which a spend waits for another person. Look at it ' +
    'before campaign_execute. account_list has the others.',
  effect: 'read',
  access: needs('buyer:read'),
  rest: { method: 'GET', path: '/buyer/accounts/current', also: ['/storefront/accounts/current'] },
  input: z.strictObject({}),
  output: account.extend(standingFields).meta({ id: 'CurrentAccount' }),
  errors: [],
  handler: async (ctx) => {
    const { organizationId } = ctx.scope;
    const { userId, kind } = ctx.caller;
    const found = present(await findOrganization(ctx.db, ctx.scope), organizationKind);
    const member =
      userId === null || kind !== 'user' ? undefined : await findMember(ctx.db, { userId, organizationId });
    const record = accountRecord(found, { role: member?.role, current: organizationId });
    return { ...record, ...(await creditStandingOf(ctx)) };
  },
});
