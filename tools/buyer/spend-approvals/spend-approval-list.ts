import { z } from 'zod';
import { listSpendApprovals } from '../../../store/spend-approvals.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { prefixedId } from '../../domain/ids.ts';
import { listOf, nextPage, pagingFields, pagingSpellings } from '../../domain/paging.ts';
import { isOfEveryAccount } from './reach.ts';
import { spendApproval, statusField } from './record.ts';
import { spendApprovalsShown } from './shown-approvals.ts';

export const spendApprovalList = defineTool({
  name: 'spend_approval_list',
  title: 'List spend approvals',
  example: { status: 'pending' },
  description:
    'Lists spends above the limit of the organization, which wait for another person or were decided, newest ' +
    'first. Another person decides at /settings/approvals. Pages with take and skip.',
  effect: 'read',
  access: needs('buyer:read'),
  rest: { method: 'GET', path: '/spend-approvals', list: 'items' },
  input: z.strictObject({
    status: statusField.optional().describe('Only those that stand so.'),
    campaignId: prefixedId('the campaign', 'cmp_').optional(),
    ...pagingFields({ byDefault: 20, max: 100 }),
  }),
  spellings: pagingSpellings,
  output: listOf(spendApproval),
  errors: [],
  handler: async (ctx, { take, skip, ...asked }) => {
    const page = { take, skip };
    const customerId = isOfEveryAccount(ctx) ? undefined : ctx.scope.customerId;
    const filter = { ...asked, now: ctx.now, customerId };
    const { rows, total } = await listSpendApprovals(ctx.db, ctx.scope, { filter, page });
    return {
      items: await spendApprovalsShown(ctx, rows),
      ...nextPage(page, rows.length, total),
    };
  },
});
