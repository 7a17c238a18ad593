import { z } from 'zod';
import { fromJson } from '../../../../store/engine/codec.ts';
import type { BuyPackage } from '../../../../store/media-buy-packages.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { grossBudgetOf } from '../../ledger/pricing.ts';
import { toMajor } from '../../money.ts';
import { productWith } from '../choice/package-products.ts';
import { mediaOf, spentOf } from './buy-commitment.ts';
import { grossAmong, ownGross } from './package-budgets.ts';

export const budgetPartsFields = {
  budget_denomination: z.literal('gross').describe('The fee is part of the budget.'),
  budget_breakdown: z
    .object({
      media_budget: z.number().describe('What its seller gets of the budget.'),
      fee_amount: z.number().describe('The rest, which is the fee.'),
      fee_rate_percent: z.number().describe('The fee as a percentage of the budget.'),
      effective_gross_cpm: z
        .number()
        .nullable()
        .describe('What a thousand impressions cost, fee and all; null before there are any.'),
    })
    .describe('How the budget is divided.'),
};

/** How the budget of a buy is divided between its seller and the service (contract: budget_breakdown). */
export function budgetParts(buy: MediaBuyRow) {
  const { budget_minor, currency, fee_bps, impressions } = buy;
  const media = mediaOf(buy);
  return {
    budget_denomination: 'gross' as const,
    budget_breakdown: {
      media_budget: toMajor(media, currency),
      fee_amount: toMajor(budget_minor - media, currency),
      fee_rate_percent: fee_bps / 100,
      effective_gross_cpm:
        impressions === 0 ? null : toMajor(Math.round((spentOf(buy) * 1_000) / impressions), currency),
    },
  };
}

type Bought = Pick<MediaBuyRow, 'products' | 'packages' | 'fee_bps' | 'currency'>;

/**
 * The budget of a package in major units, with the fee in it, as a change of it is to be told; null where the seller
 * names none. A seller is told its part, so that the fee is added to what it says. One that was called off has what it
 * spent.
 */
export function packageBudget(buy: Bought, part: BuyPackage): number | null {
  const { kept_minor } = part;
  if (kept_minor !== undefined) return toMajor(kept_minor, buy.currency);
  if (isReleased(buy, part)) return 0;
  const mine = productOfPackage(buy, part);
  const { fee_bps: feeBps } = buy;
  const ofProduct =
    mine && grossAmong(mine.parts, { budgetMinor: mine.product.budget_minor, feeBps }).get(part.package_id);
  const gross = ofProduct ?? ownGross(part, feeBps);
  return gross === undefined ? null : toMajor(gross, buy.currency);
}

/** Whether a package is called off, and its product has the budgets of the others alone. */
export function isReleased(buy: Bought, part: BuyPackage): boolean {
  if (part.canceled !== true) return false;
  const mine = productOfPackage(buy, part);
  const gross = (minor: number | null) => grossBudgetOf(minor ?? 0, buy.fee_bps);
  const others = (mine?.parts ?? [])
    .filter(({ canceled }) => canceled !== true)
    .reduce((sum, one) => sum + gross(one.budget_minor), 0);
  // Fees are rounded package by package: what is nearer to the others than to all is theirs.
  return mine !== undefined && mine.product.budget_minor <= others + gross(part.budget_minor) / 2;
}

/** The product of a package, with all its packages; undefined where that cannot be told. */
export function productOfPackage(buy: Bought, { package_id }: BuyPackage) {
  const packages = fromJson(buy.packages);
  const part = packages.find((one) => one.package_id === package_id);
  return part && productWith(fromJson(buy.products), packages, part);
}
