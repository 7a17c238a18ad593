import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto';
import type { Secrets } from '../../tools/core/ports.ts';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 'v1';

/**
 * Encrypts credentials at rest: AES-256-GCM, a fresh nonce each, bound to the row they belong to. The text is
 * `v1.<key id>.<base64url of nonce, tag and cipher>`.
 */
export function sealWith(key: Buffer): Secrets {
  const keyId = hash('sha256', key, 'hex').slice(0, 8);
  return {
    seal: (plain, owner) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(owner));
      const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return `${VERSION}.${keyId}.${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')}`;
    },
    open: (text, owner) => {
      const [version, sealedWith, body = ''] = text.split('.');
      if (version !== VERSION || sealedWith !== keyId) {
        throw new Error('A stored credential was encrypted with another SECRETS_KEY.');
      }
      const bytes = Buffer.from(body, 'base64url');
      const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), {
        // A shorter tag would be easier to guess.
        authTagLength: TAG_BYTES,
      })
        .setAAD(Buffer.from(owner))
        .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const plain = [decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()];
      return Buffer.concat(plain).toString('utf8');
    },
  };
}
