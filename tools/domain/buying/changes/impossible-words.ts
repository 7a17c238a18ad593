import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import type { WantedChange } from './wanted-change.ts';

/** Of a media buy that cannot be asked what is wanted of it: why, and what can be done instead. */

/** Why it cannot be asked so, whatever else waits. */
export const IMPOSSIBLE: Readonly<Record<WantedChange['action'], string>> = {
  update: 'it cannot be changed any more',
  pause: 'only one that runs, or waits for its seller, can be paused',
  resume: 'only one that is PAUSED, or packages that its seller holds, can go on',
  cancel: 'no seller holds it, so there is nothing to cancel; archive it instead if it is not over',
  archive: 'it is over already, and stays as it is',
};

export const OVER_THERE = 'It is over: buy again with another campaign.';
const ANEW =
  'No seller holds it: call campaign_execute to order it, with other products where its seller refused them.';
const UNDECIDED =
  'Its seller has not taken it yet: follow it with campaign_get_media_buy_status, or call it off with action cancel of mediaBuys in campaign_update.';

/** What can be done with a media buy instead, by where it stands. */
export const INSTEAD: Readonly<Record<MediaBuyRow['status'], string>> = {
  DRAFT: ANEW,
  PENDING_APPROVAL: UNDECIDED,
  INPUT_REQUIRED: UNDECIDED,
  ACTIVE:
    'It runs: media_buy_pause holds it, and action cancel of mediaBuys in campaign_update calls it off.',
  PAUSED:
    'It is held: media_buy_reactivate lets it go on, and action cancel of mediaBuys in campaign_update calls it off.',
  FAILED: ANEW,
  REJECTED: ANEW,
  COMPLETED: OVER_THERE,
  CANCELED: OVER_THERE,
  ARCHIVED: OVER_THERE,
};
