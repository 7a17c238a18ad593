import { findAdvertiser } from '../../store/advertisers.ts';
import type { Scope } from '../../store/engine/scope.ts';
import type { Context } from './context.ts';
import { accessDenied, beyondSandbox, notFound } from './errors/refusals.ts';
import type { Kind, Owned } from './kinds.ts';

/**
 * Whether the caller's account and grants cover an object of its organization. Grants name advertisers: what
 * belongs to none is beyond them.
 */
export function reaches(scope: Scope, owned: Owned): boolean {
  if (owned.customer_id !== scope.customerId) return false;
  if (scope.advertiserIds === null) return true;
  return owned.advertiser_id !== undefined && scope.advertiserIds.includes(owned.advertiser_id);
}

/**
 * The object that was looked for, once it may be seen or changed: absent or of another organization is 404, of
 * this organization but beyond the grants is 403 (interface, Code meanings), and so is the change of a live
 * advertiser's by a test key.
 */
export function reached<T extends Owned>(ctx: Reaching, row: T | undefined, kind: Kind): T | Promise<T> {
  const found = present(row, kind);
  if (!reaches(ctx.scope, found)) throw accessDenied(kind.word);
  if (found.advertiser_id !== undefined) ctx.concerns?.(found.advertiser_id);
  // Most calls begin here, and only for a few is there anything to wait for.
  return ctx.sandboxOnly ? reachedInSandbox(ctx, found, kind) : found;
}

type Reaching = Pick<Context, 'db' | 'scope' | 'sandboxOnly' | 'concerns'>;

async function reachedInSandbox<T extends Owned>(ctx: Reaching, found: T, kind: Kind): Promise<T> {
  if (!(await isSandbox(ctx, found))) throw beyondSandbox(kind.word);
  return found;
}

/** Of a sandbox advertiser; what belongs to no advertiser is confined by the account alone. */
async function isSandbox({ db, scope }: Reaching, owned: Owned): Promise<boolean> {
  if (owned.advertiser_id === undefined) return true;
  return (await findAdvertiser(db, scope, owned.advertiser_id))?.sandbox === 1;
}

/** The object that was looked for within the account; 404 when it is not there. */
export function present<T>(row: T | undefined, kind: Kind): T {
  if (row === undefined) throw notFound(kind);
  return row;
}
