import { z } from 'zod';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { numericId } from '../../domain/ids.ts';
import { isOpenToItsDomains } from '../../domain/organizations/accounts.ts';
import { reachAccount } from '../../domain/organizations/reach.ts';
import { membershipSettings } from './membership.ts';

export const accountMembershipGet = defineTool({
  name: 'account_membership_get',
  title: 'Get membership settings',
  example: { customerId: 1 },
  description:
    'Tells whether people of the domains of your organization, or of an account below it, come in by themselves. ' +
    'Change it with account_membership_update, domain by domain with domain_update.',
  effect: 'read',
  restOnly: true,
  access: needs('buyer:admin', { human: true }),
  rest: {
    method: 'GET',
    path: '/buyer/accounts/{customerId}/membership',
    also: ['/storefront/accounts/{customerId}/membership'],
  },
  input: z.strictObject({ customerId: numericId('the account') }),
  output: membershipSettings,
  errors: ['NOT_FOUND'],
  find: (ctx, { customerId }) => reachAccount(ctx, customerId),
  handler: async (ctx, { customerId }, { tenant }) => ({
    customerId,
    allowDomainAutoJoin: await isOpenToItsDomains(ctx, tenant),
  }),
});
