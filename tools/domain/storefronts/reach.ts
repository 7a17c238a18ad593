import { findOwnStorefront, type StorefrontRow } from '../../../store/storefronts.ts';
import { findMarketStorefront, type MarketStorefront } from '../../../store/unscoped/market.ts';
import type { Context } from '../../core/context.ts';
import { byRevision, type Kind } from '../../core/kinds.ts';
import { present } from '../../core/reach.ts';
import { lookUps } from '../look-ups.ts';

/** The storefront of an account, as its seller knows it. */
export const ownStorefrontKind: Kind = {
  type: 'STOREFRONT',
  word: 'storefront',
  lookUp: 'Make it with storefront_record_create.',
  versioned: byRevision,
};

/** A storefront of the market, as every buyer may know it. */
const storefrontKind: Kind = { ...ownStorefrontKind, lookUp: lookUps.storefront };

/** The storefront of the selling account that calls. */
export async function reachOwnStorefront(ctx: Context): Promise<StorefrontRow> {
  return present(await findOwnStorefront(ctx.db, ctx.scope), ownStorefrontKind);
}

export async function reachStorefront(ctx: Context, id: number): Promise<MarketStorefront> {
  return present(await findMarketStorefront(ctx.db, ctx.scope, id), storefrontKind);
}
