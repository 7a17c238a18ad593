import type { MediaBuyRow } from '../../../../store/media-buys.ts';

/** What its seller says of where it stands, and shows otherwise than it was ordered. */
const STANDING = [
  'adcp_status',
  'unfound_since',
  'shown_total',
  'shown_start',
  'shown_end',
  'listed_apart',
] as const satisfies readonly (keyof MediaBuyRow)[];

/** Whether a seller tells something of a media buy that a caller may decide on, and that it did not tell before. */
export function isToldElsewhere(buy: MediaBuyRow, set: Partial<MediaBuyRow>): boolean {
  return STANDING.some((name) => set[name] !== undefined && set[name] !== buy[name]);
}
