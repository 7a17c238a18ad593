import { fromJson } from '../../../../store/engine/codec.ts';
import type { MediaBuyChangeRow, ProposedBuy } from '../../../../store/media-buy-changes.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { roundToMinor } from '../../money.ts';
import type { ShownBuy } from '../../sellers/port.ts';
import { otherCurrency } from '../../sellers/seller-package.ts';
import { holdsAll } from '../choice/package-of-all.ts';
import { updateIn } from '../payloads.ts';

/** Sellers that merge what was ordered into one package while a change of its budgets waits for them. */

type Asked = Pick<MediaBuyChangeRow, 'action' | 'payload'> & Partial<Pick<MediaBuyChangeRow, 'proposed'>>;

/**
 * Whether the only package that a report lists shows what all products are to have by the change: its budgets were
 * taken then, though no package shows the one that was asked for it. Pure.
 */
export function isMergedAsAsked(
  change: Asked,
  { currency, fee_bps: feeBps }: Pick<MediaBuyRow, 'currency' | 'fee_bps'>,
  { packages: [only, ...others] }: ShownBuy,
): boolean {
  if (only === undefined || others.length > 0 || only.canceled === true) return false;
  const { products, packages: known = [] } = budgetsProposed(change);
  if (products === undefined || known.length < 2) return false;
  const { package_id, product_id, budget, listedApart: listed_apart } = only;
  const budget_minor = budget === null ? null : (roundToMinor(budget, currency) ?? null);
  const shown_in = otherCurrency(only, currency);
  const part = { package_id, product_id: product_id ?? null, budget_minor, shown_in, listed_apart };
  return holdsAll(part, { products, known, feeBps, lines: products.length });
}

/** What it makes of the order, where it is about budgets. */
function budgetsProposed(change: Asked): ProposedBuy {
  const isOfBudgets =
    change.action === 'update' && updateIn(change).packages?.some(({ budget }) => budget !== undefined);
  return isOfBudgets === true && change.proposed !== undefined ? fromJson(change.proposed) : {};
}
