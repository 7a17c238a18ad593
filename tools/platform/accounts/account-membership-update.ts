import { z } from 'zod';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { numericId } from '../../domain/ids.ts';
import { openToItsDomains } from '../../domain/organizations/accounts.ts';
import { organizationKind } from '../../domain/organizations/kinds.ts';
import { reachAccount } from '../../domain/organizations/reach.ts';
import { membershipSettings } from './membership.ts';

export const accountMembershipUpdate = defineTool({
  name: 'account_membership_update',
  title: 'Update membership settings',
  example: { customerId: 1, allowDomainAutoJoin: false },
  description:
    'Lets people with a verified address of any domain of the account come in by themselves as MEMBER, or has them ' +
    'an administrator from now on. Who is in stays. It needs a domain: name one with domain_create.',
  effect: 'update',
  restOnly: true,
  audit: { kind: organizationKind, ofInput: ({ customerId }) => customerId },
  access: needs('buyer:admin', { human: true }),
  rest: {
    method: 'PATCH',
    path: '/buyer/accounts/{customerId}/membership',
    also: ['/storefront/accounts/{customerId}/membership'],
  },
  input: z.strictObject({
    customerId: numericId('the account'),
    allowDomainAutoJoin: z.boolean().describe('True: they come in by themselves.'),
  }),
  output: membershipSettings,
  errors: ['NOT_FOUND', 'CONFLICT'],
  find: (ctx, { customerId }) => reachAccount(ctx, customerId),
  handler: async (ctx, { customerId, allowDomainAutoJoin }, found) => {
    await openToItsDomains(ctx, found, allowDomainAutoJoin);
    return { customerId, allowDomainAutoJoin };
  },
});
