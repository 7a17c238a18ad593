import { z } from 'zod';
import { updateSpendApproval } from '../../../store/spend-approvals.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { staleWrite } from '../../core/errors/refusals.ts';
import { reasonText } from '../../core/reasons.ts';
import { tellDecision } from '../../domain/approvals/deciding.ts';
import { spendApprovalKind } from '../../domain/approvals/kinds.ts';
import { reachApproval } from './reach.ts';
import { approvalId, decided, decision, requireDecidable, spendApproval } from './record.ts';
import { spendApprovalShown } from './shown-approvals.ts';

export const spendApprovalReject = defineTool({
  name: 'spend_approval_reject',
  title: 'Reject spend',
  example: { approvalId: 'apr_example', reason: 'Too much for this quarter.' },
  description:
    'Says no to a spend above the limit of the organization: nothing is done, and nothing was. For another person ' +
    'than who asked, who reads the reason with spend_approval_get.',
  effect: 'act',
  restOnly: true,
  audit: { kind: spendApprovalKind, ofInput: (input) => input.approvalId },
  access: needs('buyer:admin', { human: true }),
  rest: { method: 'POST', path: '/spend-approvals/{approvalId}/reject' },
  input: z.strictObject({
    approvalId,
    reason: reasonText.optional().describe('Why: whoever asked can read it.'),
  }),
  output: spendApproval,
  errors: ['NOT_FOUND', 'CONFLICT'],
  find: (ctx, input) => reachApproval(ctx, input.approvalId),
  handler: async (ctx, _, found) => {
    if (found.state === 'rejected') return spendApprovalShown(ctx, found);
    const state = requireDecidable(ctx, found, 'reject');
    const { id, version } = found;
    const row = await ctx.write(
      async (tx) => {
        const set = decision(ctx, state);
        const written = await updateSpendApproval(tx, ctx.scope, { id, version, set });
        if (written === undefined) throw staleWrite(spendApprovalKind);
        await tellDecision(tx, written, { from: 'pending', now: ctx.now });
        return written;
      },
      (written) => decided(written),
    );
    return spendApprovalShown(ctx, row);
  },
});
