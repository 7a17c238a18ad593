import { z } from 'zod';
import { listStorefrontProposals, proposalStatuses } from '../../../store/storefront-proposals.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { listOf, nextPage, pagingFields, pagingSpellings } from '../../domain/paging.ts';
import { shortText } from '../../domain/text.ts';
import { proposalSummary, proposalSummaryRecord } from './record.ts';

export const proposalList = defineTool({
  name: 'proposal_list',
  title: 'List proposals',
  example: { status: 'active' },
  description:
    'Lists the proposals that you made for buyers, the newest first, each with its code and whether it was ' +
    'looked at or taken up. What a buyer is shown is in proposal_get. Pages with take and skip.',
  effect: 'read',
  access: needs('buyer:read'),
  rest: {
    method: 'GET',
    path: '/proposals',
    list: 'items',
    shows: { schema: z.array(proposalSummary), from: ({ items }) => items },
  },
  input: z.strictObject({
    status: z.enum(proposalStatuses).optional().describe('Only these.'),
    operatorId: shortText(255).optional().describe('Only for this domain, or the account with this id.'),
    ...pagingFields({ byDefault: 20, max: 100 }),
  }),
  spellings: pagingSpellings,
  output: listOf(proposalSummary),
  errors: [],
  handler: async (ctx, { status, operatorId, ...page }) => {
    const filter = { status, ...operatorAsked(operatorId), now: ctx.now };
    const { rows, total } = await listStorefrontProposals(ctx.db, ctx.scope, { filter, page });
    return {
      items: rows.map((row) => proposalSummaryRecord(ctx, row)),
      ...nextPage(page, rows.length, total),
    };
  },
});

function operatorAsked(operatorId: string | undefined) {
  if (operatorId === undefined) return {};
  return /^\d{1,15}$/.test(operatorId)
    ? { operatorCustomerId: Number(operatorId) }
    : { operatorDomain: operatorId.toLowerCase() };
}
