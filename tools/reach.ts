import { type AdvertiserRow, findAdvertiser } from '../store/advertisers.ts';
import type { Scope } from '../store/scope.ts';
import type { Context } from './context.ts';
import { accessDenied, notFound } from './errors.ts';

interface Owned {
  readonly customer_id: number;
  readonly advertiser_id?: number;
}

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
export function reached<T extends Owned>(scope: Scope, row: T | undefined, kind: string): T {
  if (row === undefined) throw notFound(kind, `List what there is to find the id of the ${kind}.`);
  if (!reaches(scope, row)) throw accessDenied(kind);
  return row;
}

/** The advertiser a call is about. */
export async function reachAdvertiser(ctx: Context, id: number): Promise<AdvertiserRow> {
  const row = await findAdvertiser(ctx.db, ctx.scope, id);
  const found = reached(ctx.scope, row && { ...row, advertiser_id: row.id }, 'advertiser');
  return found;
}
