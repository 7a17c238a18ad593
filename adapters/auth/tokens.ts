import { createPrivateKey, type KeyObject, randomUUID, sign } from 'node:crypto';
import type { CryptoKey, JWK, JWTPayload } from 'jose';
import { fromJson, toJson } from '../../store/engine/codec.ts';
import type { Db, Store } from '../../store/engine/db.ts';
import {
  insertSigningKey,
  listSigningKeys,
  retireSigningKeys,
  type SigningKeyRow,
} from '../../store/signing-keys.ts';
import type { Actor } from '../../tools/core/context.ts';
import type { Clock, Secrets, TokenClaims, Tokens } from '../../tools/core/ports.ts';
import { signingKeyKind } from '../../tools/domain/organizations/kinds.ts';

const ALGORITHM = 'ES256';

/** A pair that signs, or did. */
export interface SigningPair {
  readonly kid: string;
  readonly publicJwk: JWK;
  readonly privateJwk: JWK;
  readonly retiredAt: string | null;
}

/** What tokens are made from. */
export interface TokenParts {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
  readonly secrets: Secrets;
  /** The issuer. */
  publicUrl(): string;
}

/** The tokens, and the pairs behind them for who publishes them. */
export interface Keyring extends Tokens {
  /** Every pair whose tokens may still live, the one that signs first. */
  pairs(): Promise<readonly SigningPair[]>;
}

/** ES256 throughout. */
export function createTokens(parts: TokenParts): Keyring {
  const { clock } = parts;
  const keyring = createKeyring(parts);
  return {
    pairs: () => keyring.read(),
    sign: async ({ type, audience, subject, seconds, claims = {} }) => {
      const [pair] = await keyring.read();
      if (pair === undefined) throw new Error('There is no key to sign with.');
      const now = Math.floor(clock.now() / 1_000);
      const times = { iat: now, exp: now + seconds };
      const said = {
        jti: randomUUID(),
        ...claims,
        iss: parts.publicUrl(),
        sub: subject,
        aud: audience,
        ...times,
      };
      return signed({ alg: ALGORITHM, typ: type, kid: pair.kid }, said, pair);
    },
    verify: async (token, type) => {
      const { jwtVerify } = await import('jose');
      const pick = async ({ kid }: { kid?: string }) => {
        const pair = await keyring.find(kid);
        if (pair === undefined) throw new Error('No key of ours has this id.');
        return keyOf(pair.publicJwk);
      };
      try {
        const { payload } = await jwtVerify(token, pick, {
          algorithms: [ALGORITHM],
          issuer: parts.publicUrl(),
          typ: type,
          currentDate: new Date(clock.now()),
          requiredClaims: ['jti', 'sub', 'exp', 'iat', 'aud'],
        });
        return isWhole(payload) ? payload : null;
      } catch {
        return null;
      }
    },
  };
}

const readKeys = new WeakMap<SigningPair, KeyObject>();

/** A JWT in the compact form (RFC 7515, section 7.1). In this thread: handing so little to another takes longer. */
function signed(header: object, claims: object, pair: SigningPair): string {
  const key = readKeys.get(pair) ?? createPrivateKey({ key: { ...pair.privateJwk }, format: 'jwk' });
  readKeys.set(pair, key);
  const [head, body] = [header, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  const text = `${head}.${body}`;
  return `${text}.${sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

const imported = new WeakMap<JWK, Promise<CryptoKey | Uint8Array>>();

/** Reading a key takes longer than using it. */
function keyOf(jwk: JWK): Promise<CryptoKey | Uint8Array> {
  const known = imported.get(jwk);
  if (known !== undefined) return known;
  const reading = import('jose').then(({ importJWK }) => importJWK(jwk, ALGORITHM));
  imported.set(jwk, reading);
  return reading;
}

function isWhole(payload: JWTPayload): payload is JWTPayload & TokenClaims {
  const { jti, sub, aud, iat, exp } = payload;
  const hasTexts = typeof jti === 'string' && typeof sub === 'string' && aud !== undefined;
  return hasTexts && typeof iat === 'number' && typeof exp === 'number';
}

/** Read again each minute, so that a pair that was rotated at the command line signs soon in every process. */
const READ_EVERY_MS = 60_000;

function createKeyring(parts: TokenParts) {
  let known: Promise<readonly SigningPair[]> | undefined;
  let readAt = 0;
  const read = () => {
    const now = parts.clock.now();
    if (known !== undefined && now - readAt < READ_EVERY_MS) return known;
    readAt = now;
    known = load(parts).catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };
  return {
    read,
    find: async (kid: string | undefined) => {
      const found = (await read()).find((pair) => pair.kid === kid);
      if (found !== undefined) return found;
      known = undefined;
      return (await read()).find((pair) => pair.kid === kid);
    },
  };
}

async function load(parts: TokenParts): Promise<readonly SigningPair[]> {
  const rows = await listSigningKeys(parts.store.db);
  if (rows.some(({ retired_at }) => retired_at === null)) return allOpened(parts, rows);
  await rotateSigningKey(parts);
  return allOpened(parts, await listSigningKeys(parts.store.db));
}

/** Those that sign first, whenever they were made. */
function allOpened(parts: TokenParts, rows: readonly SigningKeyRow[]): readonly SigningPair[] {
  const signing = rows.filter(({ retired_at }) => retired_at === null);
  const retired = rows.filter(({ retired_at }) => retired_at !== null);
  return [...signing, ...retired].map((row) => opened(parts, row));
}

function ownerOf(kid: string): string {
  return `signing_key:${kid}`;
}

function opened({ secrets }: TokenParts, row: SigningKeyRow): SigningPair {
  return {
    kid: row.id,
    publicJwk: fromJson(row.public_jwk),
    privateJwk: JSON.parse(secrets.open(row.private_sealed, ownerOf(row.id))) as JWK,
    retiredAt: row.retired_at,
  };
}

/**
 * A new pair signs from now on; those before it sign nothing more, and are believed until their
 * tokens are over. Written down where the operator has it done; the first pair the service makes by itself.
 */
export async function rotateSigningKey(
  parts: Omit<TokenParts, 'publicUrl'>,
  operator?: Pick<Actor, 'write'>,
): Promise<string> {
  const { generateKeyPair, exportJWK, calculateJwkThumbprint } = await import('jose');
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const publicJwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(publicJwk);
  const now = new Date(parts.clock.now()).toISOString();
  const about = { kid, alg: ALGORITHM, use: 'sig' };
  const sealed = parts.secrets.seal(
    JSON.stringify({ ...(await exportJWK(privateKey)), ...about }),
    ownerOf(kid),
  );
  const rotate = async (tx: Db) => {
    await insertSigningKey(tx, {
      id: kid,
      public_jwk: toJson({ ...publicJwk, ...about }),
      private_sealed: sealed,
      created_at: now,
      retired_at: null,
    });
    await retireSigningKeys(tx, { butId: kid, now });
  };
  const subject = {
    kind: signingKeyKind,
    action: 'CREATE',
    resourceId: kid,
    tenant: 'installation',
  } as const;
  await (operator === undefined ? parts.store.transaction(rotate) : operator.write(rotate, subject));
  return kid;
}
