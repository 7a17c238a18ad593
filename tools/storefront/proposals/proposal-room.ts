import type { Db } from '../../../store/engine/db.ts';
import { lockAccount } from '../../../store/organizations.ts';
import { countProposals } from '../../../store/storefront-proposals.ts';
import type { Context } from '../../core/context.ts';
import { conflict } from '../../core/errors/refusals.ts';

/** Makes sure, in the transaction that adds one, that the storefront may have one more. */
export async function requireRoom(tx: Db, ctx: Context, storefrontId: number): Promise<void> {
  const { proposalsPerStorefront: most } = ctx.services.limits.quotas;
  await lockAccount(tx, ctx.scope);
  if ((await countProposals(tx, ctx.scope, storefrontId)) < most) return;
  throw conflict(
    `The storefront has ${most} proposals, which is the most it may have, those that ended among them.`,
    'Hand out codes that are active still (proposal_list), wait until old ones are forgotten, or ask the operator of this service for more.',
  );
}

/** Refuses a plan that takes more, with its products, than a proposal keeps. */
export function requireSmall(ctx: Context, snapshot: string): void {
  const { bytesPerProposal: most } = ctx.services.limits.quotas;
  const bytes = Buffer.byteLength(snapshot);
  if (bytes <= most) return;
  throw conflict(
    `The plan with its products takes ${bytes} bytes, and a proposal keeps ${most} at the most.`,
    'Have your source propose a plan of fewer products, or with shorter ones, in another session, and make the code of that with proposal_create.',
  );
}
