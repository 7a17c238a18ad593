import type { ChosenTerms } from '../../../../store/discovery-selections.ts';
import { fromJson } from '../../../../store/engine/codec.ts';
import { changesBetween } from '../../../core/changes.ts';
import { toMajor } from '../../money.ts';

/** What is another in the choice of a session than it was before. */
export interface ChoiceDifference {
  /** How many products were chosen, and are. */
  readonly count: { readonly from: number; readonly to: number };
  /** Product by product: `products.prd_1.budget`. */
  readonly changes: ReturnType<typeof changesBetween>;
}

/** An entry of the log is read by somebody: of more products than this it has the number. */
const PRODUCTS_LOGGED = 100;

/** Whether something else is chosen than before. */
export function isOther({ changes }: ChoiceDifference): boolean {
  return Object.keys(changes).length > 0;
}

export function choiceChange(
  before: readonly ChosenTerms[],
  after: readonly ChosenTerms[],
  currency: string,
): ChoiceDifference {
  const count = { from: before.length, to: after.length };
  const twice = soldTwice([...before, ...after]);
  const byName = (rows: readonly ChosenTerms[]) =>
    new Map(rows.map((row) => [nameOf(row, twice), termsOf(row, currency)]));
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

/** Ids that more than one seller has given to a product. */
function soldTwice(rows: readonly ChosenTerms[]): ReadonlySet<string> {
  const sellers = new Map(rows.map(({ product_id, agent_id }) => [product_id, agent_id]));
  return new Set(rows.flatMap(({ product_id: id, agent_id }) => (sellers.get(id) === agent_id ? [] : [id])));
}

/** Products go by their ids, and by their sellers too where two sell one id. */
function nameOf({ product_id, agent_id }: ChosenTerms, twice: ReadonlySet<string>): string {
  return twice.has(product_id) ? `${agent_id}.${product_id}` : product_id;
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
