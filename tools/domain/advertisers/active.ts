import { type AdvertiserRow, lockAdvertiser } from '../../../store/advertisers.ts';
import type { Db } from '../../../store/engine/db.ts';
import type { Context } from '../../core/context.ts';
import type { AppError } from '../../core/errors/app-error.ts';
import { conflict } from '../../core/errors/refusals.ts';
import { reachAdvertiser } from './reach.ts';

/**
 * The same of the advertiser as it stands in a transaction, held until its end: whoever was put away meanwhile gets
 * nothing new. `isToChange`: whether the transaction may write it. To be asked first: who holds a campaign, a session
 * or an account waits for no advertiser.
 */
export async function requireStillActive(
  tx: Db,
  { scope, sandboxOnly }: Pick<Context, 'scope' | 'sandboxOnly'>,
  { id, isToChange = false }: { readonly id: number; readonly isToChange?: boolean },
): Promise<AdvertiserRow> {
  await lockAdvertiser(tx, scope, { id, isToChange });
  const advertiser = await reachAdvertiser({ db: tx, scope, sandboxOnly }, id);
  requireActive(advertiser);
  return advertiser;
}

/** Nothing is looked for or bought on behalf of an advertiser that was put away. */
export function requireActive(advertiser: Pick<AdvertiserRow, 'status'>): void {
  const refusal = archived(advertiser);
  if (refusal !== undefined) throw refusal;
}

/** The same as a refusal that may only be told. */
export function archived({ status }: Pick<AdvertiserRow, 'status'>): AppError | undefined {
  if (status === 'ACTIVE') return undefined;
  return conflict(
    'The advertiser is archived.',
    'Bring it back with advertiser_restore, or with advertiser_update and status ACTIVE.',
  );
}
