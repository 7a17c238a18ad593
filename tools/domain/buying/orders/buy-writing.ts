import { toJson } from '../../../../store/engine/codec.ts';
import type { Db } from '../../../../store/engine/db.ts';
import { tenantOfRow } from '../../../../store/engine/scope.ts';
import { insertMediaBuyVersion, pruneMediaBuyVersions } from '../../../../store/media-buy-versions.ts';
import { type MediaBuyRow, updateMediaBuy } from '../../../../store/media-buys.ts';
import type { Limits } from '../../../core/limits.ts';
import { withdrawOfBuy } from '../../approvals/withdrawing.ts';
import type { Posted } from '../../ledger/book.ts';
import type { BuyChange } from '../answers/buy-status.ts';
import { unlessNamedTwice } from '../answers/named-twice.ts';
import { countsOf } from '../answers/performance.ts';
import { withEndedThere } from '../changes/ended-by-seller.ts';
import { keptByReport } from '../changes/kept-budgets.ts';
import { neverConfirmed, takenAtEnd } from '../changes/taken-raises.ts';
import { isLive } from '../machines.ts';
import { settleCommitment, spentOf } from '../spend/buy-commitment.ts';
import { followChange } from '../spend/change-commitments.ts';
import { heldWith } from '../spend/held-spend.ts';
import { lateBeginning } from '../spend/late-beginnings.ts';
import { spentBy, spentSoFar } from '../spend/pace.ts';
import { awaitedSince } from './awaited-since.ts';
import { tellOfBuy } from './buy-events.ts';
import { movingWith } from './campaign-moving.ts';
import { toldColumnsOf } from './told-columns.ts';
import { isToldElsewhere } from './told-elsewhere.ts';

/** What a version is made of: what was agreed, and where it stands. Figures of delivery make none. */
const VERSIONED = [
  'name',
  'status',
  'start_time',
  'end_time',
  'budget_minor',
  'products',
  'packages',
  'pacing_periods',
  'optimization_goals',
] as const satisfies readonly (keyof MediaBuyRow)[];

/** What the pace of a buy is made of: with another one of these it is kept what was spent until then. */
const PACED = [
  'status',
  'pending_reason',
  'start_time',
  'end_time',
  'budget_minor',
  'products',
  'packages',
  'spend_minor',
  'performance_at',
] as const satisfies readonly (keyof MediaBuyRow)[];

/** Who writes what a seller tells of. */
const SELLER = 'seller';

/** Columns of a buy, with who changes them, and why. */
export interface BuyWrite {
  readonly limits: Limits;
  readonly set: Partial<MediaBuyRow>;
  readonly now: string;
  readonly by: string;
  readonly reason?: string | null;
  readonly suggestionId?: string | null;
  /**
   * True: it makes a version where no column of one is another, as when it is known at last what became of an order.
   */
  readonly isVersion?: true;
  /** True: what waits of it is another from now on. */
  readonly isOther?: boolean;
}

/**
 * Writes columns of a buy. Where they make another version of it, the one that held is kept; where it is over,
 * what it binds is released, and nobody is asked about spends of it any more. Undefined when somebody else wrote first,
 * whose word then stands.
 */
export async function writeBuy(
  db: Db,
  buy: MediaBuyRow,
  { limits, set, now, by, reason = null, suggestionId = null, isVersion: asVersion, isOther }: BuyWrite,
): Promise<MediaBuyRow | undefined> {
  const tenant = tenantOfRow(buy);
  const { valid_from: _, updated_by: __, ...written } = set;
  const isEnding = isLive(buy) && !isLive({ ...buy, ...written });
  const isGoingOn = goesOn(buy, { ...buy, ...written });
  const meant = {
    ...written,
    ...(isEnding ? await atEnd(db, buy, { limits, set: written, now, by }) : {}),
    ...(isGoingOn ? await takenBefore(db, buy, { limits, set: written }) : {}),
  };
  const ended = await withEndedThere(db, { ...buy, ...meant });
  const kept = { ...ended, ...keptByReport(buy, { ...buy, ...meant, ...ended }) };
  const columns = { ...meant, ...kept };
  const isVersion = asVersion ?? VERSIONED.some((name) => name in columns && columns[name] !== buy[name]);
  const authored = { valid_from: now, updated_by: by, updated_reason: reason, suggestion_id: suggestionId };
  const move = await movingWith(db, buy, { columns, by, isVersion, now });
  const row = await updateMediaBuy(db, tenant, {
    id: buy.id,
    version: buy.version,
    set: {
      ...columns,
      ...(await paceWith(db, buy, { set: columns, now })),
      ...heldWith(buy, columns),
      updated_at: now,
      ...(isVersion ? { ...authored, revision: buy.revision + 1 } : {}),
      ...(isVersion || isOther || isToldElsewhere(buy, columns) ? { edition: buy.edition + 1 } : {}),
    },
  });
  if (row === undefined) return row;
  await move();
  if (isVersion) {
    await insertMediaBuyVersion(db, tenant, closed(buy, now));
    await forgetVersions(db, buy, limits);
  }
  await tellOfBuy(db, buy, { after: row, now });
  // Before the account is held: whoever holds that waits for no other row.
  if (isEnding) {
    await withdrawOfBuy(db, tenant, { campaignId: buy.campaign_id, mediaBuyId: buy.id, now });
  }
  await bind(db, { before: buy, after: row, isCalledOff: kept.budget_minor !== undefined }, { by, now });
  return row;
}

