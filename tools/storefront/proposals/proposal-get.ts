import { z } from 'zod';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { codeOf } from '../../domain/discovery/sessions/proposal-codes.ts';
import { numericId } from '../../domain/ids.ts';
import { reachProposal } from './reach.ts';
import { storefrontProposal, storefrontProposalRecord } from './record.ts';

export const proposalGet = defineTool({
  name: 'proposal_get',
  title: 'Get proposal',
  example: { id: 1 },
  description:
    'Gives one proposal that you made for a buyer, with its code, what its buyer is shown, and what became of ' +
    'it. Find ids with proposal_list.',
  effect: 'read',
  access: needs('buyer:read'),
  rest: { method: 'GET', path: '/proposals/{id}' },
  input: z.strictObject({ id: numericId('the proposal') }),
  output: storefrontProposal,
  errors: ['NOT_FOUND'],
  find: (ctx, { id }) => reachProposal(ctx, id),
  handler: async (ctx, _, found) => ({
    ...storefrontProposalRecord(ctx, found),
    // Whoever asks for it by itself is told why it cannot be opened.
    proposalCode: codeOf(found, ctx.services.ports.secrets),
  }),
});
