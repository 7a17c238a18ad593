import { randomBytes } from 'node:crypto';
import type { Db } from '../../store/engine/db.ts';
import { findLastChoice } from '../../store/unscoped/people.ts';
import { findUser, lockUser, type UserRow } from '../../store/unscoped/users.ts';
import { endWebSessions, insertWebSession, type WebSessionRow } from '../../store/unscoped/web-sessions.ts';
import { forbidden } from '../../tools/core/errors/refusals.ts';
import { fromNow, nowOf } from '../../tools/core/moments.ts';
import { cookieOf, newSessionValue, type SignedIn, signedInAt } from '../auth/session.ts';
import { readForm } from '../http/body.ts';
import { clientIp } from '../http/client-ip.ts';
import { isSameSecret } from '../http/same-secret.ts';
import { actingPerson, subjectAt } from './acting.ts';
import { cookieName, type Exchange, requireSafePlace, setCookie } from './exchange.ts';
import { type Html, html } from './html.ts';
import { workplacesOf } from './workplaces.ts';

const FORM_MAX_BYTES = 65_536;
const TOKEN_BYTES = 32;
const TOKEN = /^[\w-]{43}$/;
const FIELD = 'csrf';
/** Holds what forms carry before anybody is signed in. */
const FORM_COOKIE = 'form';
const SESSION_COOKIE = 'session';
const AGENT_MAX = 300;

/** Who is signed in at the browser that asks; undefined for nobody, and for who is suspended. */
export function signedIn({ app, req }: Exchange): Promise<SignedIn | undefined> {
  return signedInAt(app, req);
}

/** What every form of a session carries; before there is one, what a cookie holds that this browser alone has. */
export function formField(exchange: Exchange, session: WebSessionRow | undefined): Html {
  return html`<input type="hidden" name="${FIELD}" value="${session?.csrf ?? tokenOf(exchange)}">`;
}

/** The same for a form that is there for whoever comes, signed in or not. */
export async function openField(exchange: Exchange): Promise<Html> {
  return formField(exchange, (await signedIn(exchange))?.session);
}

function tokenOf(exchange: Exchange): string {
  requireSafePlace(exchange);
  const known = cookieOf(exchange.req.headers.cookie, cookieName(exchange.app, FORM_COOKIE));
  if (known !== undefined && TOKEN.test(known)) return known;
  const value = randomBytes(TOKEN_BYTES).toString('base64url');
  // As long as the browser is open: a page may stand there for days before its form is sent.
  setCookie(exchange, { name: FORM_COOKIE, value });
  return value;
}

/** The fields of a form that a page of ours sent, from this browser, in its session; refused otherwise. */
export async function formOf(exchange: Exchange): Promise<URLSearchParams> {
  const { req } = exchange;
  requireSafePlace(exchange);
  refuseOtherPages(exchange);
  const fields = await readForm(req, FORM_MAX_BYTES);
  const signed = await signedIn(exchange);
  const expected =
    signed?.session.csrf ?? cookieOf(req.headers.cookie, cookieName(exchange.app, FORM_COOKIE));
  if (!isSame(fields.get(FIELD), expected)) throw outdated();
  return fields;
}

/** What a browser says of where a request comes from. One that says nothing has the token to show. */
function refuseOtherPages({ app, req }: Exchange): void {
  const { origin, host = '', 'sec-fetch-site': site } = req.headers;
  const ours = [new URL(app.services.publicUrl()).origin, `http://${host.toLowerCase()}`];
  if (origin !== undefined && !ours.includes(origin)) throw outdated();
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw outdated();
}

function outdated() {
  return forbidden(
    'This form was not sent from a page of this service that is still open in this browser.',
    'Go back, load the page again, and send the form once more. Cookies have to be allowed for this site.',
  );
}

function isSame(given: string | null, expected: string | undefined): boolean {
  if (given === null || expected === undefined || !TOKEN.test(expected)) return false;
  return isSameSecret(given, expected);
}

/**
 * Signs a person in at this browser, with a session that nobody could know before: whatever session and form
 * token the browser brought along is over.
 */
export async function startSession(exchange: Exchange, user: UserRow): Promise<WebSessionRow> {
  requireSafePlace(exchange);
  const { app, req } = exchange;
  const { ports } = app.services;
  const { id: userId } = user;
  const before = await signedIn(exchange);
  const now = nowOf(ports.clock);
  const { value, hash } = newSessionValue();
  const session: WebSessionRow = {
    id: ports.ids.make('ses'),
    hash,
    user_id: userId,
    chosen_organization_id: (await placeOf(exchange, userId)) ?? null,
    csrf: randomBytes(TOKEN_BYTES).toString('base64url'),
    user_agent: (req.headers['user-agent'] ?? '').slice(0, AGENT_MAX),
    ip: clientIp(req, app.trustedProxies),
    signed_in_at: now,
    seen_at: now,
    expires_at: fromNow(ports.clock, app.config.sessionMs),
    ended_at: null,
  };
  const actor = actingPerson(exchange, { user, tool: 'sign_in', title: 'Sign in' });
  const subject = await subjectAt(exchange, user, session.chosen_organization_id);
  await actor.write(
    async (tx) => {
      await requireSame(tx, user);
      if (before !== undefined) {
        const { id, user_id } = before.session;
        await endWebSessions(tx, { userId: user_id, id, now });
      }
      await insertWebSession(tx, session);
    },
    () => subject && { ...subject, changes: { sessions: { from: [], to: [session.id] } } },
  );
  setCookie(exchange, {
    name: SESSION_COOKIE,
    value,
    maxAgeSeconds: Math.floor(app.config.sessionMs / 1_000),
  });
  setCookie(exchange, { name: FORM_COOKIE, value: '', maxAgeSeconds: 0 });
  return session;
}

/**
 * The password that was shown is still the person's, and stays so until what it was shown for is written: whoever
 * changes it ends every session that is there.
 */
export async function requireSame(tx: Db, { id, password_hash }: UserRow): Promise<void> {
  await lockUser(tx, id);
  const user = await findUser(tx, id);
  if (user?.suspended_at === null && user.password_hash === password_hash) return;
  throw forbidden('The password of this account was changed just now.', 'Sign in again.');
}

/** Where a person works after signing in: as last time, or in the only organization there is for them. */
async function placeOf({ app }: Exchange, userId: number): Promise<number | undefined> {
  const places = await workplacesOf(app, userId);
  const last = await findLastChoice(app.services.store.db, userId);
  if (places.some(({ id }) => id === last)) return last;
  return places.length === 1 ? places[0]?.id : undefined;
}

/** Signs out at this browser. */
export async function endSession(exchange: Exchange, { session, user }: SignedIn): Promise<void> {
  const actor = actingPerson(exchange, { user, tool: 'sign_out', title: 'Sign out' });
  const subject = await subjectAt(exchange, user, session.chosen_organization_id);
  await actor.write(
    (tx) => endWebSessions(tx, { userId: user.id, id: session.id, now: actor.now }),
    (ended) =>
      ended.length === 0
        ? undefined
        : subject && { ...subject, changes: { sessions: { from: ended, to: [] } } },
  );
  setCookie(exchange, { name: SESSION_COOKIE, value: '', maxAgeSeconds: 0 });
}
