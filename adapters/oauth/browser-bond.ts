import { hash, randomBytes } from 'node:crypto';
import type { Db } from '../../store/engine/db.ts';
import { findArtifact, removeArtifact, saveArtifact } from '../../store/unscoped/oauth-artifacts.ts';
import { fromNow } from '../../tools/core/moments.ts';
import { cookieOf } from '../auth/session.ts';
import { isSameSecret } from '../http/same-secret.ts';
import { cookieName, type Exchange, setCookie } from '../people/exchange.ts';

/** Which browser a request for authorization began in, beside the request that waits. */
const KIND = 'InteractionBrowser';
const COOKIE = 'connecting';
const VALUE_BYTES = 32;
const VALUE = /^[\w-]{43}$/;

/**
 * Binds a request that waits for a person to the browser that it began in. What the library has a browser keep
 * stands below a path, and another host of the domain may set it: who began a request elsewhere could have somebody
 * allow it here, and take what comes of it. This cookie no other host can set; several requests share it.
 */
export async function bindToBrowser(exchange: Exchange, uid: string, seconds: number): Promise<void> {
  const { store, ports } = exchange.app.services;
  const value = valueIn(exchange) ?? randomBytes(VALUE_BYTES).toString('base64url');
  await saveArtifact(store.db, {
    ...keyOf(uid),
    payload: hashOf(value),
    grant_id: null,
    expires_at: fromNow(ports.clock, seconds * 1_000),
  });
  setCookie(exchange, { name: COOKIE, value, maxAgeSeconds: seconds });
}

/** Whether a request began in the browser that asks. */
export async function beganHere(exchange: Exchange, uid: string): Promise<boolean> {
  const value = valueIn(exchange);
  if (value === undefined) return false;
  const bond = await findArtifact(exchange.app.services.store.db, keyOf(uid));
  return bond !== undefined && isSameSecret(bond.payload, hashOf(value));
}

/** Forgets where a request began, once it waits no more. */
export function freeFromBrowser(db: Db, uid: string): Promise<void> {
  return removeArtifact(db, keyOf(uid));
}

function valueIn({ app, req }: Exchange): string | undefined {
  const value = cookieOf(req.headers.cookie, cookieName(app, COOKIE));
  return value !== undefined && VALUE.test(value) ? value : undefined;
}

function keyOf(uid: string) {
  return { kind: KIND, hash: hashOf(uid) };
}

function hashOf(text: string): string {
  return hash('sha256', text, 'hex');
}
