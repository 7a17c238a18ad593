import type { CampaignRow } from '../../../../store/campaigns.ts';
import type { DiscoverySessionRow } from '../../../../store/discovery-sessions.ts';
import { currencyMismatch } from '../../../core/errors/money-refusals.ts';
import { openedWith } from '../../discovery-opening.ts';

interface Named {
  readonly field: string;
  /** What begins another one. */
  readonly begunBy?: string;
}

/**
 * A choice is priced in the currency that its advertiser had when its session began, which may be another one until the
 * first campaign: its budgets are sums of no other.
 */
export function requireSameCurrency(
  session: Pick<DiscoverySessionRow, 'request'>,
  { currency }: Pick<CampaignRow, 'currency'>,
  { field, begunBy = 'discover_products' }: Named,
): void {
  const { currency: own } = openedWith(session);
  if (own === currency) return;
  throw currencyMismatch(field, `It was begun in ${own}, and the campaign pays in ${currency}.`, {
    suggestion: `Begin another with ${begunBy}, which asks in ${currency}, and choose there.`,
  });
}
