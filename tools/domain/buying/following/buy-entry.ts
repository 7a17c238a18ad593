import type { Db } from '../../../../store/engine/db.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import type { AuditSubject } from '../../../core/audit.ts';
import { ASKED, changesBetween } from '../../../core/changes.ts';
import type { Context } from '../../../core/context.ts';
import { toMajor } from '../../money.ts';
import { countsOf } from '../answers/performance.ts';
import { packagesAlone } from '../changes/awaited-words.ts';
import { proposedNow } from '../changes/proposed-now.ts';
import { partsOf } from '../orders/buy-parts.ts';
import { mediaBuyKind } from '../reach.ts';
import { columnsProposed } from '../spend/columns-proposed.ts';
import { changesOfBuy } from './buy-difference.ts';
import type { RecordedChange } from './change-recording.ts';

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
    changes: changesOfBuy(before, after, loggedBuy),
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
 * What the entry of a campaign tells of its media buys: what was asked of each, and where no seller had to be asked,
 * what it came to. What changed of a buy stands in an entry of its own.
 */
export function askedOfBuys(recorded: readonly RecordedChange[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(recorded.flatMap(askedOf));
}

function askedOf({ change, before, buy }: RecordedChange): (readonly [field: string, values: object])[] {
  const to = change.state === 'confirmed' ? buy.status : ASKED;
  const parts = packagesAlone(change);
  if (parts.length === 0) return [[`mediaBuys.${buy.id}.${change.action}`, { from: before.status, to }]];
  // The media buy goes on: it is asked of these.
  return parts.map((part) => [`mediaBuys.${buy.id}.packages.${part}.${change.action}`, { from: null, to }]);
}

/** What a seller was asked for beside the status: it holds once that confirms it. */
export function askedIn({ change, before }: RecordedChange): Readonly<Record<string, unknown>> {
  const wanted = { ...before, ...columnsProposed(proposedNow(change, before)) };
  const fields = Object.entries(changesOfBuy(before, wanted, loggedBuy));
  return Object.fromEntries(fields.map(([field, values]) => [`asked.${field}`, values]));
}

/** Figures that came with the answer to a change; the same ones once more are no news. */
export function figuresTold(before: MediaBuyRow, after: MediaBuyRow) {
  const told = changesBetween(loggedFigures(before), loggedFigures(after));
  return Object.keys(told).every((field) => field === LAST_UPDATED) ? {} : told;
}

const LAST_UPDATED = 'performance.last_updated';

/** What was delivered of a buy, in the words and units of its record. */
export function loggedFigures(buy: MediaBuyRow): Readonly<Record<string, unknown>> {
  const counts = Object.entries(countsOf(buy)).map(([name, count]) => [`performance.${name}`, count]);
  return {
    ...Object.fromEntries(counts),
    'performance.impressions': buy.impressions,
    'performance.spend': toMajor(buy.spend_minor, buy.currency),
    'performance.clicks': buy.clicks,
    [LAST_UPDATED]: buy.performance_at,
  };
}

/** What can be asked of a buy, as it was or is. */
export function loggedBuy(buy: MediaBuyRow): Readonly<Record<string, unknown>> {
  return {
    name: buy.name,
    status: buy.status,
    start_time: buy.start_time,
    end_time: buy.end_time,
    budget: toMajor(buy.budget_minor, buy.currency),
    ...partsOf(buy),
  };
}
