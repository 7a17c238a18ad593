import { type CampaignStatus, campaignStatuses } from '../../../store/campaigns.ts';
import { type MediaBuyStatus, mediaBuyStatuses } from '../../../store/media-buys.ts';
import { leading, type Machine } from '../../core/machines.ts';

/** The life of a campaign (contract: campaign status). */
export const campaignMachine: Machine<CampaignStatus, 'execute'> = {
  of: 'campaign',
  states: campaignStatuses,
  events: {
    execute: {
      meaning: 'Its media buys are placed, or those that failed are placed again.',
      leads: { DRAFT: 'ACTIVE', ACTIVE: 'ACTIVE', PAUSED: 'PAUSED' },
    },
  },
};

/** A seller holds the order and may still have news of it. */
export const openStatuses = ['PENDING_APPROVAL', 'INPUT_REQUIRED', 'ACTIVE', 'PAUSED'] as const;
/** An order is on its way, or with a seller: whatever the seller says moves it. */
const movable: readonly MediaBuyStatus[] = ['DRAFT', ...openStatuses];

export type BuyEvent =
  | 'send'
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
      leads: { DRAFT: 'DRAFT', FAILED: 'DRAFT' },
    },
    review: {
      meaning: 'The seller looks it over, or says something that is no status of AdCP.',
      leads: leading(movable, 'PENDING_APPROVAL'),
    },
    ask: { meaning: 'The seller needs something first.', leads: leading(movable, 'INPUT_REQUIRED') },
    run: { meaning: 'The seller took it: it runs or will run.', leads: leading(movable, 'ACTIVE') },
    pause: { meaning: 'The seller holds it.', leads: leading(movable, 'PAUSED') },
    complete: { meaning: 'It has run its time.', leads: leading(movable, 'COMPLETED') },
    cancel: { meaning: 'It was called off.', leads: leading(movable, 'CANCELED') },
    reject: { meaning: 'The seller will not have it.', leads: leading(movable, 'REJECTED') },
    fail: {
      meaning: 'The order was refused, could not be sent, or nobody knows what became of it.',
      leads: leading(movable, 'FAILED'),
    },
  },
};
