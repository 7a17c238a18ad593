import { z } from 'zod';
import { findOrganization } from '../../../store/organizations.ts';
import { pageOfWorkplaces } from '../../../store/unscoped/organization-tree.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { nextPage, pageCounters, pagingFields, pagingSpellings } from '../../domain/paging.ts';
import { account, accountRecord } from './record.ts';

export const accountList = defineTool({
  name: 'account_list',
  title: 'List accounts',
  example: { take: 20 },
  description:
    'Lists the organizations you can work in: those you have a role in, and the accounts below them. A key has ' +
    'one, its own. A person at a browser goes to another one with account_switch. Pages with take and skip.',
  effect: 'read',
  access: needs('buyer:read'),
  rest: { method: 'GET', path: '/buyer/accounts', also: ['/storefront/accounts'], list: 'accounts' },
  input: z.strictObject(pagingFields({ byDefault: 50, max: 100 })),
  spellings: pagingSpellings,
  output: z.object({
    accounts: z.array(account).describe('This page of the accounts, the oldest first.'),
    ...pageCounters,
  }),
  errors: [],
  handler: async (ctx, page) => {
    const { organizationId: current } = ctx.scope;
    const { userId, kind } = ctx.caller;
    if (userId === null || kind !== 'user') {
      const own = await findOrganization(ctx.db, ctx.scope);
      const all = own === undefined ? [] : [accountRecord(own, { current })];
      const accounts = all.slice(page.skip);
      return { accounts, ...nextPage(page, accounts.length, all.length) };
    }
    const { rows, total } = await pageOfWorkplaces(ctx.db, ctx.scope, { userId, page });
    const accounts = rows.map(({ organization_id: id, role, ...row }) =>
      accountRecord({ id, ...row }, { role, current }),
    );
    return { accounts, ...nextPage(page, rows.length, total) };
  },
});
