import {
  findEmbeddedBuyUpdate,
  insertEmbeddedBuyUpdate,
  pruneEmbeddedBuyUpdates,
} from '../../../../store/embedded-buy-updates.ts';
import {
  type EmbeddedBuyRow,
  type EmbeddedPackage,
  findEmbeddedBuy,
  updateEmbeddedBuy,
} from '../../../../store/embedded-buys.ts';
import { fromJson, toJson } from '../../../../store/engine/codec.ts';
import type { Db, Store } from '../../../../store/engine/db.ts';
import { isUniqueViolation } from '../../../../store/engine/dialect.ts';
import { momentOf, nowOf } from '../../../core/moments.ts';
import type { Clock, Digest, Ids } from '../../../core/ports.ts';
import { readMoney, toMinor } from '../../money.ts';
import type { PackageUpdate } from '../abilities.ts';
import type { BuyUpdate, SentUpdate, UpdateAnswer } from '../buy-update.ts';
import type { Seller } from '../port.ts';
import { scopeOfSeller, sellerPackagesOf } from './buys.ts';
import { deliveredAt, packagesAt } from './delivery.ts';
import { notAsOffered, packagesFor } from './packages.ts';

interface Parts {
  readonly store: Store;
  readonly clock: Clock;
  readonly digest: Digest;
  readonly ids: Ids;
}

/** What a change may be about: what the embedded seller declares. */
export const updateFields: ReadonlySet<string> = new Set([
  'adcp_major_version',
  'account',
  'idempotency_key',
  'media_buy_id',
  'revision',
  'paused',
  'canceled',
  'cancellation_reason',
  'start_time',
  'end_time',
  'packages',
  'new_packages',
]);
export const packageFields: ReadonlySet<string> = new Set([
  'package_id',
  'budget',
  'pacing',
  'bid_price',
  'canceled',
  'cancellation_reason',
  'targeting_overlay',
]);

type Refusal = Extract<UpdateAnswer, { kind: 'refused' }>;

function refused(code: string, message: string): Refusal {
  return { kind: 'refused', code, message };
}

/** A refusal that ends the transaction: nothing of the change is kept. */
class Refused extends Error {
  readonly answer: Refusal;

  constructor(answer: Refusal) {
    super(answer.message);
    this.answer = answer;
  }
}

/** Changes a buy, all of it or nothing, and once for each key. */
export async function changeBuy(parts: Parts, seller: Seller, change: SentUpdate): Promise<UpdateAnswer> {
  try {
    return await parts.store.transaction((tx) => changeIn(tx, parts, { seller, change }));
  } catch (error) {
    if (error instanceof Refused) return error.answer;
    if (!isUniqueViolation(error)) throw error;
    // The same change came twice at once: the other one was carried out.
    return parts.store.transaction((tx) => changeIn(tx, parts, { seller, change }));
  }
}

/** So many changes of a buy are known again by their keys: a repeat comes soon, or never. */
const KEPT = 1_000;

async function changeIn(
  tx: Db,
  { clock, digest, ids }: Parts,
  { seller, change }: { seller: Seller; change: SentUpdate },
): Promise<UpdateAnswer> {
  const scope = scopeOfSeller(seller);
  const { mediaBuyId, update } = change;
  const { idempotencyKey, ...wanted } = update;
  const payload_hash = digest(JSON.stringify({ mediaBuyId, ...wanted }));
  const buy = await findEmbeddedBuy(tx, scope, mediaBuyId);
  const known = await findEmbeddedBuyUpdate(tx, scope, { sourceId: seller.source.id, idempotencyKey });
  if (known !== undefined && known.payload_hash !== payload_hash) {
    throw new Refused(refused('IDEMPOTENCY_CONFLICT', 'This key was used for another change.'));
  }
  if (buy === undefined) throw new Refused(refused('MEDIA_BUY_NOT_FOUND', 'There is no such media buy.'));
  if (known !== undefined) return accepted(buy, clock.now());
  const ordered = { wanted: update.newPackages ?? [], currency: buy.currency };
  const added = await packagesFor({ db: tx, ids }, seller, ordered);
  if ('code' in added) throw new Refused(refused(added.code, added.message));
  const changed = changedBuy(buy, update, { now: clock.now(), added });
  if ('kind' in changed) throw new Refused(changed);
  const { packages: updates = [] } = update;
  const sold = { packages: fromJson(buy.packages), updates, currency: buy.currency };
  const refusal = await notAsOffered(tx, seller, sold);
  if (refusal !== undefined) throw new Refused(refused(refusal.code, refusal.message));
  const now = nowOf(clock);
  const stored = await updateEmbeddedBuy(tx, scope, {
    id: buy.id,
    revision: buy.revision,
    set: { ...changed, updated_at: now },
  });
  if (stored === undefined) {
    throw new Refused({ ...refused('CONFLICT', 'The media buy was changed meanwhile.'), transient: true });
  }
  await insertEmbeddedBuyUpdate(tx, scope, {
    source_id: seller.source.id,
    idempotency_key: idempotencyKey,
    buy_id: buy.id,
    payload_hash,
    revision: stored.revision,
    created_at: now,
  });
  const { id: sourceId } = seller.source;
  await pruneEmbeddedBuyUpdates(tx, scope, { sourceId, buyId: buy.id, keep: KEPT });
  return accepted(stored, clock.now());
}

