import { z } from 'zod';
import type { BuyPackage } from '../../../../store/media-buy-packages.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { onceOf } from '../../../core/once.ts';
import { grossBudgetOf } from '../../ledger/pricing.ts';
import { toMajor } from '../../money.ts';
import { packagesIn } from '../buy-packages.ts';
import { type Held, productOfPackage } from '../choice/package-products.ts';
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
 * The budget of a package of a buy in major units, with the fee in it, as a change of it is to be told; null where the
 * seller names none. A seller is told its part, so that the fee is added to what it says. One that was called off has
 * what it spent.
 */
export function packageBudget(buy: Bought, { package_id }: Pick<BuyPackage, 'package_id'>): number | null {
  return packageBudgets(buy).get(package_id) ?? null;
}

/** Of all packages of a buy, by their ids. */
const packageBudgets = onceOf((buy: Bought): ReadonlyMap<string, number | null> => {
  const ofProduct = onceOf(({ product, parts }: Held) =>
    grossAmong(parts, { budgetMinor: product.budget_minor, feeBps: buy.fee_bps }),
  );
  const grossOf = (part: BuyPackage): number | undefined => {
    if (part.kept_minor !== undefined) return part.kept_minor;
    if (isReleased(buy, part)) return 0;
    const mine = productOfPackage(buy, part);
    return (mine && ofProduct(mine).get(part.package_id)) ?? ownGross(part, buy.fee_bps);
  };
  return new Map(
    packagesIn(buy).map((part) => {
      const gross = grossOf(part);
      return [part.package_id, gross === undefined ? null : toMajor(gross, buy.currency)];
    }),
  );
});

/** Whether a package is called off, and its product has the budgets of the others alone. */
export function isReleased(buy: Bought, part: BuyPackage): boolean {
  if (part.canceled !== true) return false;
  const mine = productOfPackage(buy, part);
  if (mine === undefined) return false;
  const own = grossBudgetOf(part.budget_minor ?? 0, buy.fee_bps);
  // Fees are rounded package by package: what is nearer to the others than to all is theirs.
  return mine.product.budget_minor <= goingIn(buy)(mine) + own / 2;
}

/** What the packages of a product that go on have together. */
const goingIn = onceOf(({ fee_bps }: Bought) =>
  onceOf(({ parts }: Held) =>
    parts
      .filter(({ canceled }) => canceled !== true)
      .reduce((sum, { budget_minor }) => sum + grossBudgetOf(budget_minor ?? 0, fee_bps), 0),
  ),
);
