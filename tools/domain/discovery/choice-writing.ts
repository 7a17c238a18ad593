import {
  type ChosenTerms,
  deleteSelections,
  listChosenTerms,
  putSelections,
} from '../../../store/discovery-selections.ts';
import type { DiscoverySessionRow } from '../../../store/discovery-sessions.ts';
import { fromJson } from '../../../store/engine/codec.ts';
import type { Db } from '../../../store/engine/db.ts';
import { changesBetween } from '../../core/changes.ts';
import type { Context } from '../../core/context.ts';
import { toMajor } from '../money.ts';
import { openedWith } from '../opening.ts';
import type { Chosen } from './choose.ts';
import { roomForChoices } from './quotas.ts';

/** What becomes of the choice of a session. */
export interface NewChoice {
  readonly session: DiscoverySessionRow;
  readonly put?: readonly Chosen[];
  /** Product ids that are taken back before; null: all of them. */
  readonly drop?: readonly string[] | null | undefined;
}

/** How the choice changed, for the log and for events. */
export interface ChoiceChange {
  /** How many products were chosen, and are. */
  readonly count: { readonly from: number; readonly to: number };
  readonly dropped: number;
  /** Product by product: `products.prd_1.budget`. */
  readonly changes: ReturnType<typeof changesBetween>;
}

/** An entry of the log is read by somebody: of more products than this it has the number. */
const PRODUCTS_LOGGED = 100;

/** Writes what is chosen in a session from now on, and gives what changed with it. */
export async function writeChoice(
  ctx: Context,
  tx: Db,
  { session, put = [], drop }: NewChoice,
): Promise<ChoiceChange> {
  const { id } = session;
  const { currency } = openedWith(session);
  const before = await listChosenTerms(tx, ctx.scope, id);
  const dropped = drop === undefined ? 0 : await deleteSelections(tx, ctx.scope, { id, productIds: drop });
  await putSelections(tx, ctx.scope, put);
  const after = await listChosenTerms(tx, ctx.scope, id);
  if (put.length > 0) await roomForChoices(ctx, tx, id);
  return { ...choiceChange(before, after, currency), dropped };
}

function choiceChange(before: readonly ChosenTerms[], after: readonly ChosenTerms[], currency: string) {
  const count = { from: before.length, to: after.length };
  const nameOf = namesIn([...before, ...after]);
  const byName = (rows: readonly ChosenTerms[]) =>
    new Map(rows.map((row) => [nameOf(row), termsOf(row, currency)]));
  const [was, is] = [byName(before), byName(after)];
  const changed = [...new Set([...was.keys(), ...is.keys()])].flatMap((name) => {
    const fields = Object.entries(changesBetween(was.get(name) ?? {}, is.get(name) ?? {}));
    return fields.length === 0
      ? []
      : [fields.map(([field, change]) => [`products.${name}.${field}`, change])];
  });
  const isMuch = changed.length > PRODUCTS_LOGGED;
  return { count, changes: isMuch ? { products: count } : Object.fromEntries(changed.flat()) };
}

/** Products go by their ids, and by their sellers too where two sell one id. */
function namesIn(rows: readonly ChosenTerms[]): (row: ChosenTerms) => string {
  const sellers = new Map(rows.map(({ product_id, agent_id }) => [product_id, agent_id]));
  const others = rows.filter(({ product_id, agent_id }) => sellers.get(product_id) !== agent_id);
  const twice = new Set(others.map(({ product_id }) => product_id));
  return ({ product_id, agent_id }) => (twice.has(product_id) ? `${agent_id}.${product_id}` : product_id);
}

/** What was not said of a choice is left out. */
function termsOf(row: ChosenTerms, currency: string): Readonly<Record<string, unknown>> {
  const { budget_minor: minor, targeting_overlay: overlay } = row;
  const said = {
    pricingOptionId: row.pricing_option_id,
    budget: minor === null ? null : toMajor(minor, currency),
    bidPrice: row.bid_price === null ? null : Number(row.bid_price),
    pacing: row.pacing,
    targetingOverlay: overlay === null ? null : fromJson(overlay),
  };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== null));
}
