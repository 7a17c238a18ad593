/**
 * What came from outside as text: nothing of what is no scalar, because an object may bring a `toString` that throws.
 */
export function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}
