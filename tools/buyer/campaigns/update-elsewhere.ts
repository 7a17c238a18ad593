import type { Elsewhere } from '../../core/schemas/not-built.ts';
import { buyElsewhere, campaignElsewhere } from '../../domain/campaigns/fields-elsewhere.ts';

const HELD =
  'To hold it call campaign_pause, to let it go on campaign_reactivate, to call it off campaign_cancel, to put it ' +
  'away campaign_delete.';
const BUY_HELD =
  'To hold it call media_buy_pause, to let it go on media_buy_reactivate; to call it off give action cancel.';

/** Words for what an action does not do. */
const HOLDS = ['pause', 'paused', 'hold', 'resume', 'reactivate', 'unpause'];
const HOLDS_ELSEWHERE = 'To hold it call media_buy_pause, to let it go on media_buy_reactivate.';

const STOPS = ['status', 'paused', 'canceled', 'cancelled', 'cancel'];

/**
 * What callers of campaign_update try in place of its fields, or of the calls that stop a campaign or a media buy of
 * it.
 */
export const updateElsewhere: Elsewhere = {
  ...campaignElsewhere,
  ...buyElsewhere('mediaBuys[].'),
  packages: 'Packages are of media buys: give mediaBuys, with mediaBuyId and packages.',
  ...Object.fromEntries([...STOPS, 'action'].map((field) => [field, HELD])),
  ...Object.fromEntries(STOPS.map((field) => [`mediaBuys[].${field}`, BUY_HELD])),
  ...Object.fromEntries(HOLDS.map((word) => [`mediaBuys[].action=${word}`, HOLDS_ELSEWHERE])),
  'mediaBuys[].packages[].canceled': 'To call packages off give action cancel, and packageIds.',
  'mediaBuys[].packages[].paused': 'A package is not held alone: media_buy_pause holds the media buy.',
};
