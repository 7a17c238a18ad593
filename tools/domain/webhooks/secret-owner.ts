/** The row that the signing secret of a subscription is encrypted for. */
export function secretOwner(subscriptionId: string): string {
  return `webhook_subscriptions:${subscriptionId}`;
}
