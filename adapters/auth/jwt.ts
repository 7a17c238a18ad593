import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import type { JWK } from 'jose';
import type { TokenClaims } from '../../tools/core/ports.ts';
import { isFields } from '../../tools/core/schemas/checks.ts';

/**
 * The JWTs of this installation (RFC 7519) in the compact form (RFC 7515, section 7.1): of one algorithm, made here
 * and read nowhere else but here. Signed and checked in this thread: to hand so little to another, as a library for
 * the tokens of everybody does, takes longer than the work. Tokens of others are read with such a library.
 */
export const ALGORITHM = 'ES256';

const HASH = 'sha256';
/** RFC 7518, section 3.4: the two numbers one behind the other, of 32 bytes each. */
const ENCODING = 'ieee-p1363';

interface Head {
  readonly typ: string;
  readonly kid: string;
}

/** A token whose signature nobody looked at. */
export interface ReadToken {
  readonly head: Head;
  readonly claims: Readonly<Record<string, unknown>>;
  /** What was signed. */
  readonly text: string;
  readonly signature: string;
}

const privateKeys = new WeakMap<JWK, KeyObject>();
const publicKeys = new WeakMap<JWK, KeyObject>();

export function signed(
  head: Head & { readonly alg: string },
  claims: object,
  { privateJwk }: { readonly privateJwk: JWK },
): string {
  const key = keptFor(privateKeys, privateJwk, createPrivateKey);
  const text = [head, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${text}.${sign(HASH, Buffer.from(text), { key, dsaEncoding: ENCODING }).toString('base64url')}`;
}

/** The parts of a token of ours; null for one that cannot be, whatever its signature. */
export function readToken(token: string): ReadToken | null {
  const [head, claims, signature, ...more] = token.split('.');
  if (head === undefined || claims === undefined || signature === undefined || more.length > 0) return null;
  const said = [fieldsIn(head), fieldsIn(claims)] as const;
  if (!isHead(said[0]) || said[1] === null) return null;
  return { head: said[0], claims: said[1], text: `${head}.${claims}`, signature };
}

/** What a token says, where this pair signed it, this issuer made it, and its time is not over; else null. */
export function verified(
  { claims, text, signature }: ReadToken,
  { publicJwk }: { readonly publicJwk: JWK },
  { issuer, now }: { readonly issuer: string; readonly now: number },
): TokenClaims | null {
  const key = keptFor(publicKeys, publicJwk, createPublicKey);
  const given = Buffer.from(signature, 'base64url');
  if (!verify(HASH, Buffer.from(text), { key, dsaEncoding: ENCODING }, given)) return null;
  if (!isWhole(claims) || claims['iss'] !== issuer) return null;
  return claims.exp > Math.floor(now / 1_000) ? claims : null;
}

/** Reading a key takes longer than using it. */
function keptFor(
  kept: WeakMap<JWK, KeyObject>,
  jwk: JWK,
  read: (given: { readonly key: JWK; readonly format: 'jwk' }) => KeyObject,
): KeyObject {
  const known = kept.get(jwk) ?? read({ key: { ...jwk }, format: 'jwk' });
  kept.set(jwk, known);
  return known;
}

function fieldsIn(part: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    return isFields(value) ? value : null;
  } catch {
    return null;
  }
}

/** A header with demands that this reader does not know (`crit`, RFC 7515, section 4.1.11) is none of ours. */
function isHead(head: Readonly<Record<string, unknown>> | null): head is Head & Record<string, unknown> {
  if (head === null || head['alg'] !== ALGORITHM || 'crit' in head) return false;
  return typeof head['typ'] === 'string' && typeof head['kid'] === 'string';
}

function isWhole(claims: Readonly<Record<string, unknown>>): claims is TokenClaims {
  const { jti, sub, aud, iat, exp } = claims;
  const hasTexts = typeof jti === 'string' && typeof sub === 'string' && isAudience(aud);
  return hasTexts && typeof iat === 'number' && typeof exp === 'number';
}

function isAudience(aud: unknown): boolean {
  return typeof aud === 'string' || (Array.isArray(aud) && aud.every((one) => typeof one === 'string'));
}
