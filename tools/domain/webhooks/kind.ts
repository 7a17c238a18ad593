import type { Kind } from '../../core/kinds.ts';
import { lookUps } from '../look-ups.ts';

export const subscriptionKind: Kind = {
  type: 'WEBHOOK_SUBSCRIPTION',
  word: 'webhook subscription',
  lookUp: lookUps.subscription,
};
