import { findReceiver, reachesNow } from '../../store/unscoped/webhook-receivers.ts';
import type { WebhookDeliveryRow, WebhookSubscriptionRow } from '../../store/webhooks.ts';
import type { Services } from '../../tools/core/context.ts';
import { nowOf } from '../../tools/core/moments.ts';
import { agentIdIn } from '../../tools/domain/agents/desk.ts';
import { agentStands } from '../../tools/domain/agents/living-agents.ts';
import { secretOwner } from '../../tools/domain/webhooks/secret-owner.ts';

/** Why an event is not sent any more that was due when it happened. None of it says anything of the receiver. */
export type Unsent =
  | 'organization_suspended'
  | 'credential_ended'
  | 'beyond_grants'
  /** The subscription, or what it would tell of. */
  | 'gone'
  /** It was encrypted with a key that is not here. */
  | 'secret_not_opened';

/**
 * Asks again, when an event is about to go out, what was asked when it happened: it may have waited. What carries
 * the reach of a credential ends with it, whether somebody ended that or it expired. Subscriptions that nothing
 * bounds are the account's, and outlive the credential that made them; those of an agent do not.
 */
export async function whyUnsent(
  { store: { db }, ports }: Services,
  delivery: Pick<WebhookDeliveryRow, 'subscription_id' | 'session_id' | 'event'>,
): Promise<Unsent | undefined> {
  const receiver = await findReceiver(db, delivery);
  if (receiver === undefined) return undefined;
  if (receiver.suspended_at !== null) return 'organization_suspended';
  const now = nowOf(ports.clock);
  const agentId = agentIdIn(receiver.principal);
  if (agentId !== undefined && !(await agentStands(db, { id: agentId, now }))) return 'credential_ended';
  if (receiver.bounded === 0) return undefined;
  const { subscription_id: subscriptionId } = delivery;
  const reaches = await reachesNow(db, { subscriptionId, advertiserId: receiver.advertiser_id, now });
  return reaches ? undefined : 'beyond_grants';
}

/** Undefined where it was encrypted with a key that is not here: nothing can be signed then, and nothing is begun. */
export function secretOf(
  { ports, log }: Services,
  { id, secret }: Pick<WebhookSubscriptionRow, 'id' | 'secret'>,
): string | undefined {
  try {
    return ports.secrets.open(secret, secretOwner(id));
  } catch (err) {
    log.error({ err, subscriptionId: id }, 'an event is not sent: the secret that signs it cannot be opened');
    return undefined;
  }
}
