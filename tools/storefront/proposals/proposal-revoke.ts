import { z } from 'zod';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { storefrontProposalKind } from '../../domain/discovery/sessions/reach.ts';
import { numericId } from '../../domain/ids.ts';
import { changeAsRead, reachProposal } from './reach.ts';
import { requireChangeable, storefrontProposal, storefrontProposalRecord } from './record.ts';

export const proposalRevoke = defineTool({
  name: 'proposal_revoke',
  title: 'Revoke proposal',
  example: { id: 1 },
  description:
    'Takes a proposal back for good: its code opens nothing any more, and campaigns that were made of it cannot ' +
    'be executed. One that was taken up stays taken up. Find ids with proposal_list.',
  effect: 'update',
  audit: { kind: storefrontProposalKind, ofInput: ({ id }) => id },
  access: needs('buyer:write'),
  rest: { method: 'POST', path: '/proposals/{id}/revoke' },
  input: z.strictObject({ id: numericId('the proposal') }),
  output: storefrontProposal,
  errors: ['NOT_FOUND', 'CONFLICT'],
  find: (ctx, { id }) => reachProposal(ctx, id),
  handler: async (ctx, { id }, found) => {
    const status = requireChangeable(ctx, found, 'revoke');
    const row = await ctx.write(
      async (tx) => ctx.leaves(await changeAsRead(tx, ctx, { found, set: { revoked_at: ctx.now } })),
      {
        resourceId: String(id),
        resourceName: found.label,
        changes: { status },
      },
    );
    return storefrontProposalRecord(ctx, row);
  },
});
