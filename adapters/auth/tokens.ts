import { randomUUID } from 'node:crypto';
import type { JWK } from 'jose';
import { fromJson, toJson } from '../../store/engine/codec.ts';
import type { Db, Store } from '../../store/engine/db.ts';
import {
  insertSigningKey,
  listSigningKeys,
  retireSigningKeys,
  type SigningKeyRow,
} from '../../store/unscoped/signing-keys.ts';
import type { Actor } from '../../tools/core/context.ts';
import { nowOf } from '../../tools/core/moments.ts';
import type { Clock, Listener, Secrets, Tokens } from '../../tools/core/ports.ts';
import { signingKeyKind } from '../../tools/domain/organizations/kinds.ts';
import { signingKeyOwner } from '../../tools/domain/organizations/secret-owners.ts';
import { ALGORITHM, readToken, signed, verified } from './jwt.ts';

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
  /** Tells when a pair was made by another process. */
  readonly news: Pick<Listener, 'take'>;
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
      const read = readToken(token);
      if (read === null || read.head.typ !== type) return null;
      const pair = await keyring.find(read.head.kid);
      return pair === undefined
        ? null
        : verified(read, pair, { issuer: parts.publicUrl(), now: clock.now() });
    },
  };
}

/** Read again each minute, so that a pair that was rotated at the command line signs soon in every process. */
const READ_EVERY_MS = 60_000;
/** Tokens that name a pair nobody knows come from anybody: they have the pairs read anew this often at the most. */
const UNKNOWN_EVERY_MS = 5_000;

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
  /** However far the clock was moved. */
  const isLongAgo = (moment: number) => Math.abs(parts.clock.now() - moment) >= UNKNOWN_EVERY_MS;
  return {
    read,
    find: async (kid: string) => {
      const found = (await read()).find((pair) => pair.kid === kid);
      if (found !== undefined) return found;
      if (parts.news.take() || isLongAgo(readAt)) known = undefined;
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

function opened({ secrets }: TokenParts, row: SigningKeyRow): SigningPair {
  return {
    kid: row.id,
    publicJwk: fromJson(row.public_jwk),
    privateJwk: JSON.parse(secrets.open(row.private_sealed, signingKeyOwner(row.id))) as JWK,
    retiredAt: row.retired_at,
  };
}

/**
 * A new pair signs from now on; those before it sign nothing more, and are believed until their
 * tokens are over. Written down where the operator has it done; the first pair the service makes by itself.
 */
export async function rotateSigningKey(
  parts: Omit<TokenParts, 'publicUrl' | 'news'>,
  operator?: Pick<Actor, 'write'>,
): Promise<string> {
  const { generateKeyPair, exportJWK, calculateJwkThumbprint } = await import('jose');
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const publicJwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(publicJwk);
  const now = nowOf(parts.clock);
  const about = { kid, alg: ALGORITHM, use: 'sig' };
  const sealed = parts.secrets.seal(
    JSON.stringify({ ...(await exportJWK(privateKey)), ...about }),
    signingKeyOwner(kid),
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
