import type { IncomingMessage } from 'node:http';
import { findOrganizationsOfOrigin } from '../../store/unscoped/browser-origins.ts';
import type { Caller, Services } from '../../tools/core/context.ts';
import { forbidden } from '../../tools/core/errors/refusals.ts';
import type { Shown } from '../auth/identify.ts';

/** Whose pages sent a request: organizations that have named the origin as their own. */
const pages = new WeakMap<Shown, ReadonlySet<number>>();

/** Only what comes with a credential of its own: a cookie of ours counts on no page but ours. */
const FOR_PAGES_OF_CALLERS = /^\/api\/v2\/(?!signup(?:[/?]|$))/;

/** Whether a page of another origin might be one of an organization's own. */
export function mayBeOfCaller({ url = '' }: IncomingMessage): boolean {
  return FOR_PAGES_OF_CALLERS.test(url);
}

/** Notes whose page sent the request. False: nobody has named its origin. */
export async function notePage(
  { store }: Pick<Services, 'store'>,
  req: IncomingMessage,
  origin: string,
): Promise<boolean> {
  const organizations = await findOrganizationsOfOrigin(store.db, origin);
  if (organizations.length === 0) return false;
  pages.set(req, new Set(organizations));
  return true;
}

/**
 * Refuses a caller that a page of somebody else shows: an origin is let in for the credentials of the organization
 * that named it, and for no others.
 */
export function requireOwnPage(req: Shown, caller: Caller | null): void {
  const organizations = pages.get(req);
  if (organizations === undefined || caller === null || organizations.has(caller.organizationId)) return;
  throw forbidden(
    'The page that calls is of an origin that your organization has not named.',
    'Have an administrator of your organization add the origin with browser_origin_create.',
  );
}

/** Asks again for a page that has an answer open: its origin may have been taken away meanwhile. */
export async function askPageAgain(
  { store }: Pick<Services, 'store'>,
  shown: Shown,
  caller: Caller,
): Promise<void> {
  const { origin } = shown.headers;
  if (origin === undefined || !pages.has(shown)) return;
  pages.set(shown, new Set(await findOrganizationsOfOrigin(store.db, origin)));
  requireOwnPage(shown, caller);
}
