import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '../../tools/core/errors/app-error.ts';
import type { RefusalStatus } from '../../tools/core/errors/catalogue.ts';
import { forbidden } from '../../tools/core/errors/refusals.ts';
import type { App } from '../http/app.ts';
import { isLoopback } from '../net/addresses.ts';
import { titleOf } from '../settings/config.ts';
import { type Html, html, layout } from './html.ts';

/** A request of a browser and its answer. */
export interface Exchange {
  readonly app: App;
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

const COOKIE = 'Set-Cookie';
const LOOPBACK_NAME = /^(?:localhost|\[::1\]|127(?:\.\d{1,3}){3})(?::\d+)?$/i;

/** Whether the browser is spoken to over https: as the operator says where the service is reached. */
export function isSecure({ services }: Pick<App, 'services'>): boolean {
  return services.publicUrl().startsWith('https:');
}

/**
 * Refuses to have people sign in where others could listen: anywhere but over https and on this machine itself.
 * A cookie of a plain http host could be read, and set, by whoever is on the way.
 */
export function requireSafePlace({ app, req }: Exchange): void {
  if (isSecure(app)) return;
  const host = req.headers.host ?? '';
  if (LOOPBACK_NAME.test(host) && isLoopback(plainName(host))) return;
  throw forbidden(
    'People sign in over https, or on the machine itself.',
    `Set PUBLIC_URL to the https address of this service, or open it on its own machine.`,
  );
}

function plainName(host: string): string {
  const name = host.replace(/:\d+$/, '').replace(/[[\]]/g, '').toLowerCase();
  return name === 'localhost' ? '127.0.0.1' : name;
}

export interface Cookie {
  /** Without the prefix: `session`. */
  readonly name: string;
  readonly value: string;
  /** Without it the browser forgets the cookie when it is closed. */
  readonly maxAgeSeconds?: number;
  /** Strict where a page of ours leads to what reads it; lax where people come from other pages. */
  readonly sameSite?: 'Lax' | 'Strict';
}

/** The name of a cookie of ours: over https one that no other host of the domain can set. */
export function cookieName(app: Pick<App, 'services' | 'config'>, name: string): string {
  return `${isSecure(app) ? '__Host-' : ''}${app.config.brand}_${name}`;
}

/** Has the browser keep a cookie; with 0 seconds it forgets it. */
export function setCookie({ app, res }: Exchange, cookie: Cookie): void {
  const { value, maxAgeSeconds, sameSite = 'Lax' } = cookie;
  const secure = isSecure(app) ? '; Secure' : '';
  const age = maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`;
  const line = `${cookieName(app, cookie.name)}=${value}; Path=/; HttpOnly; SameSite=${sameSite}${age}${secure}`;
  const others = [res.getHeader(COOKIE) ?? []].flat().map(String);
  const same = `${cookieName(app, cookie.name)}=`;
  res.setHeader(COOKIE, [...others.filter((other) => !other.startsWith(same)), line]);
}

/** Where the service stands below its host: nothing, or `/market`. */
export function baseOf({ services }: App): string {
  return new URL(services.publicUrl()).pathname.replace(/\/+$/, '');
}

/** A page is there, or says why not. */
export type PageStatus = 200 | RefusalStatus;

export interface Shown {
  readonly title: string;
  readonly body: Html;
  readonly nav?: Html | undefined;
  readonly wide?: boolean;
  readonly status?: PageStatus;
  /** A form of the page may end on another host, by a redirect: an identity provider, a client of OAuth. */
  readonly leadsOut?: boolean;
}

/** Sends a page that nothing may frame, keep or put a script into. */
export function sendPage({ app, res }: Exchange, shown: Shown): void {
  const { title, body, nav, wide = false, status = 200, leadsOut = false } = shown;
  const text = layout({
    title,
    brand: titleOf(app.config),
    base: baseOf(app),
    body,
    wide,
    ...(nav === undefined ? {} : { nav }),
  }).text;
  setSafeHeaders(res, leadsOut);
  res.statusCode = status;
  res.setHeader('Content-Type', 'text/html; charset=utf-8');
  res.setHeader('Content-Length', Buffer.byteLength(text));
  res.end(text);
}

/** With `same-origin` forms still say where they come from: `no-referrer` would take that from them as well. */
function setSafeHeaders(res: ServerResponse, leadsOut: boolean): void {
  const rules = [
    "default-src 'none'",
    "style-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "frame-ancestors 'none'",
    // Browsers hold redirects after a form to this rule as well.
    ...(leadsOut ? [] : ["form-action 'self'"]),
  ];
  res.setHeader('Content-Security-Policy', rules.join('; '));
  res.setHeader('X-Frame-Options', 'DENY');
  res.setHeader('Referrer-Policy', 'same-origin');
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader('X-Content-Type-Options', 'nosniff');
  res.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
  res.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
}

/** Leads the browser on to an address of ours, by GET. */
export function leadOn({ app, res }: Exchange, path: string): void {
  setSafeHeaders(res, false);
  res.writeHead(303, { Location: `${baseOf(app)}${path}`, 'Content-Length': '0' }).end();
}

/** Leads the browser to an address that is not ours. */
export function leadOut({ res }: Exchange, url: URL): void {
  setSafeHeaders(res, true);
  res.setHeader('Referrer-Policy', 'no-referrer');
  res.writeHead(303, { Location: url.href, 'Content-Length': '0' }).end();
}

/** Sends a refusal as a page: what is wrong, and what to do. */
export function sendRefusal(exchange: Exchange, error: AppError): void {
  const { res } = exchange;
  if (error.retryAfter !== undefined) res.setHeader('Retry-After', String(error.retryAfter));
  sendPage(exchange, {
    title: 'Not done',
    status: error.status,
    body: html`<h1>That did not work</h1>
<div class="note bad"><p>${error.message}</p></div>
${error.suggestion === undefined ? '' : html`<p>${error.suggestion}</p>`}`,
  });
}

const RETURN_MAX = 2_048;
const OURS = 'http://ours.invalid';

/**
 * A path of ours to go to afterwards. Anything that a browser might take for another host is none: it is read as
 * a browser reads it, by which `/\evil.example` and `/%09/evil.example` are judged as what they become.
 */
export function returnPath(given: string | null | undefined): string | undefined {
  if (given === null || given === undefined || given.length > RETURN_MAX) return undefined;
  if (!/^\/(?![/\\])[\x21-\x7e]*$/.test(given) || given.includes('\\')) return undefined;
  if (!URL.canParse(given, OURS)) return undefined;
  const url = new URL(given, OURS);
  if (url.origin !== OURS || url.pathname.startsWith('//')) return undefined;
  return `${url.pathname}${url.search}`;
}

/** Answers by this function; what it throws is shown as a page. */
export async function answering(
  exchange: Exchange,
  answer: () => Promise<void> | void,
  refusalFor: (thrown: unknown) => AppError,
): Promise<void> {
  try {
    await answer();
  } catch (thrown) {
    sendRefusal(exchange, thrown instanceof AppError ? thrown : refusalFor(thrown));
  }
}
