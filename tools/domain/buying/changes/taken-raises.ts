import { fromJson, toJson } from '../../../../store/engine/codec.ts';
import type { Db } from '../../../../store/engine/db.ts';
import { tenantOfRow } from '../../../../store/engine/scope.ts';
import { listMediaBuyChanges, type MediaBuyChangeRow } from '../../../../store/media-buy-changes.ts';
import type { BuyPackage, BuyProduct } from '../../../../store/media-buy-packages.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { grossBudgetOf, mediaBudgetOf } from '../../ledger/pricing.ts';
import { asHeld } from '../choice/package-of-all.ts';
import { budgetedBy, packagesByProduct } from '../choice/package-products.ts';
import { mediaOf } from '../spend/buy-commitment.ts';
import { calledOffIn } from './called-off.ts';
import { budgetOf } from './change-packages.ts';
import { isEnd } from './change-standing.ts';
import { isOpen } from './change-states.ts';
import { keptIn } from './kept-budgets.ts';
import { proposedNow } from './proposed-now.ts';

/** What a seller shows to have taken of budgets that were asked of it, and that were never confirmed here. */

type Order = Pick<MediaBuyRow, 'products' | 'budget_minor'>;

interface AskedOf {
  /** How many of the last ones are looked at. */
  readonly keep: number;
  /** Whether the buy was over and goes on: what ended with it, neither confirmed nor refused, counts too. */
  readonly goesOn: boolean;
}

/** What was asked of a buy and never confirmed, and may have been done all the same: of the last ones. */
export async function neverConfirmed(
  db: Db,
  buy: MediaBuyRow,
  { keep, goesOn }: AskedOf,
): Promise<MediaBuyChangeRow[]> {
  const changes = await listMediaBuyChanges(db, tenantOfRow(buy), { mediaBuyId: buy.id, limit: keep });
  return changes.filter(
    (one) => mayBeTaken(one, changes) || (goesOn && one.action === 'update' && endedWithBuy(one, changes)),
  );
}

/** Whether nothing took its place but the end of the buy. */
function endedWithBuy({ state, gave_way_to }: MediaBuyChangeRow, all: readonly MediaBuyChangeRow[]): boolean {
  return (
    state === 'superseded' &&
    (gave_way_to === null || all.some((one) => one.id === gave_way_to && isEnd(one)))
  );
}

interface Ending {
  readonly set: Partial<MediaBuyRow>;
  /** Whether what is stored of its packages is what its seller shows. */
  readonly isShown: boolean;
  readonly asked: readonly MediaBuyChangeRow[];
}

/** The order of a buy that ends, with what its seller took: that is what it may have delivered. Pure. */
export function takenAtEnd(buy: MediaBuyRow, { set, isShown, asked }: Ending): Partial<Order> {
  const gone = calledOffIn(buy);
  const packages = fromJson(set.packages ?? buy.packages).filter(({ package_id }) => !gone.has(package_id));
  return orderTaken({ ...buy, ...set }, asked, isShown ? packages : undefined);
}

/** Whether the seller may have it, and nothing but the end of the buy stands in its place. */
function mayBeTaken(change: MediaBuyChangeRow, all: readonly MediaBuyChangeRow[]): boolean {
  const { action, state, gave_way_to, gave_way_in } = change;
  const isLeft = isOpen(state) || all.some((one) => one.id === gave_way_to && isEnd(one));
  const reached = isOpen(state) ? state : gave_way_in;
  return action === 'update' && isLeft && reached !== null && reached !== 'held';
}

/**
 * What the products of a buy have by what its seller shows, between what they had and what was asked for. Of a seller
 * that shows no budgets what it spent says whether it took what was asked for.
 */
export function orderTaken(
  buy: MediaBuyRow,
  changes: readonly MediaBuyChangeRow[],
  packages: readonly BuyPackage[] | undefined,
): Partial<Order> {
  const [before, known] = [fromJson(buy.products), fromJson(buy.packages)];
  const asked = changes.flatMap((change) => {
    const { products } = proposedNow(change, buy);
    return products === undefined ? [] : [asHeld(products, known)];
  });
  const held = asHeld(before, known);
  const isSpent = buy.spend_minor > mediaOf(buy);
  const [shownParts, knownParts] = [packages ?? [], known].map((some) => packagesByProduct(held, some));
  const products = budgetedBy(before, known, ({ product, index }) => {
    const budgets = [product.budget_minor, ...asked.flatMap((one) => budgetIn(one, product, index))];
    const [parts, kept] = [shownParts?.[index] ?? [], keptIn(knownParts?.[index] ?? [])];
    const going = budgets.map((minor) => minor - kept);
    const shown = shownOf(parts, going, buy.fee_bps) ?? (isSpent ? Math.max(...going) : undefined);
    return shown === undefined ? product.budget_minor : shown + kept;
  });
  if (products.every(({ budget_minor }, index) => budget_minor === before[index]?.budget_minor)) return {};
  return { products: toJson(products), budget_minor: budgetOf(buy, products) };
}

function budgetIn(products: readonly BuyProduct[], { product_id }: BuyProduct, index: number): number[] {
  const product = products[index];
  return product?.product_id === product_id ? [product.budget_minor] : [];
}

/** Undefined where the seller shows no budget, or one in another currency. */
function shownOf(
  parts: readonly BuyPackage[],
  budgets: readonly number[],
  feeBps: number,
): number | undefined {
  const told = parts.flatMap(({ budget_minor, shown_in }) =>
    shown_in === undefined ? (budget_minor ?? []) : [],
  );
  if (parts.length === 0 || told.length < parts.length) return undefined;
  const media = told.reduce((sum, minor) => sum + minor, 0);
  // Fees are rounded package by package, and so are the figures of sellers.
  const meant = budgets.findLast((gross) => Math.abs(mediaBudgetOf(gross, feeBps) - media) <= parts.length);
  return (
    meant ?? Math.min(Math.max(grossBudgetOf(media, feeBps), Math.min(...budgets)), Math.max(...budgets))
  );
}
