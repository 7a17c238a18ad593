import { fromJson } from '../../../../store/engine/codec.ts';
import type { Db } from '../../../../store/engine/db.ts';
import type { MediaBuyChangeRow } from '../../../../store/media-buy-changes.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { changesBetween } from '../../../core/changes.ts';
import { changed, type Told, tellEvents } from '../../events/telling.ts';
import { toMajor } from '../../money.ts';
import { isAllHeld } from '../answers/held-packages.ts';
import { upToYou } from '../answers/pending-words.ts';
import { countsOf } from '../answers/performance.ts';
import { asksBuyer } from '../changes/change-states.ts';
import { isConfirmedLate } from '../changes/late-changes.ts';
import { partsOf } from './buy-parts.ts';

/** What is told when a media buy becomes another: pure, the rows before and after in. */
function eventsOfBuy(before: MediaBuyRow, after: MediaBuyRow): Told[] {
  const about = { campaignId: after.campaign_id, mediaBuyId: after.id, revision: after.revision };
  const parts = comparable(before, after);
  const updated = changed({ ...toldOf(before), ...parts.before }, { ...toldOf(after), ...parts.after });
  const delivered = changed(figuresOf(before), figuresOf(after));
  const waitsFor = waitedFor(before, after);
  const status = { status: { from: before.status, to: after.status } };
  const { pendingReason } = updated ?? {};
  const stands = pendingReason === undefined ? status : { ...status, pendingReason };
  const awaited = after.status === before.status ? (updated ?? status) : stands;
  return [
    ...(updated === undefined
      ? []
      : [{ event: 'media_buy.updated' as const, fields: { ...about, changes: updated } }]),
    ...(delivered === undefined
      ? []
      : [{ event: 'media_buy.delivery' as const, fields: { ...about, changes: delivered } }]),
    ...(waitsFor === undefined
      ? []
      : [{ event: 'approval.needed' as const, fields: { ...about, changes: awaited, waitsFor } }]),
  ];
}

const waiting: Readonly<Partial<Record<MediaBuyRow['status'], 'seller' | 'buyer'>>> = {
  PENDING_APPROVAL: 'seller',
  INPUT_REQUIRED: 'buyer',
};

/** Whoever has to act on what it became: nobody can take back what began too late for a daily cap. */
function waitedFor(before: MediaBuyRow, after: MediaBuyRow): 'seller' | 'buyer' | undefined {
  if (before.began_late_at === null && after.began_late_at !== null) return 'buyer';
  const wait = waitOf(after);
  return wait?.is === waitOf(before)?.is ? undefined : wait?.whom;
}

/** Who has to act on a buy that stands so, and what that is; undefined where nobody has to. */
function waitOf(buy: MediaBuyRow) {
  const { status, pending_reason } = buy;
  const whom = waiting[status];
  if (whom !== undefined) return { whom, is: status };
  if (isAllHeld(buy)) return { whom: 'buyer' as const, is: 'held' };
  const isYours = status === 'ACTIVE' && pending_reason !== null && upToYou[pending_reason] !== undefined;
  return isYours ? { whom: 'buyer' as const, is: pending_reason } : undefined;
}

function toldOf(buy: MediaBuyRow) {
  return {
    name: buy.name,
    status: buy.status,
    startTime: buy.start_time,
    endTime: buy.end_time,
    budget: toMajor(buy.budget_minor, buy.currency),
    pendingReason: buy.pending_reason,
    errorCode: buy.error_code,
  };
}

/** How many fields of parts one event tells of. */
const PARTS_MAX = 100;

/**
 * The parts of a buy before and after. Where packages of a seller take the place of products that were ordered, and
 * where more changed than an event holds, how many there are says that they are others.
 */
function comparable(before: MediaBuyRow, after: MediaBuyRow): Record<'before' | 'after', object> {
  if (!PARTS.some((column) => before[column] !== after[column])) return { before: {}, after: {} };
  const [had, has] = [fromJson(before.packages).length, fromJson(after.packages).length];
  const parts = { before: partsOf(before), after: partsOf(after) };
  const isSame = had > 0 === has > 0;
  if (isSame && Object.keys(changesBetween(parts.before, parts.after)).length <= PARTS_MAX) return parts;
  return { before: { packages: had }, after: { packages: isSame ? `others: ${has}` : has } };
}

const PARTS = ['packages', 'products', 'pacing_periods', 'optimization_goals'] as const;

function figuresOf(buy: MediaBuyRow) {
  const { impressions, clicks, spend_minor, currency } = buy;
  return { impressions, clicks, spend: toMajor(spend_minor, currency), ...countsOf(buy) };
}

/** Stores what is told of a buy that became another, inside the transaction that wrote it. */
export function tellOfBuy(
  db: Db,
  before: MediaBuyRow,
  { after, now }: { readonly after: MediaBuyRow; readonly now: string },
): Promise<void> {
  return tellEvents(db, after, { told: eventsOfBuy(before, after), now });
}

/**
 * Stores that a change of a buy begins to wait, or for another, was refused, or came to be with a warning; of the rest
 * nothing.
 */
export async function tellOfChange(
  db: Db,
  before: MediaBuyChangeRow,
  { change, buy }: { change: MediaBuyChangeRow; buy: MediaBuyRow },
): Promise<void> {
  const isWarned = isConfirmedLate(change);
  const isMoved = change.state !== before.state || asksBuyer(change) !== asksBuyer(before);
  if (!isMoved || !(isWarned || change.state === 'waiting' || change.state === 'refused')) return;
  const { organization_id, customer_id, advertiser_id } = buy;
  const { id, version, updated_at } = change;
  const subject = { organization_id, customer_id, advertiser_id, id, version };
  const changes = { change: { from: before.state, to: change.state } };
  const about = { campaignId: buy.campaign_id, mediaBuyId: buy.id, revision: buy.revision };
  const told: Told =
    change.state === 'refused'
      ? { event: 'media_buy.updated', fields: { ...about, changes } }
      : {
          event: 'approval.needed',
          fields: { ...about, changes, waitsFor: isWarned || asksBuyer(change) ? 'buyer' : 'seller' },
        };
  await tellEvents(db, subject, { told: [told], now: updated_at });
}
