import { fromJson } from '../../../store/engine/codec.ts';
import type { Db } from '../../../store/engine/db.ts';
import type { BuyPackage, MediaBuyRow } from '../../../store/media-buys.ts';
import type { AuditSubject } from '../../core/audit.ts';
import { changesBetween } from '../../core/changes.ts';
import type { Context } from '../../core/context.ts';
import { toMajor } from '../money.ts';
import type { RecordedChange } from './change-recording.ts';
import { orderLines, packagesNow } from './package-lines.ts';
import { mediaBuyKind } from './reach.ts';

/** Media buys as the audit log tells of them. */

/** The entry of a buy that was changed; the reason is that of this buy alone. */
export function buyEntry(
  { before, after }: { readonly before: MediaBuyRow; readonly after: MediaBuyRow },
  reason: string | null = null,
) {
  return {
    kind: mediaBuyKind,
    resourceId: after.id,
    resourceName: after.name,
    advertiserId: after.advertiser_id,
    action: 'UPDATE',
    reason,
    changes: changesBetween(loggedBuy(before), loggedBuy(after)),
  } satisfies AuditSubject;
}

/** Entries for the buys of a campaign that no seller had to be asked about; those of the others follow the answers. */
export async function logChangedHere(
  tx: Db,
  ctx: Pick<Context, 'writeIn'>,
  recorded: readonly RecordedChange[],
): Promise<void> {
  for (const { change, before, buy: after } of recorded) {
    if (change.state !== 'confirmed') continue;
    await ctx.writeIn(tx, async () => {}, buyEntry({ before, after }, change.reason));
  }
}

/**
 * What can be asked of a buy, part by part: `packages.pkg_1.bid_price`, and of one that no seller holds
 * `products.prd_1.budget`. Money in major units. What was not said of a part is what it was ordered as.
 */
function loggedBuy(buy: MediaBuyRow): Readonly<Record<string, unknown>> {
  const { currency, optimization_goals: goals, pacing_periods: periods } = buy;
  const packages = packagesNow(buy).map(({ package_id: id, product_id: _same, ...part }) =>
    loggedPart(`packages.${id}`, part, currency),
  );
  const lines = orderLines(buy);
  const products = fromJson(buy.products).map(
    ({ product_id: id, name: _named, format_ids: _fixed, ...part }) => {
      const pacing = part.pacing ?? lines.find(({ product_id }) => product_id === id)?.pacing;
      return loggedPart(`products.${id}`, pacing === undefined ? part : { ...part, pacing }, currency);
    },
  );
  return {
    name: buy.name,
    status: buy.status,
    start_time: buy.start_time,
    end_time: buy.end_time,
    budget: toMajor(buy.budget_minor, currency),
    optimization_goals: goals === null ? undefined : fromJson(goals),
    pacing_periods: periods === null ? undefined : fromJson(periods),
    ...Object.fromEntries((packages.length > 0 ? packages : products).flat()),
  };
}

function loggedPart(
  at: string,
  { budget_minor: minor, ...others }: Pick<BuyPackage, 'budget_minor'>,
  currency: string,
): [string, unknown][] {
  const budget = minor === null ? null : toMajor(minor, currency);
  return Object.entries({ budget, ...others }).map(([field, value]) => [`${at}.${field}`, value]);
}
