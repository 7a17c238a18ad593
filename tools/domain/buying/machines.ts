import { type CampaignStatus, campaignStatuses } from '../../../store/campaigns.ts';
import { type MediaBuyStatus, mediaBuyStatuses } from '../../../store/media-buys.ts';
import { leading, type Machine } from '../../core/machines.ts';

/** The life of a campaign (contract: campaign status). */
export const campaignMachine: Machine<CampaignStatus, 'execute' | 'refuse' | 'complete'> = {
  of: 'campaign',
  states: campaignStatuses,
  events: {
    execute: {
      meaning: 'Its media buys are placed, or those that failed are placed again.',
      leads: { DRAFT: 'ACTIVE', ACTIVE: 'ACTIVE', PAUSED: 'PAUSED' },
    },
    refuse: {
      meaning: 'None of its sellers took its order, and none may hold one: it can be chosen for anew.',
      leads: { ACTIVE: 'DRAFT' },
    },
    complete: {
      meaning: 'All its media buys have run their time.',
      leads: { ACTIVE: 'COMPLETED', PAUSED: 'COMPLETED' },
    },
  },
};

/** A seller holds the order and may still have news of it. */
export const openStatuses = ['PENDING_APPROVAL', 'INPUT_REQUIRED', 'ACTIVE', 'PAUSED'] as const;
/** The seller knows best: what it says of a buy holds, wherever the buy stood before. */
const wherever: readonly MediaBuyStatus[] = mediaBuyStatuses;

export type BuyEvent =
  | 'send'
  | 'drop'
  | 'review'
  | 'ask'
  | 'run'
  | 'pause'
  | 'complete'
  | 'cancel'
  | 'reject'
  | 'fail';

/** The life of a media buy (reference, Media buys: statuses). */
export const buyMachine: Machine<MediaBuyStatus, BuyEvent> = {
  of: 'media buy',
  states: mediaBuyStatuses,
  events: {
    send: {
      meaning: 'The order is sent to its seller, for the first time or again.',
      leads: { DRAFT: 'DRAFT', FAILED: 'DRAFT', ARCHIVED: 'DRAFT' },
    },
    drop: {
      meaning: 'Its order was refused, and the campaign is executed anew without its seller.',
      leads: { FAILED: 'ARCHIVED' },
    },
    review: {
      meaning: 'The seller looks it over, or says something that is no status of AdCP.',
      leads: leading(wherever, 'PENDING_APPROVAL'),
    },
    ask: { meaning: 'The seller needs something first.', leads: leading(wherever, 'INPUT_REQUIRED') },
    run: { meaning: 'The seller took it: it runs or will run.', leads: leading(wherever, 'ACTIVE') },
    pause: { meaning: 'The seller holds it.', leads: leading(wherever, 'PAUSED') },
    complete: { meaning: 'It has run its time.', leads: leading(wherever, 'COMPLETED') },
    cancel: { meaning: 'It was called off.', leads: leading(wherever, 'CANCELED') },
    reject: { meaning: 'The seller will not have it.', leads: leading(wherever, 'REJECTED') },
    fail: {
      meaning: 'The order was refused, could not be sent, or nobody knows what became of it.',
      leads: leading(wherever, 'FAILED'),
    },
  },
};
