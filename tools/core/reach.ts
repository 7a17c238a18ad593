import { type AdvertiserRow, findAdvertiser } from '../../store/advertisers.ts';
import type { Scope } from '../../store/engine/scope.ts';
import type { Context } from './context.ts';
import { accessDenied, notFound } from './errors.ts';

interface Owned {
  readonly customer_id: number;
  readonly advertiser_id?: number;
}

const whereToLook = {
  advertiser: 'Find its id with advertiser_list.',
  campaign: 'Find its id with campaign_list.',
  'media buy': 'Find its id in campaign_get, which has the media buys of a campaign.',
  'discovery session': 'Its id is in the answer of discover_products; begin another session if it is lost.',
  product: 'Find its id with product_list.',
} as const;

type Kind = keyof typeof whereToLook;

/** Whether the caller's account and grants cover an object of its organization. */
export function reaches(scope: Scope, owned: Owned): boolean {
  if (owned.customer_id !== scope.customerId) return false;
  if (scope.advertiserIds === null || owned.advertiser_id === undefined) return true;
  return scope.advertiserIds.includes(owned.advertiser_id);
}

/**
 * The object that was looked for, once it may be seen: absent or of another organization is 404, of this
 * organization but beyond the grants is 403 (interface, Code meanings).
 */
export function reached<T extends Owned>(scope: Scope, row: T | undefined, kind: Kind): T {
  if (row === undefined) throw notFound(kind, whereToLook[kind]);
  if (!reaches(scope, row)) throw accessDenied(kind);
  return row;
}

/** The advertiser a call is about. */
export async function reachAdvertiser(ctx: Context, id: number): Promise<AdvertiserRow> {
  const row = await findAdvertiser(ctx.db, ctx.scope, id);
  const found = reached(ctx.scope, row && { ...row, advertiser_id: row.id }, 'advertiser');
  return found;
}
