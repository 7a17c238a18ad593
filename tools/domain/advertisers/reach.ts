import { type AdvertiserAccountRow, listAdvertiserAccounts } from '../../../store/advertiser-accounts.ts';
import { type AdvertiserRow, findAdvertiser } from '../../../store/advertisers.ts';
import type { Db } from '../../../store/engine/db.ts';
import type { Scope } from '../../../store/engine/scope.ts';
import type { Context } from '../../core/context.ts';
import { byRevision, type Kind } from '../../core/kinds.ts';
import { present, reached } from '../../core/reach.ts';
import { lookUps } from '../look-ups.ts';

export const advertiserKind: Kind = {
  type: 'ADVERTISER',
  word: 'advertiser',
  lookUp: lookUps.advertiser,
  find: (db, scope, id) => findOwned(db, scope, Number(id)),
  versioned: byRevision,
};

/** The advertiser a call is about. */
export async function reachAdvertiser(
  ctx: Pick<Context, 'db' | 'scope' | 'sandboxOnly' | 'concerns'>,
  id: number,
): Promise<AdvertiserRow> {
  return reached(ctx, await findOwned(ctx.db, ctx.scope, id), advertiserKind);
}

/** An advertiser is its own. */
async function findOwned(db: Db, scope: Scope, id: number) {
  const row = await findAdvertiser(db, scope, id);
  return row && { ...row, advertiser_id: row.id };
}

export const accountLinkKind: Kind = {
  type: 'ACCOUNT_LINK',
  word: 'account link',
  lookUp: lookUps.accountLink,
};

/** A link of an account that the advertiser has at a seller: by its id, or by what the seller calls the account. */
export async function reachAccountLink(
  ctx: Context,
  { advertiserId, link }: { advertiserId: number; link: string | number },
): Promise<AdvertiserAccountRow> {
  await reachAdvertiser(ctx, advertiserId);
  const rows = await listAdvertiserAccounts(ctx.db, ctx.scope, advertiserId);
  const found =
    rows.find(({ id }) => String(id) === String(link)) ??
    (typeof link === 'string' ? rows.findLast(({ account_id: called }) => called === link) : undefined);
  return present(found, accountLinkKind);
}
