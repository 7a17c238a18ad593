import { findSpendApproval, type SpendApprovalRow } from '../../../store/spend-approvals.ts';
import type { Context } from '../../core/context.ts';
import { present, reached } from '../../core/reach.ts';
import { spendApprovalKind } from '../../domain/approvals/kinds.ts';

/** A person at a browser decides for every account of the organization; others see those of their own. */
export async function reachApproval(ctx: Context, id: string): Promise<SpendApprovalRow> {
  const found = present(await findSpendApproval(ctx.db, ctx.scope, id), spendApprovalKind);
  return isOfEveryAccount(ctx) ? found : reached(ctx, found, spendApprovalKind);
}

export function isOfEveryAccount({ caller, scope }: Context): boolean {
  return caller.interactive === true && scope.advertiserIds === null;
}
