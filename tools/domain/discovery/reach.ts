import { type AdvertiserRow, findAdvertiser } from '../../../store/advertisers.ts';
import type { DiscoverySessionRow } from '../../../store/discovery-sessions.ts';
import { findSession } from '../../../store/discovery-sessions.ts';
import type { Context } from '../../core/context.ts';
import { currencyMismatch } from '../../core/errors/money-refusals.ts';
import type { Kind } from '../../core/kinds.ts';
import { reached } from '../../core/reach.ts';
import { openedWith } from '../discovery-opening.ts';
import { lookUps } from '../look-ups.ts';

export const sessionKind: Kind = {
  type: 'DISCOVERY_SESSION',
  word: 'discovery session',
  lookUp: lookUps.session,
  find: findSession,
};

export async function reachSession(ctx: Context, id: string): Promise<DiscoverySessionRow> {
  return reached(ctx, await findSession(ctx.db, ctx.scope, id), sessionKind);
}

/** What a session found, and what is chosen of it, is in the currency it was opened with and paid in no other. */
export function requireCurrencyKept(
  session: DiscoverySessionRow,
  { primary_currency: own }: Pick<AdvertiserRow, 'primary_currency'>,
  field = 'discoveryId',
): void {
  const { currency } = openedWith(session);
  if (currency === own) return;
  throw currencyMismatch(
    field,
    `The session was opened in ${currency}; the advertiser pays in ${own} by now.`,
    {
      suggestion: `Begin another with discover_products or product_query: it is in ${own} then.`,
    },
  );
}

/** The same, of the advertiser that it was opened for. */
export async function requireInCurrency(ctx: Context, session: DiscoverySessionRow): Promise<void> {
  const advertiser = await findAdvertiser(ctx.db, ctx.scope, session.advertiser_id);
  if (advertiser !== undefined) requireCurrencyKept(session, advertiser);
}
