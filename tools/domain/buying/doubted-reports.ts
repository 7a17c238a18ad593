import type { MediaBuyRow } from '../../../store/media-buys.ts';
import { askSeller } from './references.ts';

/** Reports of a delivery that were not taken. Pure. */

const NOT_TAKEN = ': the report was not taken.';

/** Why a report is not taken, in the words that `doubtOf` knows again. */
export function notTaken(reported: string): string {
  return `${reported}${NOT_TAKEN}`;
}

/** Why the last report of a buy was not taken; undefined where it was. */
export function doubtOf({ source_message }: Pick<MediaBuyRow, 'source_message'>): string | undefined {
  return source_message?.endsWith(NOT_TAKEN) ? source_message : undefined;
}

/** A later report takes the place of one that was not taken; where that is not either, it says so again. */
export function doubtGone(
  buy: Pick<MediaBuyRow, 'source_message'>,
  { delivery }: { readonly delivery?: unknown },
): Partial<Pick<MediaBuyRow, 'source_message'>> {
  return delivery === undefined || doubtOf(buy) === undefined ? {} : { source_message: null };
}

const NOTHING_TO_DO = /(^|[:;.]) ?nothing is to be done\./i;

type Doubted = Pick<MediaBuyRow, 'source_message' | 'storefront_id' | 'id'>;

/** What is said of where a buy stands, with what is to be done about a report that was not taken. */
export function withDoubt(buy: Doubted, said: string): string {
  const doubt = doubtOf(buy);
  if (doubt === undefined) return said;
  const ask = `You: ${askSeller(buy).replace('Ask', 'ask')}, to report it right; until then the figures of its last report that was taken stand.`;
  return `${said.replace(NOTHING_TO_DO, '.')} ${doubt} ${ask}`;
}
