import type { WebhookDeliveryRow } from '../../../store/webhooks.ts';

/**
 * What a delivery is called beyond this service: by whom it is for, and what it tells them. The number of its row
 * would tell how many events others have.
 */
export function deliveryName({
  id,
  subscription_id,
  told,
}: Pick<WebhookDeliveryRow, 'id' | 'subscription_id' | 'told'>): string {
  return told === null ? String(id) : `${subscription_id}.${told}`;
}
