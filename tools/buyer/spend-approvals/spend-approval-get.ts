import { z } from 'zod';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { reachApproval } from './reach.ts';
import { approvalId, spendApproval } from './record.ts';
import { spendApprovalShown } from './shown-approvals.ts';

export const spendApprovalGet = defineTool({
  name: 'spend_approval_get',
  title: 'Get spend approval',
  example: { approvalId: 'apr_example' },
  description:
    'Says what became of a spend above the limit of the organization: whether it waits for another person, and who ' +
    'decided what. Once approved it went to the sellers: campaign_get_media_buy_status shows what they made of it. ' +
    'Ask about once a minute, or follow the events approval.needed and campaign.updated.',
  effect: 'read',
  access: needs('buyer:read'),
  rest: { method: 'GET', path: '/spend-approvals/{approvalId}' },
  input: z.strictObject({ approvalId }),
  output: spendApproval,
  errors: ['NOT_FOUND'],
  find: (ctx, input) => reachApproval(ctx, input.approvalId),
  handler: async (ctx, _, found) => spendApprovalShown(ctx, found),
});
