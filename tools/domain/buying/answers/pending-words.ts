import { type MediaBuyRow, type MediaBuyStatus, pendingReasons } from '../../../../store/media-buys.ts';

/** What a buy waits for that reads so at its seller. */
export function reasonFor(adcpStatus: string, status: MediaBuyStatus): MediaBuyRow['pending_reason'] {
  if (adcpStatus === 'pending_creatives') return 'no_creatives_attached';
  if (adcpStatus === 'pending_start') return 'scheduled_not_started';
  return lookedOver(status);
}

/** What a seller needs of the buyer first is none of the reasons of the contract: the status says it. */
export function lookedOver(status: MediaBuyStatus): MediaBuyRow['pending_reason'] {
  return status === 'PENDING_APPROVAL' ? 'awaiting_source_moderation' : null;
}

/** What keeps a media buy from running as it should: what it waits for, or what somebody has to see to. */
export const blockers = [
  ...pendingReasons,
  'input_required',
  'order_unknown',
  'order_failed',
  'runs_on',
  'nothing_left',
  'packages_held',
  'change_refused',
  'awaiting_spend_approval',
] as const;
export type Blocker = (typeof blockers)[number];

/** The same in words. */
export const blockersInWords: Readonly<Record<Blocker, string>> = {
  awaiting_storefront_approval: 'The storefront has not approved the order yet.',
  awaiting_source_moderation: 'A seller has not approved its order yet.',
  creative_processing_at_source: 'A seller is still processing the creatives.',
  awaiting_creative_approval: 'A seller has not approved the creatives yet.',
  no_creatives_attached: 'A seller waits for creatives.',
  source_rejected_creatives: 'A seller rejected the creatives.',
  forward_failed_retrying: 'The order did not reach its seller, and is sent again.',
  forward_failed_needs_correction:
    'A seller refused the order as it stands, or it was kept back: source_message of its media buy says why.',
  accepted_awaiting_trafficking: 'A seller took the order or change, and has not carried it out yet.',
  scheduled_not_started: 'The flight has not begun.',
  order_unknown: 'Nobody knows whether a seller took its order: media_buy_get says what to do.',
  order_failed:
    'An order failed: error_code and error_owner of its media buy say why, and who can mend that.',
  runs_on:
    'A media buy goes on though its campaign was stopped, or though it was over: its source_message says what to call.',
  nothing_left: 'All packages of a media buy were called off: end it.',
  change_refused:
    'A seller refused a change, and its media buy stays as it was: message of its change, or media_buy_get, says why.',
  packages_held: 'A seller holds packages of its media buy: media_buy_get says which, and what to do.',
  awaiting_spend_approval: 'Another person has to allow what it spends.',
  input_required:
    'A seller needs something of you first: source_message of its media buy, or message of its change, says what.',
};

/** What whoever bought has to do; the other reasons are the matter of others, or pass by themselves. */
export const upToYou: Readonly<Partial<Record<(typeof pendingReasons)[number], string>>> = {
  no_creatives_attached: 'You: give them to the seller.',
  source_rejected_creatives: 'You: give the seller others.',
  forward_failed_needs_correction: 'You: change what sourceMessage names.',
};
