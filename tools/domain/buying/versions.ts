import type { Digest } from '../../core/ports.ts';

const HASH_LENGTH = 16;

/**
 * Names what a change of a buy is made on: another one whenever something else was agreed, or it stands elsewhere, or
 * a change was asked of it or came to its end. What is delivered leaves it the same.
 */
export function versionHash(
  { id, edition }: Readonly<Record<'id' | 'edition', unknown>>,
  digest: Digest,
): string {
  return digest(`${id}:${edition}`).slice(0, HASH_LENGTH);
}
