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
import type { Actor, Log } from '../../tools/core/context.ts';
import { nowOf } from '../../tools/core/moments.ts';
import type { Clock, Listener, Secrets, Tokens } from '../../tools/core/ports.ts';
import { signingKeyKind } from '../../tools/domain/organizations/kinds.ts';
import { signingKeyOwner } from '../../tools/domain/organizations/secret-owners.ts';
import { ALGORITHM, readToken, signed, verified } from './jwt.ts';

/** The half of a pair that checks what the other one signs, or signed. */
export interface PublicHalf {
  readonly kid: string;
  readonly publicJwk: JWK;
}

/** The pair that signs. */
export interface SigningPair extends PublicHalf {
  readonly privateJwk: JWK;
}

/** What tokens are made from. */
export interface TokenParts {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
  readonly secrets: Secrets;
  /** Tells when a pair was made by another process. */
  readonly news: Pick<Listener, 'take'>;
  readonly log: Pick<Log, 'warn'>;
  /** The issuer. */
  publicUrl(): string;
}

/** The tokens, and the pairs behind them for who publishes them. */
export interface Keyring extends Tokens {
  /** Every pair whose tokens may still live, the one that signs first. */
  pairs(): Promise<readonly PublicHalf[]>;
  /** The pair that signs. It is made where there is none that can be opened here. */
  signing(): Promise<SigningPair>;
}

/** ES256 throughout. */
export function createTokens(parts: TokenParts): Keyring {
  const { clock } = parts;
  const keyring = createKeyring(parts);
  return {
    pairs: async () => {
      // Whoever asks first of all finds one.
      await keyring.signing();
      return (await keyring.read()).all;
    },
    signing: keyring.signing,
    sign: async ({ type, audience, subject, seconds, claims = {} }) => {
      const pair = await keyring.signing();
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

/** The pairs as they were read. */
interface Known {
  readonly all: readonly PublicHalf[];
  /** Undefined where there is none, or none that can be opened here. */
  readonly signing: SigningPair | undefined;
}

function createKeyring(parts: TokenParts) {
  let known: Promise<Known> | undefined;
  let beginning: Promise<Known> | undefined;
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
  const readAnew = () => {
    known = undefined;
    return read();
  };
  const begin = async () => {
    // Another process may have begun one meanwhile.
    const found = await readAnew();
    if (found.signing !== undefined) return found;
    await rotateSigningKey(parts);
    return readAnew();
  };
  /** However far the clock was moved. */
  const isLongAgo = (moment: number) => Math.abs(parts.clock.now() - moment) >= UNKNOWN_EVERY_MS;
  return {
    read,
    signing: async () => {
      const { signing } = await read();
      if (signing !== undefined) return signing;
      beginning ??= begin().finally(() => {
        beginning = undefined;
      });
      const begun = (await beginning).signing;
      if (begun === undefined) throw new Error('There is no key to sign with.');
      return begun;
    },
    find: async (kid: string) => {
      const found = (await read()).all.find((pair) => pair.kid === kid);
      if (found !== undefined) return found;
      if (parts.news.take() || isLongAgo(readAt)) known = undefined;
      return (await read()).all.find((pair) => pair.kid === kid);
    },
  };
}

/** Those that sign first, whenever they were made. To believe what a pair signed its private half is not needed. */
async function load(parts: TokenParts): Promise<Known> {
  const rows = await listSigningKeys(parts.store.db);
  const live = rows.filter(({ retired_at }) => retired_at === null);
  const retired = rows.filter(({ retired_at }) => retired_at !== null);
  const all = [...live, ...retired].map((row) => ({ kid: row.id, publicJwk: fromJson(row.public_jwk) }));
  const [first] = live;
  return { all, signing: first === undefined ? undefined : opened(parts, first) };
}

/** Undefined for one that was encrypted with a key that is not here: it signs nothing more, and a new one does. */
function opened({ secrets, log }: TokenParts, row: SigningKeyRow): SigningPair | undefined {
  try {
    const privateJwk = JSON.parse(secrets.open(row.private_sealed, signingKeyOwner(row.id))) as JWK;
    return { kid: row.id, publicJwk: fromJson(row.public_jwk), privateJwk };
  } catch (err) {
    log.warn(
      { err, kid: row.id },
      'the pair that signed tokens cannot be opened: a new one signs from now on',
    );
    return undefined;
  }
}

/**
 * A new pair signs from now on; those before it sign nothing more, and are believed until their
 * tokens are over. Written down where the operator has it done; where there is none that can be opened, the service
 * makes one by itself.
 */
export async function rotateSigningKey(
  parts: Omit<TokenParts, 'publicUrl' | 'news' | 'log'>,
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
