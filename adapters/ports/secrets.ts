import { createCipheriv, createDecipheriv, createHmac, hash, hkdfSync, randomBytes } from 'node:crypto';
import { asSealed, type Sealed, sealedText } from '../../store/engine/codec.ts';
import { unavailable } from '../../tools/core/errors/refusals.ts';
import type { Secrets } from '../../tools/core/ports.ts';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 'v1';

const LOST =
  'A stored credential was encrypted with another SECRETS_KEY. Add that key to SECRETS_KEY_PREVIOUS.';
const DAMAGED = 'A stored credential is damaged: its own key does not open it.';
const ASK_OPERATOR =
  'Tell the operator of this installation, to whom doctor and secrets rotate say which it is; or set the ' +
  'credential anew.';
/** Somebody has to do something first. */
const RETRY_SECONDS = 60;

/** The newest key first: it encrypts, and all of them open. */
export type Keys = readonly [Buffer, ...Buffer[]];

/**
 * Encrypts credentials at rest: AES-256-GCM, a fresh nonce each, bound to the row they belong to. The text is
 * `v1.<key id>.<base64url of nonce, tag and cipher>`.
 */
export function sealWith(...[newest, ...previous]: Keys): Secrets {
  const keyId = keyIdOf(newest);
  const known = new Map([newest, ...previous].map((key) => [keyIdOf(key), key]));
  const [, ...others] = known.keys();
  const finders = [...known].map(([id, key]) => ({ id, key: finderOf(key) }));
  return {
    keyIds: [keyId, ...others],
    seal: (plain, owner) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, newest, nonce).setAAD(Buffer.from(owner));
      const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      const body = Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
      return asSealed(`${VERSION}.${keyId}.${body}`);
    },
    open: (text, owner) => {
      const [version, sealedWith = '', body = ''] = sealedText(text).split('.');
      const key = version === VERSION ? known.get(sealedWith) : undefined;
      if (key === undefined) throw unavailable(LOST, { suggestion: ASK_OPERATOR, retryAfter: RETRY_SECONDS });
      try {
        return deciphered(key, Buffer.from(body, 'base64url'), owner);
      } catch (cause) {
        throw unavailable(DAMAGED, { suggestion: ASK_OPERATOR, retryAfter: RETRY_SECONDS, cause });
      }
    },
    fingerprint: (plain, purpose) => fingerprintBy({ id: keyId, key: finderOf(newest) }, plain, purpose),
    fingerprints: (plain, purpose) => finders.map((finder) => fingerprintBy(finder, plain, purpose)),
  };
}

function deciphered(key: Buffer, bytes: Buffer, owner: string): string {
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), {
    // A shorter tag would be easier to guess.
    authTagLength: TAG_BYTES,
  })
    .setAAD(Buffer.from(owner))
    .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const plain = [decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()];
  return Buffer.concat(plain).toString('utf8');
}

interface Finder {
  readonly id: string;
  readonly key: Buffer;
}

/** What encrypts makes no fingerprints itself. */
function finderOf(key: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', 'fingerprint', key.length));
}

/** `f1.<key id>.<HMAC in hex>`. */
function fingerprintBy({ id, key }: Finder, plain: string, purpose: string): string {
  return `f1.${id}.${createHmac('sha256', key).update(`${purpose}\0${plain}`).digest('hex')}`;
}

/** Which key opens what is encrypted. */
export function keyIdIn(sealed: Sealed): string {
  return sealedText(sealed).split('.')[1] ?? '';
}

/** What is encrypted says by it which key opens it. */
export function keyIdOf(key: Buffer): string {
  return hash('sha256', key, 'hex').slice(0, 8);
}
