import { z } from 'zod';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { openStatuses } from '../../domain/buying/machines.ts';
import { numericId, outputId } from '../../domain/ids.ts';
import { closeAccount } from '../../domain/organizations/accounts.ts';
import { organizationKind } from '../../domain/organizations/kinds.ts';
import { reachAccount } from '../../domain/organizations/reach.ts';

export const accountDelete = defineTool({
  name: 'account_delete',
  title: 'Delete child account',
  example: { customerId: 1 },
  description:
    'Closes an account below the organization you work in, and those below it: their people, keys and tokens are ' +
    'refused from the next call on. It is refused while media buys are open there. What was bought stays on ' +
    'record; the operator of the service can open it again. Find accounts with account_list.',
  effect: 'delete',
  restOnly: true,
  audit: { kind: organizationKind, ofInput: ({ customerId }) => customerId },
  access: needs('buyer:admin', { human: true }),
  rest: {
    method: 'DELETE',
    path: '/buyer/accounts/{customerId}',
    also: ['/storefront/accounts/{customerId}'],
    status: 204,
  },
  input: z.strictObject({ customerId: numericId('the account') }),
  output: z.object({
    success: z.literal(true).describe('The account is closed.'),
    id: outputId('Which it was.'),
  }),
  errors: ['NOT_FOUND', 'CONFLICT'],
  find: (ctx, { customerId }) => reachAccount(ctx, customerId),
  handler: async (ctx, { customerId }, found) => {
    await closeAccount(ctx, found, openStatuses);
    return { success: true as const, id: customerId };
  },
});