interface Written {
  readonly before: MediaBuyRow;
  readonly after: MediaBuyRow;
  /** Whether some of it was called off with that. */
  readonly isCalledOff: boolean;
}

/** What the account is bound with follows where it stands. */
function bind(db: Db, { before, after, isCalledOff }: Written, posted: Posted): Promise<void> {
  if (goesOn(before, after)) return followChange(db, after, { ...posted, why: GOES_ON });
  return (isCalledOff ? followChange : settleCommitment)(db, after, posted);
}

/** Whether it was over, and lives again. */
function goesOn(before: MediaBuyRow, after: MediaBuyRow): boolean {
  return after.goes_on_since !== null && !isLive(before);
}

/** What its seller shows to have taken of budgets that were asked for before it was over. */
async function takenBefore(
  db: Db,
  buy: MediaBuyRow,
  { limits, set }: Pick<BuyWrite, 'limits' | 'set'>,
): Promise<Partial<MediaBuyRow>> {
  const asked = await neverConfirmed(db, buy, { keep: limits.quotas.versionsPerBuy, goesOn: true });
  return takenAtEnd(buy, { set, isShown: set.packages !== undefined, asked });
}

const GOES_ON = 'Goes on at its seller';

/** Who ends what its seller never ended: the last that was shown stands then. */
const SERVICE = 'service';

async function atEnd(
  db: Db,
  buy: MediaBuyRow,
  { limits, set, now, by }: Pick<BuyWrite, 'limits' | 'set' | 'now' | 'by'>,
): Promise<Partial<MediaBuyRow>> {
  const isShown = set.packages !== undefined || by === SERVICE;
  const asked = await neverConfirmed(db, buy, { keep: limits.quotas.versionsPerBuy, goesOn: false });
  const taken = takenAtEnd(buy, { set, isShown, asked });
  // Where it ends because figures were waited for long enough.
  if (set.figures_awaited_since !== undefined) return { ...taken, goes_on_since: null };
  const ending = { asked, after: { ...buy, ...set }, now, graceMs: limits.endGraceMs };
  return { ...taken, goes_on_since: null, ...(await awaitedSince(db, buy, ending)) };
}

async function paceWith(
  db: Db,
  buy: MediaBuyRow,
  { set, now }: Pick<BuyWrite, 'set' | 'now'>,
): Promise<Partial<MediaBuyRow>> {
  if (!PACED.some((name) => name in set && set[name] !== buy[name])) return {};
  const spent = spentSoFar(buy, { ...buy, ...set }, now);
  const pace = { spent_so_far: spent === null ? null : toJson(spent) };
  return { ...pace, ...(await lateBeginning(db, buy, { after: { ...buy, ...set, ...pace }, now })) };
}

/** A seller may change its mind at every report, and a buyer with every call: the last versions of each are kept. */
async function forgetVersions(db: Db, buy: MediaBuyRow, { quotas }: Limits): Promise<void> {
  const tenant = tenantOfRow(buy);
  const { id: mediaBuyId, updated_by } = buy;
  if (updated_by === SELLER) {
    const bounds = { mediaBuyId, updatedBy: SELLER, keep: quotas.sellerVersionsPerBuy };
    await pruneMediaBuyVersions(db, tenant, bounds);
  }
  await pruneMediaBuyVersions(db, tenant, { mediaBuyId, keep: quotas.versionsPerBuy });
}

function closed(buy: MediaBuyRow, now: string) {
  const { id, name, status, start_time, end_time, budget_minor, products, packages, revision } = buy;
  const { valid_from, updated_by, updated_reason, suggestion_id } = buy;
  return {
    media_buy_id: id,
    revision,
    ...{ name, status, start_time, end_time, budget_minor, products, packages },
    ...{ valid_from, updated_by, updated_reason, suggestion_id },
    valid_to: now,
  };
}

/**
 * Writes what a seller, or its silence, makes of a buy; undefined when somebody else wrote first. By the media buy of
 * another order nothing is known of this one.
 */
export async function storeChange(
  db: Db,
  buy: MediaBuyRow,
  {
    change,
    updatedBy,
    ...rest
  }: Pick<BuyWrite, 'limits' | 'now'> & { readonly change: BuyChange; readonly updatedBy: string },
): Promise<MediaBuyRow | undefined> {
  const told = await unlessNamedTwice(db, buy, change);
  return writeBuy(db, buy, { ...rest, set: toldColumnsOf(buy, told), by: updatedBy });
}

/**
 * Whether a change says anything that is not stored. The same figures once more are no news on the same day, be it
 * divided among the packages in another way.
 */
export function isNews(buy: MediaBuyRow, change: BuyChange): boolean {
  if (isStandstill(buy, change)) return true;
  const performance_at = buy.performance_at ?? change.performance_at ?? null;
  const columns = { ...toldColumnsOf(buy, change), performance_at, delivered: buy.delivered };
  if (JSON.stringify({ ...buy, ...columns }) !== JSON.stringify(buy)) return true;
  const { delivered = buy.delivered } = change;
  return JSON.stringify(countsOf({ delivered })) !== JSON.stringify(countsOf(buy));
}

/** Whether nothing was delivered by its seller where some of the budget counts as gone by now. */
function isStandstill(buy: MediaBuyRow, { performance_at: told }: BuyChange): boolean {
  if (typeof told !== 'string' || told.slice(0, 10) === buy.performance_at?.slice(0, 10)) return false;
  return spentBy(buy, told) > spentOf(buy);
}
