import { findSubscription, type WebhookSubscriptionRow } from '../../../store/webhooks.ts';
import type { Context } from '../../core/context.ts';
import { accessDenied, beyondSandbox } from '../../core/errors/refusals.ts';
import type { Kind } from '../../core/kinds.ts';
import { present } from '../../core/reach.ts';
import { lookUps } from '../../domain/look-ups.ts';
import { holderOf } from '../../domain/organizations/holders.ts';

export const subscriptionKind: Kind = {
  type: 'WEBHOOK_SUBSCRIPTION',
  word: 'webhook subscription',
  lookUp: lookUps.subscription,
};

/**
 * Whose subscriptions a caller deals with: null for all of the account; narrowed by grants, those with the same grants
 * alone: its own, and what other credentials of its person made.
 */
export function holderSeenBy({ scope, caller }: Context): string | null {
  return scope.advertiserIds === null ? null : holderOf(caller);
}

export async function reachSubscription(ctx: Context, id: string): Promise<WebhookSubscriptionRow> {
  const { word } = subscriptionKind;
  const row = present(await findSubscription(ctx.db, ctx.scope, id), subscriptionKind);
  const holder = holderSeenBy(ctx);
  if (holder !== null && row.holder !== holder) throw accessDenied(word);
  if (ctx.sandboxOnly && row.sandbox === 0) throw beyondSandbox(word);
  return row;
}
