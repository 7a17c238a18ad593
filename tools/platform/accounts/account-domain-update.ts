import { z } from 'zod';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { numericId, outputId } from '../../domain/ids.ts';
import { changeDomain } from '../../domain/organizations/accounts.ts';
import { organizationKind } from '../../domain/organizations/kinds.ts';
import { reachAccount } from '../../domain/organizations/reach.ts';
import { domainName } from '../../domain/text.ts';

export const accountDomainUpdate = defineTool({
  name: 'account_domain_update',
  title: 'Update account domain',
  example: { customerId: 1, customerDomain: 'acme.example' },
  description:
    'Gives the organization you work in, or an account below it, another domain. Until the operator has verified it, ' +
    'sellers are not told it, it opens no proposal codes, and people with an address there come in by invitation; ' +
    'afterwards as domain_update says.',
  effect: 'update',
  restOnly: true,
  audit: { kind: organizationKind, ofInput: ({ customerId }) => customerId },
  access: needs('buyer:admin', { human: true }),
  rest: {
    method: 'PATCH',
    path: '/buyer/accounts/{customerId}/domain',
    also: ['/storefront/accounts/{customerId}/domain'],
  },
  input: z.strictObject({
    customerId: numericId('the account'),
    customerDomain: domainName.describe('Its domain, such as nordics.acme.example.'),
  }),
  output: z
    .object({
      id: outputId('The account.'),
      customerDomain: z.string().nullable().describe('Its domain.'),
      customerDomainApproved: z.boolean().describe('Whether the operator has verified it as its own.'),
    })
    .meta({ id: 'AccountDomain' }),
  errors: ['NOT_FOUND', 'CONFLICT'],
  find: (ctx, { customerId }) => reachAccount(ctx, customerId),
  handler: async (ctx, { customerId, customerDomain }, found) => ({
    id: customerId,
    customerDomain,
    customerDomainApproved: await changeDomain(ctx, found, customerDomain),
  }),
});
