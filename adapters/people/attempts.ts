import { hash } from 'node:crypto';
import { asSealed, sealedText } from '../../store/engine/codec.ts';
import type { RefusedKind } from '../../store/unscoped/refused-sign-ins.ts';
import { rateLimited } from '../../tools/core/errors/refusals.ts';
import { cookieOf } from '../auth/session.ts';
import { clientIp } from '../http/client-ip.ts';
import type { FixedWindows } from '../http/fixed-windows.ts';
import { cookieName, type Exchange, setCookie } from './exchange.ts';

const KNOWN_COOKIE = 'known';
const KNOWN_SECONDS = 366 * 86_400;
const OWNER = 'known_browser';

/** A try to sign in: counted before its password is looked at, and taken back when it was right. */
export interface Attempt {
  /** It was right: none of its counts stays. */
  forgive(): void;
}

/**
 * Counts a try, and refuses it when too many failed. Somebody who tries many accounts is stopped by the network
 * they come from, somebody who tries one from many networks by its address. A browser in which the person signed
 * in before is counted apart, so that strangers who fail on purpose do not keep its owner out.
 */
export function countAttempt(exchange: Exchange, email: string): Attempt {
  const { people } = exchange.app.limits;
  const account = keyOf(email);
  const network = people.networkOf(ipOf(exchange));
  const counts: readonly (readonly [FixedWindows, string])[] = isKnownBrowser(exchange, email)
    ? [[people.failures.browser, account]]
    : [
        [people.failures.network, network],
        [people.failures.email, account],
      ];
  return counted(counts);
}

/** The same for a try to sign in elsewhere, before anybody knows whose: by the network that it comes from. */
export function countTry(exchange: Exchange): Attempt {
  const { people } = exchange.app.limits;
  return counted([[people.failures.network, people.networkOf(ipOf(exchange))]]);
}

function counted(counts: readonly (readonly [FixedWindows, string])[]): Attempt {
  const forgive = () => {
    for (const [windows, key] of counts) windows.take(key, -1);
  };
  const quotas = counts.map(([windows, key]) => windows.take(key));
  const waits = quotas.filter(({ isOver }) => isOver).map(({ resetSeconds }) => resetSeconds);
  if (waits.length === 0) return { forgive };
  // What is refused unseen is no failure more.
  forgive();
  throw rateLimited(Math.max(...waits));
}

/** Counts a credential that was refused, for whoever may look into it. */
export function noteRefused({ app, req }: Exchange, kind: RefusedKind, subject: string | undefined): void {
  const network = app.limits.people.networkOf(clientIp(req, app.trustedProxies));
  app.refused.note({ kind, subject, network });
}

/** Remembers that a person signed in at this browser. */
export function rememberBrowser(exchange: Exchange, email: string): void {
  const value = sealedText(exchange.app.services.ports.secrets.seal(email, OWNER));
  setCookie(exchange, { name: KNOWN_COOKIE, value, maxAgeSeconds: KNOWN_SECONDS });
}

function isKnownBrowser({ app, req }: Exchange, email: string): boolean {
  const value = cookieOf(req.headers.cookie, cookieName(app, KNOWN_COOKIE));
  if (value === undefined) return false;
  try {
    return app.services.ports.secrets.open(asSealed(value), OWNER) === email;
  } catch {
    // Made by somebody else, or under a key of before.
    return false;
  }
}

/** Refuses a network that has had too many mails sent. */
export function countMailRequest(exchange: Exchange): void {
  const { people } = exchange.app.limits;
  const { isOver, resetSeconds } = people.mailRequests.take(people.networkOf(ipOf(exchange)));
  if (isOver) throw rateLimited(resetSeconds);
}

/** Addresses stand in no memory and no message between processes as they are. */
function keyOf(email: string): string {
  return hash('sha256', email, 'base64url');
}

export function ipOf({ app, req }: Exchange): string {
  return clientIp(req, app.trustedProxies);
}
