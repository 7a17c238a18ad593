import type { MediaBuyRow } from '../../../store/media-buys.ts';

const UNSENT: ReadonlySet<string> = new Set(['DRAFT', 'FAILED', 'REJECTED']);

/** Whether no seller holds the order of a buy, or may hold it: it can be made anew. */
export function isUnsent({ status, submission }: Pick<MediaBuyRow, 'status' | 'submission'>): boolean {
  return UNSENT.has(status) && submission !== 'sending' && submission !== 'unknown';
}
