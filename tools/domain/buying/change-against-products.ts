import type { CampaignRow } from '../../../store/campaigns.ts';
import { type DiscoverySelectionRow, listSelections } from '../../../store/discovery-selections.ts';
import { fromJson } from '../../../store/engine/codec.ts';
import type { MediaBuyRow } from '../../../store/media-buys.ts';
import type { Context } from '../../core/context.ts';
import type { Issue } from '../../core/errors/app-error.ts';
import { outsideProduct } from '../targeting/products.ts';
import { wrongBid } from './bids.ts';
import type { WantedPackage } from './change-packages.ts';
import type { Found } from './change-standing.ts';
import { productOf } from './change-targeting.ts';

/** What is asked of packages, held against the products that were bought, as it was when they were chosen. */
export async function againstProducts(
  ctx: Context,
  { discovery_id: sessionId }: Pick<CampaignRow, 'discovery_id'>,
  found: readonly Found[],
): Promise<Issue[]> {
  const isAsked = found.some(({ wanted }) => wanted.packages?.some(isOfProducts));
  if (!isAsked || sessionId === null) return [];
  const chosen = await listSelections(ctx.db, ctx.scope, sessionId);
  return found.flatMap(({ buy, wanted: { packages = [], called } }) =>
    packages.flatMap((wanted, index) =>
      problemsOf(buy, wanted, chosen).map(({ path, message }) => ({
        path: called(`packages.${index}.${path}`),
        message,
      })),
    ),
  );
}

function isOfProducts({ targetingOverlay, bidPrice }: WantedPackage): boolean {
  return targetingOverlay !== undefined || bidPrice !== undefined;
}

function problemsOf(
  buy: MediaBuyRow,
  { packageId, targetingOverlay = {}, bidPrice }: WantedPackage,
  chosen: readonly DiscoverySelectionRow[],
): Issue[] {
  const part = fromJson(buy.packages).find(({ package_id }) => package_id === packageId);
  const bought = part && productOf(fromJson(buy.products), part);
  const row = chosen.find(
    ({ agent_id, product_id }) => agent_id === buy.agent_id && product_id === bought?.product_id,
  );
  if (row === undefined) return [];
  const product = fromJson(row.product);
  const option = product.pricingOptions.find(
    ({ pricingOptionId }) => pricingOptionId === bought?.pricing_option_id,
  );
  const outside = outsideProduct(targetingOverlay, product);
  const wrong = option === undefined || bidPrice === undefined ? undefined : wrongBid(option, bidPrice);
  return [
    ...(outside === undefined
      ? []
      : [{ path: `targetingOverlay.${outside.field}`, message: outside.message }]),
    ...(wrong === undefined ? [] : [{ path: 'bidPrice', message: wrong }]),
  ];
}
