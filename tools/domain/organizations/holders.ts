/** Whom grants narrow and webhook subscriptions belong to: a credential as the audit log names it. */
export function holderOfKey(id: string): string {
  return `api_key:${id}`;
}
