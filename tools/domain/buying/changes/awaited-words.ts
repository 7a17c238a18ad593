import type { MediaBuyChangeRow } from '../../../../store/media-buy-changes.ts';
import { updateIn } from '../payloads.ts';
import { isShownOtherwise } from './change-outcome.ts';
import type { Asked } from './wanted-change.ts';

/** What was asked of a media buy before and waits, in words: as what it is, and never as where it would lead. Pure. */

type Awaited = Pick<
  MediaBuyChangeRow,
  'action' | 'state' | 'created_at' | 'payload' | 'error_code' | 'error_owner'
>;

/** Each kind of change, as it is named in sentences. */
export const nouns: Readonly<Record<MediaBuyChangeRow['action'], string>> = {
  update: 'change',
  pause: 'pause',
  resume: 'reactivation',
  cancel: 'cancellation',
  archive: 'cancellation for the archive',
};

/** Of a change that stands in the way of another: no read shows the buy where it would lead. */
export function awaitedInWords(awaited: Awaited): string {
  const { action, created_at } = awaited;
  return `its ${nouns[action]}, asked for at ${created_at}, ${cameTo(awaited)}`;
}

function cameTo(awaited: Awaited): string {
  if (isShownOtherwise(awaited)) return 'was taken by its seller, which does not show it';
  return awaited.state === 'unknown' ? 'was not answered by its seller' : 'waits for its seller';
}

/** Of one of the same kind, which may be about something else. */
export function askedInWords(before: Awaited, asked: Asked): string {
  const what = isSame(before, asked) ? 'the same' : `a ${nouns[before.action]}`;
  return `${what} was asked for at ${before.created_at}, and its seller has not confirmed it`;
}

function isSame(known: Awaited, asked: Asked): boolean {
  const { party: _, idempotencyKey: __, ...before } = updateIn(known);
  return JSON.stringify(before) === JSON.stringify(asked);
}
