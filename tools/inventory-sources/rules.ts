import type { InventorySourceRow } from '../../store/inventory-sources.ts';

type Parts = Pick<InventorySourceRow, 'execution_type' | 'authentication_type' | 'auth'>;

/** A source is usable once whoever it sells through can be signed in at. */
export function isConnected(source: Parts): boolean {
  if (source.execution_type === 'MANAGED_SALES_AGENT') return true;
  return source.authentication_type === 'NO_AUTH' || source.auth !== null;
}

export type StatusChange = { readonly status: InventorySourceRow['status'] } | { readonly refusal: string };

/**
 * PENDING becomes ACTIVE with its credential; ACTIVE and DISABLED change places; nothing goes back to PENDING
 * (reference: inventory sources, state machine).
 */
export function nextStatus(
  source: Parts & Pick<InventorySourceRow, 'status'>,
  wanted: InventorySourceRow['status'] | undefined,
): StatusChange {
  const connected = isConnected(source);
  const status = wanted ?? (source.status === 'PENDING' && connected ? 'ACTIVE' : source.status);
  if (status === 'ACTIVE' && !connected) return { refusal: 'It cannot be ACTIVE without a credential.' };
  if (status === 'PENDING' && source.status !== 'PENDING')
    return { refusal: 'Nothing goes back to PENDING.' };
  return { status };
}
