import type { MediaBuyChangeRow } from '../../../../store/media-buy-changes.ts';
import { isSameJson } from '../../../core/schemas/checks.ts';
import { firstFew } from '../../counted.ts';
import { updateIn } from '../payloads.ts';
import { isShownOtherwise } from './change-outcome.ts';
import type { Asked } from './wanted-change.ts';

/** What was asked of a media buy before and waits, in words: as what it is, and never as where it would lead. Pure. */

type Awaited = Pick<
  MediaBuyChangeRow,
  'action' | 'state' | 'created_at' | 'payload' | 'error_code' | 'error_owner'
>;

const nouns: Readonly<Record<MediaBuyChangeRow['action'], string>> = {
  update: 'change',
  pause: 'pause',
  resume: 'reactivation',
  cancel: 'cancellation',
  archive: 'cancellation for the archive',
};

type Named = Pick<MediaBuyChangeRow, 'action' | 'payload'>;

/** How many packages are named in a sentence. */
const NAMED = 5;

/** The packages that a change stops or lets go on while the others stay as they are; none where it is of the whole. */
export function packagesAlone({ action, payload }: Named): string[] {
  if (action === 'update') return [];
  return (updateIn({ payload }).packages ?? []).map(({ package_id }) => package_id);
}

/** What a change is called in sentences: one of some packages names them, for the buy itself is not to end with it. */
export function nameOf(change: Named): string {
  const noun = nouns[change.action];
  const ids = packagesAlone(change);
  if (ids.length === 0) return noun;
  return `${noun} of ${ids.length === 1 ? 'package' : 'packages'} ${firstFew(ids, { most: NAMED })}`;
}

/** Of a change that stands in the way of another: no read shows the buy where it would lead. */
export function awaitedInWords(awaited: Awaited): string {
  return `its ${nameOf(awaited)}, asked for at ${awaited.created_at}, ${cameTo(awaited)}`;
}

function cameTo(awaited: Awaited): string {
  if (isShownOtherwise(awaited)) return 'was taken by its seller, which does not show it';
  return awaited.state === 'unknown' ? 'was not answered by its seller' : 'waits for its seller';
}

/** Of one of the same kind, which may be about something else. */
export function askedInWords(before: Awaited, asked: Asked): string {
  const what = isSame(before, asked) ? 'the same' : `a ${nameOf(before)}`;
  return `${what} was asked for at ${before.created_at}, and its seller has not confirmed it`;
}

function isSame(known: Awaited, asked: Asked): boolean {
  const { party: _, idempotencyKey: __, ...before } = updateIn(known);
  return isSameJson(before, asked);
}
