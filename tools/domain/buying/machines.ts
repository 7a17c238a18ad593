import { type CampaignStatus, campaignStatuses } from '../../../store/campaigns.ts';
import type { ChangeAction } from '../../../store/media-buy-changes.ts';
import { type MediaBuyRow, type MediaBuyStatus, mediaBuyStatuses } from '../../../store/media-buys.ts';
import { leading, type Machine } from '../../core/machines.ts';

export type CampaignEvent =
  | 'change'
  | 'execute'
  | 'refuse'
  | 'pause'
  | 'reactivate'
  | 'complete'
  | 'cancel'
  | 'archive'
  | 'goOn';

/** The life of a campaign (contract: campaign status; reference, Campaigns: state machine). */
export const campaignMachine: Machine<CampaignStatus, CampaignEvent> = {
  of: 'campaign',
  states: campaignStatuses,
  events: {
    change: {
      meaning: 'Its fields are changed.',
      leads: { DRAFT: 'DRAFT', ACTIVE: 'ACTIVE', PAUSED: 'PAUSED' },
    },
    execute: {
      meaning:
        'Its media buys are placed, or those that failed are placed again. What runs is left as it is. Of one that is over, orders of which nobody knows whether they were taken are asked about, and nothing else.',
      leads: {
        DRAFT: 'ACTIVE',
        ACTIVE: 'ACTIVE',
        PAUSED: 'PAUSED',
        COMPLETED: 'COMPLETED',
        CANCELED: 'CANCELED',
        ARCHIVED: 'ARCHIVED',
      },
    },
    refuse: {
      meaning: 'None of its media buys lives, and nothing was delivered: it can be chosen for anew.',
      leads: { ACTIVE: 'DRAFT', PAUSED: 'DRAFT' },
    },
    pause: {
      meaning: 'Its sellers are told to hold what runs. It can be asked again while anything of it runs.',
      leads: { ACTIVE: 'PAUSED', PAUSED: 'PAUSED' },
    },
    reactivate: { meaning: 'Its sellers are told to go on.', leads: { PAUSED: 'ACTIVE' } },
    complete: {
      meaning: 'Its flight is over, or all its media buys have ended and something of them ran, or may have.',
      leads: { ACTIVE: 'COMPLETED', PAUSED: 'COMPLETED' },
    },
    cancel: {
      meaning:
        'It is called off for good, and its sellers are told; or its media buys were called off before anything of them ran. It can be asked again while a media buy of it lives, wherever the campaign stands. A draft is deleted instead.',
      leads: {
        ACTIVE: 'CANCELED',
        PAUSED: 'CANCELED',
        COMPLETED: 'COMPLETED',
        CANCELED: 'CANCELED',
        ARCHIVED: 'ARCHIVED',
      },
    },
    archive: {
      meaning:
        'It is deleted: out of lists, its media buys called off and archived. While one of them lives it is called off only, and archived by itself once none does.',
      leads: {
        DRAFT: 'ARCHIVED',
        ACTIVE: 'ARCHIVED',
        PAUSED: 'ARCHIVED',
        COMPLETED: 'ARCHIVED',
        CANCELED: 'ARCHIVED',
        ARCHIVED: 'ARCHIVED',
      },
    },
    goOn: {
      meaning: 'A media buy of it goes on at its seller, although all of it had come to nothing.',
      leads: { DRAFT: 'ACTIVE' },
    },
  },
};

/** A seller holds the order and may still have news of it. */
export const openStatuses = ['PENDING_APPROVAL', 'INPUT_REQUIRED', 'ACTIVE', 'PAUSED'] as const;

const open: ReadonlySet<string> = new Set(openStatuses);

export function isOpenStatus(status: MediaBuyStatus): boolean {
  return open.has(status);
}

/** Whether its seller has the order and has not taken it yet: it looks it over, or needs something first. */
export function isUndecided(status: MediaBuyStatus): boolean {
  return status === 'PENDING_APPROVAL' || status === 'INPUT_REQUIRED';
}

/** Whether its seller took the order: it runs, or is held until it is to go on. */
export function isBegun(status: MediaBuyStatus): boolean {
  return status === 'ACTIVE' || status === 'PAUSED';
}

/** Where one stands that came to its end: something of it may have been delivered. */
const ended: ReadonlySet<string> = new Set(['COMPLETED', 'CANCELED', 'ARCHIVED']);

export function hasEnded(status: MediaBuyStatus): boolean {
  return ended.has(status);
}

/** Whether its buyer put a buy away that its seller had taken: it is over for good. */
export function isPutAway({
  status,
  adcp_media_buy_id,
}: Pick<MediaBuyRow, 'status' | 'adcp_media_buy_id'>): boolean {
  return status === 'ARCHIVED' && adcp_media_buy_id !== null;
}

/** Whether a seller holds the order of a buy, or may hold it: it may run, and binds its budget. */
export function isLive({ status, submission }: Pick<MediaBuyRow, 'status' | 'submission'>): boolean {
  return isOpenStatus(status) || isUnresolved({ submission });
}

/** Whether nobody knows yet what became of the order. */
export function isUnresolved({ submission }: Pick<MediaBuyRow, 'submission'>): boolean {
  return submission === 'sending' || submission === 'unknown';
}

