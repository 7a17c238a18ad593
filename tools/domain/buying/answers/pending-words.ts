import type { pendingReasons } from '../../../../store/media-buys.ts';

/** What a media buy waits for, in words. */
export const reasonsInWords: Readonly<Record<(typeof pendingReasons)[number], string>> = {
  awaiting_storefront_approval: 'The storefront has not approved the order yet.',
  awaiting_source_moderation: 'A seller has not approved its order yet.',
  creative_processing_at_source: 'A seller is still processing the creatives.',
  awaiting_creative_approval: 'A seller has not approved the creatives yet.',
  no_creatives_attached: 'A seller waits for creatives.',
  source_rejected_creatives: 'A seller rejected the creatives.',
  forward_failed_retrying: 'The order did not reach its seller, and is sent again.',
  forward_failed_needs_correction: 'The seller refused the order as it stands.',
  accepted_awaiting_trafficking: 'A seller took the order or change, and has not carried it out yet.',
  scheduled_not_started: 'The flight has not begun.',
};
