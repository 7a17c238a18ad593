import { toJson } from '../../../../store/engine/codec.ts';
import type { ProposedBuy } from '../../../../store/media-buy-changes.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';

/** The columns that a confirmed change writes. */
export function columnsProposed({
  products,
  packages,
  optimization_goals: goals,
  ...columns
}: ProposedBuy): Partial<MediaBuyRow> {
  return {
    ...columns,
    ...(goals === undefined ? {} : { optimization_goals: toJson(goals) }),
    ...(products === undefined ? {} : { products: toJson(products) }),
    ...(packages === undefined ? {} : { packages: toJson(packages) }),
  };
}