/** Whether its seller is asked for figures though it is over. */
export function isAwaited({ figures_awaited_since }: Pick<MediaBuyRow, 'figures_awaited_since'>): boolean {
  return figures_awaited_since !== null;
}

/** Whether no report that is believed has come since it was over: nobody knows yet what is owed. */
export function isUnreported(
  buy: Pick<MediaBuyRow, 'figures_awaited_since' | 'figures_reported_at'>,
): boolean {
  return isAwaited(buy) && buy.figures_reported_at === null;
}

/** The seller knows best: until a buy has come to its end, what it says holds, wherever the buy stood before. */
const wherever: readonly MediaBuyStatus[] = ['DRAFT', ...openStatuses];

export type BuyEvent =
  | 'send'
  | 'replace'
  | 'drop'
  | 'review'
  | 'ask'
  | 'run'
  | 'pause'
  | 'complete'
  | 'lapse'
  | 'cancel'
  | 'reject'
  | 'fail'
  | 'putAway'
  | 'find'
  | 'goOn';

/** The life of a media buy (reference, Media buys: statuses). */
export const buyMachine: Machine<MediaBuyStatus, BuyEvent> = {
  of: 'media buy',
  states: mediaBuyStatuses,
  events: {
    send: {
      meaning: 'The order is sent to its seller, for the first time or again.',
      leads: { DRAFT: 'DRAFT', FAILED: 'DRAFT', ARCHIVED: 'DRAFT' },
    },
    replace: {
      meaning: 'Its order was refused, and another one is sent to its seller in its place.',
      leads: { DRAFT: 'DRAFT', FAILED: 'DRAFT', REJECTED: 'DRAFT', ARCHIVED: 'DRAFT' },
    },
    drop: {
      meaning: 'Its order was refused, and the campaign is executed anew without its seller.',
      leads: { DRAFT: 'ARCHIVED', FAILED: 'ARCHIVED', REJECTED: 'ARCHIVED' },
    },
    review: {
      meaning: 'The seller looks it over, or answers the order with something that is no status of AdCP.',
      leads: leading(wherever, 'PENDING_APPROVAL'),
    },
    ask: { meaning: 'The seller needs something first.', leads: leading(wherever, 'INPUT_REQUIRED') },
    run: { meaning: 'The seller took it: it runs or will run.', leads: leading(wherever, 'ACTIVE') },
    pause: { meaning: 'The seller holds it.', leads: leading(wherever, 'PAUSED') },
    complete: { meaning: 'It has run its time.', leads: leading(wherever, 'COMPLETED') },
    lapse: {
      meaning: 'Its time went by before its seller had decided.',
      leads: { PENDING_APPROVAL: 'CANCELED', INPUT_REQUIRED: 'CANCELED' },
    },
    cancel: { meaning: 'It was called off.', leads: leading(wherever, 'CANCELED') },
    reject: { meaning: 'The seller will not have it.', leads: leading(wherever, 'REJECTED') },
    fail: {
      meaning: 'The order was refused, could not be sent, or nobody knows what became of it.',
      leads: leading(wherever, 'FAILED'),
    },
    putAway: {
      meaning: 'Its buyer had it put away, and its seller has called it off, wherever it stood by then.',
      leads: leading(mediaBuyStatuses, 'ARCHIVED'),
    },
    find: {
      meaning: 'Its seller had named it, and with that taken the order: it is asked what became of it.',
      leads: { FAILED: 'PENDING_APPROVAL' },
    },
    goOn: {
      meaning:
        'It was over, and its seller goes on showing it as one that runs or is held: it is bound again, and can be stopped.',
      leads: leading(['COMPLETED', 'CANCELED', 'FAILED', 'REJECTED', 'ARCHIVED'], 'ACTIVE'),
    },
  },
};

/**
 * What the buyer of a media buy may ask, and what it comes to once its seller has confirmed it. An order on its way
 * is left alone until it is answered.
 */
export const askMachine: Machine<MediaBuyStatus, ChangeAction> = {
  of: 'media buy, as its buyer asks',
  states: mediaBuyStatuses,
  events: {
    update: {
      meaning:
        'Its name, dates or packages are changed: the version that holds goes on until the seller confirms. An order that no seller holds is made anew.',
      leads: {
        DRAFT: 'DRAFT',
        PENDING_APPROVAL: 'PENDING_APPROVAL',
        INPUT_REQUIRED: 'PENDING_APPROVAL',
        ACTIVE: 'ACTIVE',
        PAUSED: 'PAUSED',
        FAILED: 'FAILED',
        REJECTED: 'REJECTED',
      },
    },
    pause: {
      meaning: 'It is to be held; one that its seller has yet to take, as soon as it runs.',
      leads: leading(['PENDING_APPROVAL', 'INPUT_REQUIRED', 'ACTIVE'], 'PAUSED'),
    },
    resume: { meaning: 'It is to go on.', leads: { PAUSED: 'ACTIVE' } },
    cancel: { meaning: 'It is to be called off, for good.', leads: leading(openStatuses, 'CANCELED') },
    archive: {
      meaning: 'It is to be put away; one that a seller holds is called off there first.',
      leads: leading(['DRAFT', 'FAILED', ...openStatuses], 'ARCHIVED'),
    },
  },
};

/** Whether it asks for less to be spent: that can be asked for as long as the buy lives. */
export function isStop(action: ChangeAction): boolean {
  return action === 'pause' || action === 'cancel' || action === 'archive';
}
