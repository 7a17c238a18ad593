import { z } from 'zod';
import { customerRoles } from '../../../store/organizations.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { requireAdmitted } from '../../domain/admission/signup.ts';
import { organizationKind } from '../../domain/organizations/kinds.ts';
import { madeSubject, makeOrganization } from '../../domain/organizations/organizations.ts';
import { domainName, shortText } from '../../domain/text.ts';
import { account, accountRecord } from './record.ts';

export const accountCreate = defineTool({
  name: 'account_create',
  title: 'Create child account',
  example: { name: 'Acme Nordics', customerRole: 'BUYER' },
  description:
    'Makes an account below the organization you work in. It has data of its own, keeps to the agreement of the ' +
    'organization at the top, and opens to people by their roles above it. Go there with account_switch.',
  effect: 'create',
  restOnly: true,
  audit: { kind: organizationKind, ofResult: ({ id }) => id },
  access: needs('buyer:admin', { human: true }),
  rest: {
    method: 'POST',
    path: '/buyer/accounts/create-child',
    also: ['/storefront/accounts/create-child'],
    status: 201,
  },
  input: z.strictObject({
    name: shortText(255).describe('Name of the account.'),
    customerRole: z.enum(customerRoles).describe('BUYER: it buys. SELLER: it sells.'),
    customerDomain: domainName.optional().describe('Its domain, such as nordics.acme.example.'),
  }),
  notBuilt: ['parentName', 'defaultCurrency', 'paymentCurrencies', 'accountMode', 'demoRecipeIds'],
  output: account,
  errors: ['CONFLICT'],
  handler: async (ctx, { name, customerRole, customerDomain }) => {
    const { organizationId } = ctx.scope;
    await requireAdmitted(ctx.db, { organizationId, role: customerRole });
    const wanted = {
      name,
      domain: customerDomain,
      parentId: organizationId,
      roles: [customerRole],
      createdVia: 'child' as const,
    };
    const { organization } = await ctx.write(
      (tx) => makeOrganization(tx, ctx.now, wanted),
      // In the log of whoever made it: the account's own begins with what is done there.
      (made) => ({ ...madeSubject(made), tenant: { organizationId, customerId: ctx.scope.customerId } }),
    );
    return accountRecord(organization, { current: organizationId });
  },
});
