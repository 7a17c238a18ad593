import type { Db } from '../../../store/engine/db.ts';
import {
  changeProposal,
  findProposal,
  type StorefrontProposalRow,
} from '../../../store/storefront-proposals.ts';
import type { Context } from '../../core/context.ts';
import { staleWrite } from '../../core/errors/refusals.ts';
import { present } from '../../core/reach.ts';
import { storefrontProposalKind } from '../../domain/discovery/sessions/reach.ts';
import { requireChangeable } from './record.ts';

export async function reachProposal(ctx: Context, id: number): Promise<StorefrontProposalRow> {
  return present(await findProposal(ctx.db, ctx.scope, id), storefrontProposalKind);
}

/** Writes columns of a proposal as it was found; refused where it was taken up or revoked meanwhile, or changed. */
export async function changeAsRead(
  tx: Db,
  ctx: Context,
  {
    found,
    set,
  }: { readonly found: StorefrontProposalRow; readonly set: Parameters<typeof changeProposal>[2]['set'] },
): Promise<StorefrontProposalRow> {
  const { id, version } = found;
  const changed = await changeProposal(tx, ctx.scope, { id, version, set });
  if (changed !== undefined) return changed;
  requireChangeable(ctx, present(await findProposal(tx, ctx.scope, id), storefrontProposalKind), 'revoke');
  throw staleWrite(storefrontProposalKind);
}
