import { findProposal, type StorefrontProposalRow } from '../../../store/storefront-proposals.ts';
import type { Context } from '../../core/context.ts';
import { present } from '../../core/reach.ts';
import { storefrontProposalKind } from '../../domain/discovery/sessions/reach.ts';

export async function reachProposal(ctx: Context, id: number): Promise<StorefrontProposalRow> {
  return present(await findProposal(ctx.db, ctx.scope, id), storefrontProposalKind);
}
