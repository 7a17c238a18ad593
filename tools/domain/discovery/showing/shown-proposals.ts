import { listProposalsInTurn } from '../../../../store/unscoped/storefront-proposals.ts';
import type { Context } from '../../../core/context.ts';
import { boundedText } from '../../text.ts';
import { type Proposal, readProposal } from '../asking/proposals.ts';
import { PROPOSALS_COMPACT, PROPOSALS_SHOWN } from '../schema.ts';

/** What the sellers of a session propose, as it is shown beside its products. */

/** Characters of all that are shown whole. */
const SHOWN_MAX = 262_144;
const TEXT_MAX = 120;

/** What can be taken up now, whole; nothing where there is none. */
export async function shownProposals(ctx: Context, sessionId: string): Promise<{ proposals?: Proposal[] }> {
  const rows = await openProposals(ctx, sessionId, PROPOSALS_SHOWN);
  let left = SHOWN_MAX;
  const shown = rows.filter(({ proposal }) => {
    left -= proposal.length;
    return left >= 0;
  });
  return shown.length === 0 ? {} : { proposals: shown.map(readProposal) };
}

/** The same in the short form: what one chooses by. */
export async function compactProposals(ctx: Context, sessionId: string) {
  const rows = await openProposals(ctx, sessionId, PROPOSALS_COMPACT);
  return rows.length === 0 ? {} : { proposals: rows.map(readProposal).map(compactProposal) };
}

function openProposals(ctx: Context, id: string, limit: number) {
  return listProposalsInTurn(ctx.db, ctx.scope, { id, now: ctx.now, limit });
}

function compactProposal(proposal: Proposal) {
  const { proposalId, name, description, proposalStatus, salesAgentId, storefrontId, allocations } = proposal;
  const { expiresAt, totalBudgetGuidance } = proposal;
  return {
    proposalId,
    name: boundedText(name, TEXT_MAX),
    ...(description === undefined ? {} : { description: boundedText(description, TEXT_MAX) }),
    proposalStatus,
    salesAgentId,
    storefrontId,
    productCount: allocations.length,
    expiresAt,
    totalBudgetGuidance,
  };
}
