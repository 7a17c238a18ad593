import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { askSeller } from '../references.ts';
import { isFinal } from './awaited-figures.ts';

/** Reports of a delivery that were not taken, or did not come. Pure. */

const NOT_TAKEN = ': the report was not taken.';

/** Why a report is not taken. */
export function notTaken(reported: string): string {
  return `${reported}${NOT_TAKEN}`;
}

/** That a report is in another currency than the buy. */
export function inOtherCurrency(spend: number, told: string, currency: string): string {
  return `The seller reports ${spend} ${told} spent of a buy in ${currency}`;
}

const NOT_REPORTED = 'The seller did not report what was delivered';

/** Why figures stand still that a seller does not report, and since when. */
export function notReported(
  why: string | null,
  { performance_at }: Pick<MediaBuyRow, 'performance_at'>,
): string {
  const said = why === null ? 'its answer leaves it out' : why.replace(/\.$/, '');
  const stand =
    performance_at === null ? 'nothing was counted so far' : `the figures of ${performance_at} stand`;
  return `${NOT_REPORTED} (${said}): ${stand}.`;
}

const WHOLE_ALONE = ': the report was taken for the whole alone.';

/** Why nothing of its packages is taken of a report. */
export function takenForTheWhole(reported: string): string {
  return `${reported}${WHOLE_ALONE}`;
}

/** Why the last report of a buy was not taken, or not for its packages, or did not come; undefined where it was. */
export function doubtOf({ report_doubt }: Pick<MediaBuyRow, 'report_doubt'>): string | undefined {
  return report_doubt ?? undefined;
}

/** Whether figures stand still because none were reported. */
export function isUnreportedDoubt(doubt: string | null): boolean {
  return doubt?.startsWith(NOT_REPORTED) === true;
}

type Doubted = Pick<
  MediaBuyRow,
  'report_doubt' | 'storefront_id' | 'id' | 'status' | 'submission' | 'figures_awaited_since'
>;

/** What is to be done about a report that was not taken; undefined where the last one was. */
export function doubtInWords(buy: Doubted): string | undefined {
  const doubt = doubtOf(buy);
  if (doubt === undefined) return undefined;
  // Nobody asks for another one any more.
  if (isFinal(buy))
    return doubt.endsWith(WHOLE_ALONE)
      ? doubt
      : `${doubt} The figures of its last report that was taken stand.`;
  if (isUnreportedDoubt(doubt)) return `${doubt} ${askSeller(buy)}, if that goes on.`;
  const ask = askSeller(buy).replace('Ask', 'ask');
  const until = doubt.endsWith(WHOLE_ALONE)
    ? 'no package counts by itself'
    : 'the figures of its last report that was taken stand';
  return `${doubt} You: ${ask}, to report it right; until then ${until}.`;
}
