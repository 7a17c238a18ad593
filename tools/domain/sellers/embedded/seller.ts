import {
  type EmbeddedBuyRow,
  type EmbeddedPackage,
  findEmbeddedBuy,
  findEmbeddedBuyByKey,
  insertEmbeddedBuy,
} from '../../../../store/embedded-buys.ts';
import { toFlag, toJson } from '../../../../store/engine/codec.ts';
import type { Store } from '../../../../store/engine/db.ts';
import { isUniqueViolation } from '../../../../store/engine/dialect.ts';
import { DAY_MS, nowOf } from '../../../core/moments.ts';
import type { Clock, Digest, Ids } from '../../../core/ports.ts';
import { toMajor } from '../../money.ts';
import type { SellerDeclaration } from '../abilities.ts';
import type { DeliveryReport } from '../delivery.ts';
import type { DeliveryQuery, Order, OrderAnswer, Seller, Sellers } from '../port.ts';
import { SellerError } from '../port.ts';
import { actionsIn, scopeOfSeller, sellerPackagesOf } from './buys.ts';
import { changeBuy, packageFields, updateFields } from './changing.ts';
import { deliveredAt, deliveredBetween } from './delivery.ts';
import { offersOf } from './offers.ts';
import { packagesFor } from './packages.ts';

export interface Parts {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly digest: Digest;
}

const notThere = () =>
  new SellerError('error', 'The seller does not know the media buy.', { isNotThere: true });

/**
 * The embedded seller: products, orders and simulated delivery in our own store, behind the port that every
 * seller stands behind.
 */
export function embeddedSellers(parts: Parts): Sellers {
  const { store, clock } = parts;
  return {
    getProducts: (seller, query, signal) => offersOf(parts, seller, { query, signal }),
    createMediaBuy: async (seller, { repeat: _, ...order }) => {
      const replay = await findReplay(parts, seller, order);
      return replay ?? placeOrder(parts, seller, order);
    },
    getMediaBuy: async (seller, reference) => {
      const buy = await findEmbeddedBuy(store.db, scopeOfSeller(seller), reference.mediaBuyId ?? '');
      if (buy === undefined) throw notThere();
      const { status, packages, ...sums } = deliveredAt(buy, clock.now());
      return {
        kind: 'buy',
        mediaBuyId: buy.id,
        status,
        packages: sellerPackagesOf(buy),
        startTime: buy.start_time,
        endTime: buy.end_time,
        validActions: actionsIn(status),
        ...(buy.cancellation_reason === null ? {} : { message: buy.cancellation_reason }),
        delivery: {
          ...inMajor(sums, buy.currency),
          ...(packages.length === 0 ? {} : { packages: packages.map((part) => inMajor(part, buy.currency)) }),
        },
      };
    },
    getDelivery: (seller, query) => deliveryOf(parts, seller, query),
    updateMediaBuy: (seller, change) => changeBuy(parts, seller, change),
    getUpdateTask: async () => {
      throw new SellerError('error', 'The seller does not know the task.');
    },
    // Whoever buys here needs no account.
    listAccounts: async () => ({ accounts: [], isAnew: true, needsNone: true }),
    declaration: async () => DECLARED,
    abilities: async () => ({ ...DECLARED, updates: true, updateFields, packageFields }),
  };
}

/** Buys of sandbox advertisers are simulated here. */
const DECLARED: SellerDeclaration = { versions: ['3.0'], sandbox: true };

function inMajor<T extends { readonly spendMinor: number }>({ spendMinor, ...figures }: T, currency: string) {
  return { ...figures, spend: toMajor(spendMinor, currency) };
}

/** In the days that are asked about, or so far. Placements are not told apart here. */
async function deliveryOf(
  { store, clock }: Parts,
  seller: Seller,
  { mediaBuyId, days }: DeliveryQuery,
): Promise<DeliveryReport> {
  const buy = await findEmbeddedBuy(store.db, scopeOfSeller(seller), mediaBuyId);
  if (buy === undefined) throw new SellerError('error', 'The seller does not know the media buy.');
  const { impressions, spendMinor, clicks } =
    days === undefined
      ? deliveredAt(buy, clock.now())
      : deliveredBetween(
          buy,
          { from: Date.parse(days.startDate), until: Date.parse(days.endDate) + DAY_MS },
          clock.now(),
        );
  return { impressions, spend: toMajor(spendMinor, buy.currency), clicks };
}

function payloadHash({ digest }: Pick<Parts, 'digest'>, { idempotencyKey: _, ...order }: Order): string {
  return digest(JSON.stringify(order));
}

/** AdCP, idempotency: the same key and order is the same buy; the same key and another order is refused. */
async function findReplay(parts: Parts, seller: Seller, order: Order): Promise<OrderAnswer | undefined> {
  const key = { sourceId: seller.source.id, idempotencyKey: order.idempotencyKey };
  const buy = await findEmbeddedBuyByKey(parts.store.db, scopeOfSeller(seller), key);
  if (buy === undefined) return undefined;
  if (buy.payload_hash !== payloadHash(parts, order)) {
    return { kind: 'refused', code: 'IDEMPOTENCY_CONFLICT', message: 'This key was used for another order.' };
  }
  return accepted(buy);
}

function accepted(buy: EmbeddedBuyRow): OrderAnswer {
  return { kind: 'accepted', mediaBuyId: buy.id, status: buy.status, packages: sellerPackagesOf(buy) };
}

async function placeOrder(parts: Parts, seller: Seller, order: Order): Promise<OrderAnswer> {
  const { currency, packages: wanted } = order;
  const packages = await packagesFor({ db: parts.store.db, ids: parts.ids }, seller, { wanted, currency });
  if ('code' in packages) return { kind: 'refused', ...packages };
  try {
    return accepted(await keep(parts, seller, { order, packages }));
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    const replay = await findReplay(parts, seller, order);
    if (replay === undefined) throw error;
    return replay;
  }
}

async function keep(
  parts: Parts,
  seller: Seller,
  { order, packages }: { order: Order; packages: readonly EmbeddedPackage[] },
): Promise<EmbeddedBuyRow> {
  const { store, clock, ids } = parts;
  const now = nowOf(clock);
  return insertEmbeddedBuy(store.db, scopeOfSeller(seller), {
    id: ids.make('smb'),
    source_id: seller.source.id,
    idempotency_key: order.idempotencyKey,
    payload_hash: payloadHash(parts, order),
    status: Date.parse(order.startTime) > clock.now() ? 'pending_start' : 'active',
    currency: order.currency,
    total_minor: packages.reduce((sum, { budget_minor }) => sum + budget_minor, 0),
    start_time: order.startTime,
    end_time: order.endTime,
    packages: toJson(packages),
    sandbox: toFlag(order.party.sandbox),
    revision: 1,
    changed_at: null,
    cancellation_reason: null,
    confirmed_at: now,
    created_at: now,
    updated_at: now,
  });
}
