import type { Scope } from '../../store/engine/scope.ts';
import { accessDenied, notFound } from './errors/refusals.ts';
import type { Kind } from './kinds.ts';

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
export function reached<T extends Owned>(scope: Scope, row: T | undefined, kind: Kind): T {
  const found = present(row, kind);
  if (!reaches(scope, found)) throw accessDenied(kind.word);
  return found;
}

/** The object that was looked for within the account; 404 when it is not there. */
export function present<T>(row: T | undefined, kind: Kind): T {
  if (row === undefined) throw notFound(kind);
  return row;
}
