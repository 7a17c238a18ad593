import { randomUUID } from 'node:crypto';
import { toJson } from '../../store/engine/codec.ts';
import type { Db, Store } from '../../store/engine/db.ts';
import { insertSigningKey, listSigningKeys, retireSigningKeys } from '../../store/unscoped/signing-keys.ts';
import type { Actor, Log } from '../../tools/core/context.ts';
import { unavailable } from '../../tools/core/errors/refusals.ts';
import { MINUTE_MS, nowOf } from '../../tools/core/moments.ts';
import type { Clock, Listener, Secrets, Tokens } from '../../tools/core/ports.ts';
import { signingKeyKind } from '../../tools/domain/organizations/kinds.ts';
import { signingKeyOwner } from '../../tools/domain/organizations/secret-owners.ts';
import { ALGORITHM, readToken, signed, verified } from './jwt.ts';
import { type Known, type PublicHalf, readPairs, type SigningPair, type Unopened } from './signing-pairs.ts';

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
  /** Whether another process that lives has the secrets key of this id. */
  opensElsewhere(keyId: string): Promise<boolean>;
}

/** The tokens, and the pairs behind them for who publishes them. */
export interface Keyring extends Tokens {
  /** Every pair whose tokens may still live, the one that signs first. */
  pairs(): Promise<readonly PublicHalf[]>;
  /**
   * The pair that signs. It is made where there is none that can be opened here. One that another living process
   * opens stays: two that replaced each other's would go on doing so.
   */
  signing(): Promise<SigningPair>;
  /** Why this process signs nothing; undefined where it does, or will once it is asked to. */
  whyUnsigned(): Promise<string | undefined>;
}

/** ES256 throughout. */
export function createTokens(parts: TokenParts): Keyring {
  const { clock } = parts;
  const keyring = createKeyring(parts);
  const whyUnsigned = async () => {
    const { unopened } = await keyring.read();
    return unopened && (await keyring.isOthers(unopened)) ? `${UNSIGNED} ${SHARE_KEYS}` : undefined;
  };
  return {
    pairs: async () => {
      // Whoever asks first of all finds one.
      if ((await whyUnsigned()) === undefined) await keyring.signing();
      return (await keyring.read()).all;
    },
    signing: keyring.signing,
    whyUnsigned,
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
const READ_EVERY_MS = MINUTE_MS;
/** Tokens that name a pair nobody knows come from anybody: they have the pairs read anew this often at the most. */
const UNKNOWN_EVERY_MS = 5_000;

const UNSIGNED =
  'This process signs no tokens: what signs them was encrypted by another process that serves, with a SECRETS_KEY ' +
  'that is not here.';
const SHARE_KEYS =
  'The operator has to start every process with the same SECRETS_KEY, or with those of the others in ' +
  'SECRETS_KEY_PREVIOUS; doctor names them.';

function createKeyring(parts: TokenParts) {
  let known: Promise<Known> | undefined;
  let beginning: Promise<Known> | undefined;
  let readAt = 0;
  const read = () => {
    const now = parts.clock.now();
    if (known !== undefined && now - readAt < READ_EVERY_MS) return known;
    readAt = now;
    known = readPairs(parts).catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };
  const isOthers = asksForOthers(parts);
  const readAnew = () => {
    known = undefined;
    return read();
  };
  const begin = async () => {
    // Another process may have begun one meanwhile.
    const found = await readAnew();
    if (found.signing !== undefined) return found;
    await requireOwn(parts, found, isOthers);
    await rotateSigningKey(parts);
    return readAnew();
  };
  /** However far the clock was moved. */
  const isLongAgo = (moment: number) => Math.abs(parts.clock.now() - moment) >= UNKNOWN_EVERY_MS;
  return {
    read,
    isOthers,
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

/** Nobody replaces the pair that another process signs with. */
async function requireOwn(
  { log }: TokenParts,
  { unopened }: Known,
  isOthers: (unopened: Unopened) => Promise<boolean>,
): Promise<void> {
  if (unopened === undefined) return;
  if (await isOthers(unopened)) throw unavailable(UNSIGNED, { suggestion: SHARE_KEYS });
  log.warn({ ...unopened }, 'the pair that signed tokens cannot be opened: a new one signs from now on');
}

/** Tells whether another process signs with a pair, and says so in the log, once for each. */
function asksForOthers({ opensElsewhere, log }: TokenParts) {
  let told: string | undefined;
  return async (unopened: Unopened): Promise<boolean> => {
    if (!(await opensElsewhere(unopened.keyId))) return false;
    if (told !== unopened.kid) log.warn({ ...unopened }, UNSIGNED);
    told = unopened.kid;
    return true;
  };
}

/**
 * A new pair signs from now on; those before it sign nothing more, and are believed until their
 * tokens are over. Written down where the operator has it done; where there is none that can be opened, the service
 * makes one by itself.
 */
export async function rotateSigningKey(
  parts: Pick<TokenParts, 'store' | 'clock' | 'secrets'>,
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
    const before = (await listSigningKeys(tx)).find(({ retired_at }) => retired_at === null);
    await insertSigningKey(tx, {
      id: kid,
      public_jwk: toJson({ ...publicJwk, ...about }),
      private_sealed: sealed,
      created_at: now,
      retired_at: null,
    });
    await retireSigningKeys(tx, { butId: kid, now });
    return before?.id ?? null;
  };
  const subject = (before: string | null) => ({
    kind: signingKeyKind,
    action: 'CREATE' as const,
    resourceId: kid,
    changes: { signsWith: { from: before, to: kid } },
    tenant: 'installation' as const,
  });
  await (operator === undefined ? parts.store.transaction(rotate) : operator.write(rotate, subject));
  return kid;
}