function accepted(buy: EmbeddedBuyRow, now: number): UpdateAnswer {
  return { kind: 'accepted', status: deliveredAt(buy, now).status, packages: sellerPackagesOf(buy) };
}

type Columns = Partial<EmbeddedBuyRow>;

/** The columns that a change makes of a buy, or why it cannot be. Pure. */
function changedBuy(
  buy: EmbeddedBuyRow,
  update: BuyUpdate,
  { now, added = [] }: { now: number; added?: readonly EmbeddedPackage[] },
): Columns | Refusal {
  const { status } = deliveredAt(buy, now);
  const problem = stateProblem(buy, update, status) ?? datesProblem(buy, update, { now, status });
  if (problem !== undefined) return problem;
  const kept = changedPackages(buy, packagesAt(buy, now), update.packages ?? []);
  if (!Array.isArray(kept)) return kept;
  const packages = [...kept, ...added];
  return {
    packages: toJson(packages),
    total_minor: packages.reduce((sum, { budget_minor }) => sum + budget_minor, 0),
    changed_at: momentOf(now),
    ...(update.startTime === undefined ? {} : { start_time: update.startTime }),
    ...(update.endTime === undefined ? {} : { end_time: update.endTime }),
    ...statusAfter(buy, update, packages),
  };
}

function stateProblem(
  { revision }: EmbeddedBuyRow,
  update: BuyUpdate,
  status: EmbeddedBuyRow['status'],
): Refusal | undefined {
  if (update.revision !== undefined && update.revision !== revision) {
    return refused('CONFLICT', `The media buy stands at revision ${revision}.`);
  }
  if (status === 'canceled' && update.canceled) {
    return refused('NOT_CANCELLABLE', 'The media buy is canceled already.');
  }
  if (status === 'canceled' || status === 'completed') {
    return refused('INVALID_STATE', `A media buy that is ${status} cannot be changed.`);
  }
  return undefined;
}

function statusAfter(buy: EmbeddedBuyRow, update: BuyUpdate, packages: readonly EmbeddedPackage[]): Columns {
  if (update.canceled || packages.every(({ canceled }) => canceled === true)) {
    return { status: 'canceled', cancellation_reason: update.cancellationReason ?? null };
  }
  if (update.paused === undefined) return {};
  return { status: update.paused ? 'paused' : buy.status === 'paused' ? 'active' : buy.status };
}

function datesProblem(
  buy: EmbeddedBuyRow,
  { startTime = buy.start_time, endTime = buy.end_time }: BuyUpdate,
  { now, status }: { now: number; status: EmbeddedBuyRow['status'] },
): Refusal | undefined {
  if (startTime !== buy.start_time && status !== 'pending_start') {
    return refused('INVALID_REQUEST', 'The media buy has begun: its start is past.');
  }
  if (Date.parse(endTime) <= Date.parse(startTime) || Date.parse(endTime) <= now) {
    return refused('INVALID_REQUEST', 'The end is before the start, or past.');
  }
  return undefined;
}

function changedPackages(
  buy: EmbeddedBuyRow,
  packages: readonly EmbeddedPackage[],
  updates: readonly PackageUpdate[],
): EmbeddedPackage[] | Refusal {
  const changed = new Map(packages.map((part) => [part.package_id, part]));
  for (const update of updates) {
    const part = changed.get(update.package_id);
    if (part === undefined) return refused('PACKAGE_NOT_FOUND', 'The media buy has no such package.');
    if (part.canceled) return refused('INVALID_STATE', 'The package is canceled.');
    const next = changedPackage(part, update, buy.currency);
    if ('kind' in next) return next;
    changed.set(part.package_id, next);
  }
  return [...changed.values()];
}

function changedPackage(
  part: EmbeddedPackage,
  { budget, bid_price, targeting_overlay, pacing, canceled }: PackageUpdate,
  currency: string,
): EmbeddedPackage | Refusal {
  const budget_minor = budget === undefined ? part.budget_minor : toMinor(budget, currency);
  const { spent_minor = 0 } = part;
  if (budget_minor === undefined) return refused('INVALID_REQUEST', 'The budget is no amount of money.');
  if (budget_minor < spent_minor) {
    return refused('BUDGET_TOO_LOW', `The package has spent ${readMoney(spent_minor, currency)} already.`);
  }
  return {
    ...part,
    budget_minor,
    ...(bid_price === undefined ? {} : { rate: bid_price }),
    ...(targeting_overlay === undefined ? {} : { targeting_overlay }),
    ...(pacing === undefined ? {} : { pacing }),
    ...(canceled ? { canceled } : {}),
  };
}
