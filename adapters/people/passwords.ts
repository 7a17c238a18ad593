import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { unavailable } from '../../tools/core/errors/refusals.ts';

const deriveKey = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

const BLOCK_SIZE = 8;
const PARALLEL = 1;
const SALT_BYTES = 16;
const KEY_BYTES = 32;
/** scrypt takes 128 · N · r bytes, and a little more. */
const MEMORY_PER_STEP = 128 * BLOCK_SIZE;
const MEMORY_SPARE = 1_048_576;
const AGAIN_SECONDS = 5;

/** `scrypt$<log2 N>$<r>$<p>$<salt>$<key>`, the last two in base64url. */
const STORED = /^scrypt\$(\d{2})\$(\d{1,2})\$(\d{1,2})\$([\w-]+)\$([\w-]+)$/;

export interface Passwords {
  hash(password: string): Promise<string>;
  /**
   * Whether a password is the one that was stored. Without a stored one the same work is done, and the answer is
   * no: how long it took tells nobody whether there is an account.
   */
  verify(password: string, stored: string | null | undefined): Promise<boolean>;
  /** Whether a stored one was made with less work than is asked for now. */
  isOld(stored: string): boolean;
}

interface Room {
  readonly atOnce: number;
  /** Who comes after so many that wait would wait for nothing: their browser gives up first. */
  readonly waiting: number;
}

interface Work {
  readonly cost: number;
  readonly blockSize: number;
  readonly parallel: number;
  readonly salt: Buffer;
  readonly length: number;
}

type Derive = (password: string, work: Work) => Promise<Buffer>;

interface Wanted extends Room {
  /** How much work each takes: the logarithm of N. */
  readonly cost: number;
  /** What does the work, where that is not to be Node. */
  readonly deriveBy?: Derive;
}

const byScrypt: Derive = (password, { salt, length, ...work }) =>
  deriveKey(password.normalize('NFC'), salt, length, {
    N: 2 ** work.cost,
    r: work.blockSize,
    p: work.parallel,
    maxmem: 2 ** work.cost * MEMORY_PER_STEP + MEMORY_SPARE,
  });

/** Passwords by scrypt (RFC 7914), few at a time: each takes much memory and one of the threads of the process. */
export function createPasswords({ cost, deriveBy = byScrypt, ...room }: Wanted): Passwords {
  const inTurn = createTurns(room);
  const derive: Derive = (password, work) => inTurn(() => deriveBy(password, work));
  const fresh = (): Work => ({
    cost,
    blockSize: BLOCK_SIZE,
    parallel: PARALLEL,
    salt: randomBytes(SALT_BYTES),
    length: KEY_BYTES,
  });
  return {
    hash: async (password) => {
      const work = fresh();
      const key = await derive(password, work);
      const parts = ['scrypt', cost, BLOCK_SIZE, PARALLEL, work.salt.toString('base64url')];
      return [...parts, key.toString('base64url')].join('$');
    },
    verify: async (password, stored) => {
      const known = readStored(stored ?? '');
      const key = await derive(password, known ?? fresh());
      return known !== undefined && timingSafeEqual(key, known.key);
    },
    isOld: (stored) => readStored(stored)?.cost !== cost,
  };
}

function readStored(stored: string): (Work & { readonly key: Buffer }) | undefined {
  const [, cost, blockSize, parallel, salt = '', text = ''] = STORED.exec(stored) ?? [];
  if (text === '') return undefined;
  const key = Buffer.from(text, 'base64url');
  return {
    cost: Number(cost),
    blockSize: Number(blockSize),
    parallel: Number(parallel),
    salt: Buffer.from(salt, 'base64url'),
    length: key.length,
    key,
  };
}

/** So many at a time, the others in the order in which they came. */
function createTurns({ atOnce, waiting: most }: Room) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= atOnce) {
      if (waiting.length >= most) {
        throw unavailable('Very many people are signing in at this moment.', { retryAfter: AGAIN_SECONDS });
      }
      // Whoever wakes this one has kept the place for it.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
