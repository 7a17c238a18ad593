import { type CampaignRow, listDraftsOf } from '../../../../store/campaigns.ts';
import type {
  ChosenProduct,
  DiscoverySelectionRow,
  Targeting,
} from '../../../../store/discovery-selections.ts';
import type { DiscoverySessionRow } from '../../../../store/discovery-sessions.ts';
import { type Flag, toFlag, toJson } from '../../../../store/engine/codec.ts';
import type { Context } from '../../../core/context.ts';
import { currencyMismatch } from '../../../core/errors/money-refusals.ts';
import { invalidInput } from '../../../core/errors/refusals.ts';
import { isOfSandbox } from '../../advertisers/sandbox.ts';
import { constraintProblems } from '../../buying/choice/choice-problems.ts';
import { PLACES, stageOf } from '../../buying/ways-out.ts';
import { openedWith } from '../../discovery-opening.ts';
import { noSuchAmount, toMinor } from '../../money.ts';
import { leastSpend, missingBid, wrongBid } from '../../pricing.ts';
import { productNameOf } from '../../product-name.ts';
import { saidIn } from '../../targeting/combined.ts';
import { requireDeclared } from '../declared-targeting.ts';
import type { Product } from '../schema.ts';
import { targetingProblem } from './choice-targeting.ts';
import { type Found, findAll, NOT_FOUND, nameFound } from './found-products.ts';
import { type Option, OTHER_OPTION, OTHER_PRODUCT, payableOption } from './payable-option.ts';

/** A product as a caller chooses it. */
export interface Choice {
  readonly productId: string;
  readonly salesAgentId?: string | undefined;
  readonly storefrontId?: number | undefined;
  readonly groupId?: string | undefined;
  readonly groupName?: string | undefined;
  readonly pricingOptionId?: string | undefined;
  readonly bidPrice?: number | undefined;
  readonly budget?: number | undefined;
  readonly pacing?: DiscoverySelectionRow['pacing'];
  readonly targetingOverlay?: Targeting | undefined;
  /** True where the caller gives an id and nothing else: what is missing beside it is given elsewhere. */
  readonly isIdAlone?: true;
  /** What a field of it is to the caller, where it is no entry of the list `products` as it was given. */
  readonly calledAs?: (field: string) => string;
}

export type Chosen = Omit<DiscoverySelectionRow, 'id' | 'organization_id'>;

/** A choice that cannot be made, and why. */
export interface Skipped extends Problem {
  readonly choice: Choice;
  readonly index: number;
  /** As people read it. */
  readonly name: string;
  /** Whether its session has found no such product. */
  readonly isUnknown: boolean;
}

/** The choices as rows, or every complaint about them at once. */
export async function choose(
  ctx: Context,
  session: DiscoverySessionRow,
  choices: readonly Choice[],
): Promise<Chosen[]> {
  const tried = await tryChoices(ctx, { session, choices });
  requireAll(tried);
  await requireDeclared(ctx, tried);
  return tried.chosen;
}

interface Tried {
  readonly chosen: Chosen[];
  readonly skipped: readonly Skipped[];
  /** The campaigns that are to buy them. */
  readonly drafts: readonly CampaignRow[];
  readonly sandbox: Flag;
}

/** What was chosen, where all of it could be. */
export function requireAll({ chosen, skipped }: Pick<Tried, 'chosen' | 'skipped'>): Chosen[] {
  const [first] = skipped;
  if (first === undefined) return chosen;
  if (skipped.every(({ isCurrency }) => isCurrency)) {
    const suggestion = skipped.every(({ field }) => field === 'pricingOptionId')
      ? OTHER_OPTION
      : OTHER_PRODUCT;
    throw currencyMismatch(placeOf(first), wordsOf(first), { suggestion });
  }
  const issues = skipped.map((one) => ({ path: placeOf(one), message: wordsOf(one) }));
  const lost = skipped.some(({ field }) => field === 'productId');
  throw invalidInput(issues, lost ? { suggestion: 'Find products with browse_products.' } : {});
}

interface Wanted {
  readonly session: DiscoverySessionRow;
  readonly choices: readonly Choice[];
  /** A campaign that is to buy them beside those that do already. */
  readonly draft?: CampaignRow | undefined;
  /** The same where it is made with them. */
  readonly made?: CampaignRow | undefined;
  /** True where two choices of one product contradict each other, as each says how to buy it. */
  readonly eachOnce?: true;
}

/** The choices that can be made, and those that cannot. */
export async function tryChoices(
  ctx: Context,
  { session, choices, draft, made, eachOnce }: Wanted,
): Promise<Tried> {
  const { currency } = openedWith(session);
  const attached = await listDraftsOf(ctx.db, ctx.scope, session.id);
  const drafts = draft === undefined ? attached : [draft, ...attached.filter(({ id }) => id !== draft.id)];
  const found = await findAll(ctx, session, choices);
  const earlier = eachOnce ? placesBefore(found) : undefined;
  const chosen: Chosen[] = [];
  const skipped: Skipped[] = [];
  for (const [index, choice] of choices.entries()) {
    const one = found[index] ?? NOT_FOUND;
    const row =
      'problem' in one
        ? one
        : (chosenBefore(one, earlier?.get(index)) ??
          asSelection(one, { choice, session, drafts, made, currency, now: ctx.now }));
    if ('problem' in row) {
      skipped.push({ ...row, choice, index, name: nameFound(choice, one), isUnknown: 'problem' in one });
    } else chosen.push(row);
  }
  return { chosen, skipped, drafts, sandbox: toFlag(await isOfSandbox(ctx, session)) };
}

