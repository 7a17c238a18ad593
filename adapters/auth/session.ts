import { hash, randomBytes } from 'node:crypto';
import { findWebSession, touchWebSession } from '../../store/unscoped/people.ts';
import { findUser, type UserRow } from '../../store/unscoped/users.ts';
import type { WebSessionRow } from '../../store/unscoped/web-sessions.ts';
import type { Services } from '../../tools/core/context.ts';
import type { AppError } from '../../tools/core/errors/app-error.ts';
import { unauthorized } from '../../tools/core/errors/refusals.ts';
import { MINUTE_MS, momentOf } from '../../tools/core/moments.ts';
import type { SessionRecogniser, Shown } from './identify.ts';
import { callerForPerson } from './member.ts';

const TOUCH_EVERY_MS = MINUTE_MS;
const VALUE_BYTES = 32;

/** What a browser keeps of its session: 256 random bits. */
export function newSessionValue(): { readonly value: string; readonly hash: string } {
  const value = randomBytes(VALUE_BYTES).toString('base64url');
  return { value, hash: hashSessionValue(value) };
}

export function hashSessionValue(value: string): string {
  return hash('sha256', value, 'hex');
}

/** What decides whether a session goes on. */
export interface SessionLimits {
  /** A session that was not used for so long is over. */
  readonly idleMs: number;
}

/**
 * The name of the cookie. Over https the prefix has the browser refuse one that another host of the domain set
 * (RFC 6265bis, section 4.1.3.2).
 */
export function sessionCookie(publicUrl: string, brand: string): string {
  return publicUrl.startsWith('https:') ? `__Host-${brand}_session` : `${brand}_session`;
}

/** The live session that a request's cookie names; undefined where there is none. */
async function sessionOf(
  services: Services,
  shown: Shown,
  { cookieName, idleMs }: SessionLimits & { readonly cookieName: string },
): Promise<WebSessionRow | undefined> {
  const value = cookieOf(shown.headers.cookie, cookieName);
  if (value === undefined) return undefined;
  const { store, ports } = services;
  const session = await findWebSession(store.db, hashSessionValue(value));
  const now = ports.clock.now();
  if (session === undefined || endOf(session, idleMs) <= now) return undefined;
  if (shown.isAskedAgain !== true && now - Date.parse(session.seen_at) > TOUCH_EVERY_MS) {
    ports.background.run('note of a session', () => touchWebSession(store.db, session.id, momentOf(now)));
  }
  return session;
}

/** A person at a browser. */
export interface SignedIn {
  readonly session: WebSessionRow;
  readonly user: UserRow;
}

interface Signing {
  readonly services: Services;
  readonly config: { readonly brand: string; readonly sessionIdleMs: number };
}

/** Who is signed in at the browser that asks; undefined for nobody, and for who is suspended. */
export async function signedInAt({ services, config }: Signing, shown: Shown): Promise<SignedIn | undefined> {
  const cookieName = sessionCookie(services.publicUrl(), config.brand);
  const session = await sessionOf(services, shown, { cookieName, idleMs: config.sessionIdleMs });
  if (session === undefined) return undefined;
  const user = await findUser(services.store.db, session.user_id);
  return user === undefined || user.suspended_at !== null ? undefined : { session, user };
}

/** When a session ends if it is not used again, in milliseconds since 1970. */
function endOf({ seen_at, expires_at }: WebSessionRow, idleMs: number): number {
  return Math.min(Date.parse(seen_at) + idleMs, Date.parse(expires_at));
}

/**
 * Recognises people at their browsers. A cookie goes along with whatever page sends a request, so a change counts
 * only where the browser says that a page of ours sent it, or the request carries what the session's forms carry.
 */
export function sessionRecogniser(
  services: Services,
  settings: { readonly idleMs: number; readonly brand: string },
): SessionRecogniser {
  return async (shown) => {
    const cookieName = sessionCookie(services.publicUrl(), settings.brand);
    const session = await sessionOf(services, shown, { cookieName, idleMs: settings.idleMs });
    if (session === undefined) return null;
    if (!isOurPage(shown, session, services.publicUrl())) throw unproven();
    if (session.chosen_organization_id === null) throw nowhere();
    return callerForPerson(services, {
      kind: 'user',
      userId: session.user_id,
      organizationId: session.chosen_organization_id,
      principal: `user:${session.user_id}`,
      interactive: true,
      sessionId: session.id,
      endsAt: endOf(session, settings.idleMs),
    });
  };
}

function unproven(): AppError {
  return unauthorized(
    'This browser is signed in, and nothing shows that a page of this service sent the request.',
    {
      suggestion:
        'Send it from a page of this service, or with X-CSRF-Token: what its forms carry as csrf. ' +
        'Scripts send a credential of their own as Authorization: Bearer <key>.',
    },
  );
}

function nowhere(): AppError {
  return unauthorized('You are signed in, and work in no organization.', {
    suggestion: 'Choose one at /settings/organizations, accept an invitation, or begin at /start.',
  });
}

/** Whether a page of ours sent a request: a cookie goes along with whatever page does. */
export function isOurPage({ method, headers }: Shown, session: WebSessionRow, publicUrl: string): boolean {
  if (method === 'GET' || method === 'HEAD') return headers['sec-fetch-site'] !== 'cross-site';
  if (headers['x-csrf-token'] === session.csrf) return true;
  const ours = [new URL(publicUrl).origin, `http://${headers.host?.toLowerCase()}`];
  return headers['sec-fetch-site'] === 'same-origin' && ours.includes(headers.origin ?? '');
}

/** The value of a cookie; undefined where it is absent, or there twice: somebody else may have set one of them. */
export function cookieOf(header: string | undefined, name: string): string | undefined {
  const values = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return values.length === 1 ? values[0] : undefined;
}
