import type { CampaignRow } from '../../../store/campaigns.ts';
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
import { staleWrite } from '../../core/errors/refusals.ts';
import { campaignKind } from '../buying/reach.ts';
import { toMajor } from '../money.ts';
import { openedWith } from '../opening.ts';
import { holdBuyers, reviseBuyers } from './choice-buyers.ts';
import type { Chosen } from './choose.ts';
import { roomForChoices } from './quotas.ts';

/** What becomes of the choice of a session. */
export interface NewChoice {
  readonly session: DiscoverySessionRow;
  readonly put?: readonly Chosen[];
  /** Product ids that are taken back before; null: all of them. */
  readonly drop?: readonly string[] | null | undefined;
  /** The campaign that it is selected for, as it was read: another one by now is refused. */
  readonly selectedFor?: CampaignRow | undefined;
  /** Refuses it by the campaigns that buy it, which are held by then. */
  readonly requires?: ((buyers: readonly CampaignRow[]) => void) | undefined;
}

/** How the choice changed, for the log and for events. */
export interface ChoiceChange {
  /** How many products were chosen, and are. */
  readonly count: { readonly from: number; readonly to: number };
  readonly dropped: number;
  /** Product by product: `products.prd_1.budget`. */
  readonly changes: ReturnType<typeof changesBetween>;
  /** The campaigns that buy it, as they are with it. */
  readonly revised: readonly CampaignRow[];
}

/** An entry of the log is read by somebody: of more products than this it has the number. */
const PRODUCTS_LOGGED = 100;

/** Writes what is chosen in a session from now on, and gives what changed with it. */
export async function writeChoice(
  ctx: Context,
  tx: Db,
  { session, put = [], drop, selectedFor, requires }: NewChoice,
): Promise<ChoiceChange> {
  const { id } = session;
  // First, as everybody does who holds a campaign.
  const buyers = await holdBuyers(ctx, tx, id);
  const read = buyers.find((one) => one.id === selectedFor?.id);
  if (selectedFor !== undefined && read?.version !== selectedFor.version) throw staleWrite(campaignKind);
  requires?.(buyers);
  const { currency } = openedWith(session);
  const before = await listChosenTerms(tx, ctx.scope, id);
  const dropped = drop === undefined ? 0 : await deleteSelections(tx, ctx.scope, { id, productIds: drop });
  await putSelections(tx, ctx.scope, put);
  const after = await listChosenTerms(tx, ctx.scope, id);
  if (put.length > 0) await roomForChoices(ctx, tx, id);
  const change = choiceChange(before, after, currency);
  const held = isOther(change) ? buyers : buyers.filter((one) => one.id === selectedFor?.id);
  const revised = await reviseBuyers(ctx, tx, { held, count: change.count });
  return { ...change, dropped, revised };
}

/** Whether something else is chosen than before. */
export function isOther({ changes }: Pick<ChoiceChange, 'changes'>): boolean {
  return Object.keys(changes).length > 0;
}

export function choiceChange(
  before: readonly ChosenTerms[],
  after: readonly ChosenTerms[],
  currency: string,
) {
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
