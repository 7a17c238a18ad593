import { z } from 'zod';
import type { Db } from '../../../store/engine/db.ts';
import { countBelow, customerRoles, lockOrganization } from '../../../store/organizations.ts';
import { governingOrganization } from '../../../store/terms.ts';
import { needs } from '../../core/access.ts';
import type { Context } from '../../core/context.ts';
import { defineTool } from '../../core/define.ts';
import { conflict } from '../../core/errors/refusals.ts';
import { requireAdmitted } from '../../domain/admission/signup.ts';
import { counted } from '../../domain/counted.ts';
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
      async (tx) => {
        await requireRoom(tx, ctx);
        return makeOrganization(tx, ctx.now, wanted);
      },
      // In the log of whoever made it: the account's own begins with what is done there.
      (made) => ({ ...madeSubject(made), tenant: { organizationId, customerId: ctx.scope.customerId } }),
    );
    return accountRecord(organization, { current: organizationId });
  },
});

/** Counted below the organization at the top: each account has what an organization may have, and could make more. */
async function requireRoom(tx: Db, ctx: Context): Promise<void> {
  const most = ctx.services.limits.quotas.accountsPerOrganization;
  const top = await governingOrganization(tx, ctx.scope);
  await lockOrganization(tx, top);
  if ((await countBelow(tx, top)) < most) return;
  throw conflict(
    `The organization at the top has ${counted(most, 'account')} below it, which is the most it may have.`,
    'Work in one of those there are (account_list). Closed ones count: the operator of this service can open them again, or make another.',
  );
}
