import type { Digest } from '../../core/ports.ts';

const HASH_LENGTH = 16;

/** Names a version of a buy: another one with every change of what was agreed or where it stands. */
export function versionHash(
  { id, revision, adcp_status }: Readonly<Record<'id' | 'revision' | 'adcp_status', unknown>>,
  digest: Digest,
): string {
  return digest(`${id}:${revision}:${adcp_status}`).slice(0, HASH_LENGTH);
}
