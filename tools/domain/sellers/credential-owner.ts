/** The row that the credential of an inventory source is encrypted for. */
export function authOwner(sourceKey: string): string {
  return `inventory_sources:${sourceKey}`;
}
