import { z } from 'zod';
import { findOrganization } from '../../../store/organizations.ts';
import { listWorkplaces } from '../../../store/unscoped/organization-tree.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { account, accountRecord } from './record.ts';

export const accountList = defineTool({
  name: 'account_list',
  title: 'List accounts',
  example: {},
  description:
    'Lists the organizations you can work in: those you have a role in, and the accounts below them. A key has ' +
    'one, its own. A person at a browser goes to another one with account_switch.',
  effect: 'read',
  access: needs('buyer:read'),
  rest: { method: 'GET', path: '/buyer/accounts', also: ['/storefront/accounts'] },
  input: z.strictObject({}),
  output: z.object({ accounts: z.array(account).describe('The accounts, the oldest first.') }),
  errors: [],
  handler: async (ctx) => {
    const { organizationId: current } = ctx.scope;
    const { userId, kind } = ctx.caller;
    if (userId === null || kind !== 'user') {
      const own = await findOrganization(ctx.db, ctx.scope);
      return { accounts: own === undefined ? [] : [accountRecord(own, { current })] };
    }
    const places = await listWorkplaces(ctx.db, userId);
    return {
      accounts: places.map(({ organization_id: id, role, ...row }) =>
        accountRecord({ id, ...row }, { role, current }),
      ),
    };
  },
});
