import type { Kind } from '../../core/kinds.ts';

export const subscriptionKind: Kind = {
  type: 'WEBHOOK_SUBSCRIPTION',
  word: 'webhook subscription',
  lookUp: 'Find subscriptions with webhook_list.',
};
