import type { InventorySourceRow } from '../../../store/inventory-sources.ts';
import type { StorefrontRow } from '../../../store/storefronts.ts';

export const displayStatuses = ['configuring', 'transacting', 'paused', 'archived'] as const;

/** What a storefront's three switches add up to. */
export function displayStatus(
  storefront: Pick<StorefrontRow, 'archived_at' | 'is_paused' | 'transacting'>,
): (typeof displayStatuses)[number] {
  if (storefront.archived_at !== null) return 'archived';
  if (storefront.is_paused === 1) return 'paused';
  return storefront.transacting === 1 ? 'transacting' : 'configuring';
}

export interface ReadinessCheck {
  readonly id: string;
  readonly name: string;
  readonly status: 'complete' | 'missing';
}

/** What must be there before a storefront opens for business; each missing check is a blocker. */
export function readinessChecks(
  storefront: Pick<StorefrontRow, 'default_currency'>,
  sources: readonly Pick<InventorySourceRow, 'status'>[],
): ReadinessCheck[] {
  const check = (id: string, name: string, passes: boolean): ReadinessCheck => ({
    id,
    name,
    status: passes ? 'complete' : 'missing',
  });
  return [
    check('inventory_sources', 'An inventory source is there', sources.length > 0),
    check(
      'agent_status',
      'A source is active',
      sources.some(({ status }) => status === 'ACTIVE'),
    ),
    check('currency_confirmed', 'The default currency is set', storefront.default_currency !== null),
  ];
}
