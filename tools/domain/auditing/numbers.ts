import type { AuditLogRow } from '../../../store/audit-log.ts';
import type { AuditNumberingTable } from '../../../store/unscoped/audit-numbering.ts';
import type { Digest } from '../../core/ports.ts';

/** From when milliseconds are counted: what follows is a whole number of JavaScript until 2089. */
const EPOCH = Date.parse('2020-01-01T00:00:00.000Z');
const HALF_BITS = 6;
const HALF = 2 ** HALF_BITS;
/** Entries of one millisecond. */
const PLACES = HALF * HALF;
const ROUNDS = 4;

/**
 * The number of an entry as its readers know it: its millisecond, and a place in that which tells nothing. Its own id
 * is counted for all organizations: two of them would tell how much happened elsewhere between. Two entries have
 * different numbers, a later millisecond a higher one, and what was shown by its id before is so still. Pure.
 */
export function numberOf(
  { id, created_at }: Pick<AuditLogRow, 'id' | 'created_at'>,
  { key, counted_until }: AuditNumberingTable,
  digest: Digest,
): number {
  if (id <= counted_until) return id;
  const moment = Math.max(0, Date.parse(created_at) - EPOCH);
  return moment * PLACES + placeOf(id % PLACES, (text) => digest(`${key} ${moment} ${text}`));
}

/** A Feistel network: each place of a millisecond comes from one other, and only the key says from which. */
function placeOf(counted: number, digest: Digest): number {
  let [left, right] = [Math.floor(counted / HALF), counted % HALF];
  for (let round = 0; round < ROUNDS; round += 1) {
    const mixed = Number.parseInt(digest(`${round} ${right}`).slice(0, 2), 16) % HALF;
    [left, right] = [right, left ^ mixed];
  }
  return left * HALF + right;
}
