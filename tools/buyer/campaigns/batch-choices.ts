import type { CampaignRow } from '../../../store/campaigns.ts';
import type { DiscoverySessionRow } from '../../../store/discovery-sessions.ts';
import type { Context } from '../../core/context.ts';
import { AppError, type Issue } from '../../core/errors/app-error.ts';
import { issuesOf } from '../../core/errors/called-otherwise.ts';
import { currencyMismatch } from '../../core/errors/money-refusals.ts';
import { invalidInput } from '../../core/errors/refusals.ts';
import {
  type Choice,
  type Chosen,
  type Skipped,
  tryChoices,
} from '../../domain/discovery/choosing/choose.ts';
import { findAll, NOT_FOUND, nameFound } from '../../domain/discovery/choosing/found-products.ts';
import { partsOf, proposalOf } from '../../domain/discovery/choosing/proposal-parts.ts';
import { requireDeclared } from '../../domain/discovery/declared-targeting.ts';
import { type MarketId, readMarketId } from '../../domain/discovery/market-ids.ts';
import { asQueried } from './batch-ids.ts';
import type { Selection } from './batch-schema.ts';

/** What the selections of a batch come to: rows to be stored, or every problem with them at once. */

interface Wanted {
  readonly session: DiscoverySessionRow;
  readonly selections: readonly Selection[];
  /** The campaign that is to buy them. */
  readonly draft: CampaignRow;
  /** Whether it is made with them. */
  readonly isNew: boolean;
}

/** A choice with the place of its selection in the request. */
interface Placed {
  readonly choice: Choice;
  readonly place: number;
  readonly isProposal: boolean;
}

export async function chooseBatch(
  ctx: Context,
  { session, selections, draft, isNew }: Wanted,
): Promise<readonly Chosen[]> {
  const issues: Issue[] = [];
  const placed: Placed[] = [];
  for (const [place, one] of selections.entries()) {
    const named = idOf(one, session);
    if ('path' in named) issues.push({ ...named, path: `selections.${place}.${named.path}` });
    else {
      const choices = await choicesOf(ctx, { session, draft, one, named });
      if ('issues' in choices) issues.push(...choices.issues.map((issue) => at(place, issue)));
      else placed.push(...choices.map((choice) => ({ choice, place, isProposal: one.kind === 'proposal' })));
    }
  }
  const isUnknown = issues.some(({ path }) => path.endsWith('Id'));
  issues.push(...(await chosenTwice(ctx, session, placed)));
  const tried = await chooseAll(ctx, { session, draft, isNew, placed, issues, isUnknown });
  const { chosen } = tried;
  await asQueried(chosen, () =>
    requireDeclared(ctx, tried, {
      placeOf: (index) => `selections.${placed[index]?.place}`,
      ...(isNew ? { constraints: 'campaign.create.constraints', stage: 'new' } : {}),
    }),
  );
  return chosen;
}

interface Placing extends Omit<Wanted, 'selections'> {
  readonly placed: readonly Placed[];
  readonly issues: readonly Issue[];
  /** Whether some are of ids that no answer of this query has. */
  readonly isUnknown: boolean;
}

async function chooseAll(
  ctx: Context,
  { session, draft, isNew, placed, issues, isUnknown }: Placing,
): Promise<Awaited<ReturnType<typeof tryChoices>>> {
  const choices = placed.map(({ choice }) => choice);
  const tried = await tryChoices(ctx, {
    session,
    choices,
    draft,
    ...(isNew ? { made: draft } : {}),
  });
  const { skipped } = tried;
  const problems = skipped.map((one) => problemOf(one, placed[one.index]));
  const [first] = problems;
  if (first !== undefined && issues.length === 0 && skipped.every(({ isCurrency }) => isCurrency)) {
    throw currencyMismatch(first.path, first.message);
  }
  const all = [...issues, ...problems];
  // Only where an id is wrong another one helps.
  const isLost = isUnknown || skipped.some((one) => one.isUnknown);
  if (all.length > 0) throw invalidInput(all, isLost ? { suggestion: OTHER_IDS } : {});
  return tried;
}

const OTHER_IDS = 'Take ids from an answer of this query: product_query shows it again.';

function at(place: number, { path, message }: Issue): Issue {
  return { path: `selections.${place}.${path}`, message };
}

function idOf({ kind, productId, proposalId }: Selection, session: DiscoverySessionRow): MarketId | Issue {
  const path = `${kind}Id`;
  const named = readMarketId(kind, (kind === 'product' ? productId : proposalId) ?? '');
  if (named === undefined) return { path, message: `No query gave such an id of a ${kind}.` };
  if (named.sessionId === session.id) return named;
  return { path, message: `Another query gave it: productQueryId names ${session.id}.` };
}

const ELSEWHERE = 'The storefront of this id has no such proposal here.';

interface One {
  readonly session: DiscoverySessionRow;
  readonly draft: CampaignRow;
  readonly one: Selection;
  readonly named: MarketId;
}

async function choicesOf(
  ctx: Context,
  { session, draft, one, named }: One,
): Promise<Choice[] | { readonly issues: readonly Issue[] }> {
  const { sourceId, agentId } = named;
  const storefrontId = Number(named.storefrontId);
  if (one.kind === 'product') {
    const { budget, bidPrice, pricingOptionId, targetingOverlay } = one;
    const own = { budget, bidPrice, pricingOptionId, targetingOverlay };
    return [{ ...own, productId: sourceId, salesAgentId: agentId, storefrontId }];
  }
  try {
    const plan = await proposalOf(ctx, session, { proposalId: sourceId, salesAgentId: agentId });
    if (plan.storefrontId !== named.storefrontId)
      return { issues: [{ path: 'proposalId', message: ELSEWHERE }] };
    const { totalBudget } = one;
    const asked = { plan, totalBudget, otherwiseMinor: draft.budget_minor };
    return (await partsOf(ctx, session, asked)).choices;
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    return { issues: issuesOf(thrown) ?? [{ path: 'proposalId', message: thrown.message }] };
  }
}

/** A product gets one price and one budget: it is in one selection. */
async function chosenTwice(
  ctx: Context,
  session: DiscoverySessionRow,
  placed: readonly Placed[],
): Promise<Issue[]> {
  const first = new Map<string, number>();
  const again = placed.flatMap((one) => {
    const key = `${one.choice.salesAgentId} ${one.choice.productId}`;
    const before = first.get(key);
    if (before === undefined) first.set(key, one.place);
    return before === undefined ? [] : [{ ...one, before }];
  });
  if (again.length === 0) return [];
  const found = await findAll(
    ctx,
    session,
    again.map(({ choice }) => choice),
  );
  return again.map(({ choice, place, isProposal, before }, index) => ({
    path: `selections.${place}.${isProposal ? 'proposalId' : 'productId'}`,
    message: `${nameFound(choice, found[index] ?? NOT_FOUND)} is in selections.${before} already.`,
  }));
}

function problemOf({ field, problem, name }: Skipped, placed: Placed | undefined): Issue {
  const place = `selections.${placed?.place ?? 0}`;
  if (placed?.isProposal) return { path: `${place}.proposalId`, message: `${name}: ${problem}` };
  const isOfTheId = field === 'salesAgentId' || field === 'storefrontId';
  return { path: `${place}.${isOfTheId ? 'productId' : field}`, message: problem };
}
