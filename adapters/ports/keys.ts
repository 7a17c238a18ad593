import { hash, randomBytes, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { KeyMaker } from '../../tools/core/ports.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 40;
const CHECK_LENGTH = 6;
const SECRET_BYTES = 32;
const HINT = 4;

/**
 * An organization API key: `<brand>k_<live|test>_`, 40 random characters (238 bits), and 6 that check them,
 * so that a scanner, and our first look, tells a key from a typing error without a database.
 */
export function makeApiKey(brand: string, environment: 'live' | 'test'): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return `${brand}k_${environment}_${random}${checkOf(random)}`;
}

function checkOf(random: string): string {
  let rest = crc32(random);
  let text = '';
  for (let index = 0; index < CHECK_LENGTH; index += 1) {
    text = `${ALPHABET[rest % ALPHABET.length]}${text}`;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text;
}

/** What is stored of a key. A key is random enough for a fast hash. */
export function hashApiKey(key: string): string {
  return hash('sha256', key, 'hex');
}

/** The key as lists show it: its prefix and its last four characters. */
function obfuscate(key: string): string {
  return `${key.slice(0, key.lastIndexOf('_') + 1)}…${key.slice(-HINT)}`;
}

/** Whether a token has the shape of a key of this brand, and its check digits are right. */
export function keyCheck(brand: string): (token: string) => boolean {
  const shape = new RegExp(
    `^${brand}k_(?:live|test)_([0-9A-Za-z]{${RANDOM_LENGTH}})([0-9A-Za-z]{${CHECK_LENGTH}})$`,
  );
  return (token) => {
    const [, random = '', check = ''] = shape.exec(token) ?? [];
    return check !== '' && checkOf(random) === check;
  };
}

export function keyMaker(brand: string): KeyMaker {
  return {
    make: (environment) => {
      const value = makeApiKey(brand, environment);
      return { value, hash: hashApiKey(value), obfuscated: obfuscate(value) };
    },
    signingSecret: () => `whs_${randomBytes(SECRET_BYTES).toString('base64url')}`,
    secret: () => {
      const value = `${brand}s_${randomBytes(SECRET_BYTES).toString('base64url')}`;
      return { value, hash: hashApiKey(value), hint: value.slice(-HINT) };
    },
  };
}