/** Of each choice whose product another one before it means as well, the place of that. */
function placesBefore(found: readonly (Found | Problem)[]): ReadonlyMap<number, number> {
  const first = new Map<string, number>();
  const before = new Map<number, number>();
  for (const [index, one] of found.entries()) {
    if ('problem' in one) continue;
    const key = JSON.stringify([one.product.salesAgentId, one.product.productId]);
    const place = first.get(key);
    if (place === undefined) first.set(key, index);
    else before.set(index, place);
  }
  return before;
}

function chosenBefore({ product }: Found, place: number | undefined): Problem | undefined {
  if (place === undefined) return undefined;
  const problem = `${productNameOf(product)} is in products.${place} already: give it once.`;
  return { field: 'productId', problem };
}

function placeOf({ choice, index, field }: Skipped): string {
  return choice.calledAs?.(field) ?? `products.${index}.${field}`;
}

/** Who gave an id alone has no field beside it to correct. */
function wordsOf({ choice, field, problem }: Skipped): string {
  const isReachable = choice.isIdAlone !== true || field === 'productId';
  return isReachable ? problem : `Needs its ${field}: choose it with discovery_add_products. ${problem}`;
}

export interface Problem {
  readonly field: keyof Choice | `targetingOverlay.${string}`;
  readonly problem: string;
  /** True when nothing is wrong but the currency. */
  readonly isCurrency?: boolean | undefined;
}

const OTHERS = 'Leave it out, and choose another with browse_products';

interface Facts {
  readonly choice: Choice;
  readonly session: DiscoverySessionRow;
  /** The campaigns that are to buy the choice. */
  readonly drafts: readonly CampaignRow[];
  /** The one among them that is made with it. */
  readonly made: CampaignRow | undefined;
  readonly currency: string;
  readonly now: string;
}

/** Why a campaign must not buy it, which may be one that the very call makes. */
function outsideOf(product: Product, { drafts, made }: Facts): string | undefined {
  const [outside] = drafts.flatMap((draft) => {
    const { terms } = PLACES[draft === made ? 'new batch' : 'kept'];
    const way = `${OTHERS}, or change constraints of the campaign ${terms}.`;
    return constraintProblems(product, draft, stageOf(draft)).map(({ message }) => `${message} ${way}`);
  });
  return outside;
}

function asSelection({ product, groupId, groupName }: Found, facts: Facts): Chosen | Problem {
  const { choice, session, currency, now } = facts;
  const outside = outsideOf(product, facts);
  if (outside !== undefined) return { field: 'productId', problem: outside };
  const option = payableOption(product, { wanted: choice.pricingOptionId, currency });
  if ('problem' in option) return option;
  const problem = bidProblem(option, choice.bidPrice) ?? targetingOf(product, facts);
  if (problem !== undefined) return problem;
  const budget = budgetOf(option, choice);
  if (budget !== null && typeof budget === 'object') return budget;
  return {
    session_id: session.id,
    agent_id: product.salesAgentId,
    product_id: product.productId,
    group_id: groupId,
    group_name: groupName,
    pricing_option_id: option.pricingOptionId,
    budget_minor: budget,
    ...asWished(choice),
    product: toJson<ChosenProduct>(product),
    selected_at: now,
  };
}

function targetingOf(product: Product, { choice, drafts }: Facts): Problem | undefined {
  const { targetingOverlay: overlay } = choice;
  const missed = overlay && targetingProblem(overlay, product, drafts);
  return missed && { field: `targetingOverlay.${missed.field}`, problem: missed.message };
}

function asWished({ bidPrice, pacing = null, targetingOverlay }: Choice) {
  return {
    bid_price: bidPrice === undefined ? null : String(bidPrice),
    pacing,
    targeting_overlay: kept(targetingOverlay),
  };
}

function kept(overlay: Targeting | undefined): Chosen['targeting_overlay'] {
  const said = saidIn(overlay ?? {});
  return Object.keys(said).length === 0 ? null : toJson(said);
}

/** A budget in minor units: none, or as much as the option asks for at the least. */
function budgetOf(
  option: Option,
  { budget, bidPrice }: Pick<Choice, 'budget' | 'bidPrice'>,
): number | null | Problem {
  if (budget === undefined) return null;
  const { currency } = option;
  const least = leastSpend(option, bidPrice);
  const minor = toMinor(budget, currency);
  if (minor === undefined) return { field: 'budget', problem: noSuchAmount(currency) };
  return budget < least ? { field: 'budget', problem: `This option starts at ${least} ${currency}.` } : minor;
}

/** An auction needs a bid. */
function bidProblem(option: Option, bidPrice: number | undefined): Problem | undefined {
  const missing = option.isFixed ? undefined : missingBid(option);
  const problem = bidPrice === undefined ? missing : wrongBid(option, bidPrice);
  return problem === undefined ? undefined : { field: 'bidPrice', problem };
}
