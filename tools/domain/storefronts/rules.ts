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

/** How many inventory sources there are, and how many of them can be asked. */
export interface SourceCounts {
  readonly all: number;
  readonly active: number;
}

export interface ReadinessCheck {
  readonly id: string;
  readonly name: string;
  readonly status: 'complete' | 'missing';
}

/** Every state that buyers can ask for (contract: displayStatus); no storefront here is neutral. */
export const askedStatuses = [...displayStatuses, 'neutral'] as const;

/** What must be there before a storefront opens for business; each missing check is a blocker. */
export function readinessChecks(
  storefront: Pick<StorefrontRow, 'default_currency'>,
  sources: SourceCounts,
): ReadinessCheck[] {
  const check = (id: string, name: string, passes: boolean): ReadinessCheck => ({
    id,
    name,
    status: passes ? 'complete' : 'missing',
  });
  return [
    check('inventory_sources', 'An inventory source is there', sources.all > 0),
    check('agent_status', 'A source is active', sources.active > 0),
    check('currency_confirmed', 'The default currency is set', storefront.default_currency !== null),
  ];
}

export const effectiveStatuses = ['archived', 'paused', 'blocked', 'live'] as const;

export interface Readiness {
  readonly canTransact: boolean;
  readonly effectiveStatus: (typeof effectiveStatuses)[number];
  readonly blockerIds: string[];
}

/** Whether buyers can buy from a storefront now, and if not, what is in the way. */
export function readinessOf(
  storefront: Pick<StorefrontRow, 'archived_at' | 'is_paused' | 'transacting' | 'default_currency'>,
  sources: SourceCounts,
): Readiness {
  const missing = readinessChecks(storefront, sources).filter(({ status }) => status === 'missing');
  const blockerIds = [
    ...missing.map(({ id }) => id),
    ...(storefront.transacting === 1 ? [] : ['not_transacting']),
  ];
  const shown = displayStatus(storefront);
  if (shown === 'archived' || shown === 'paused')
    return { canTransact: false, effectiveStatus: shown, blockerIds };
  const canTransact = blockerIds.length === 0;
  return { canTransact, effectiveStatus: canTransact ? 'live' : 'blocked', blockerIds };
}
