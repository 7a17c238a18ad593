import type { CampaignRow } from '../../../store/campaigns.ts';
import { type DiscoverySelectionRow, listSelections } from '../../../store/discovery-selections.ts';
import { fromJson, toJson } from '../../../store/engine/codec.ts';
import { listOpenChanges } from '../../../store/media-buy-changes.ts';
import { listMediaBuys, type MediaBuyRow } from '../../../store/media-buys.ts';
import type { Context } from '../../core/context.ts';
import { AppError } from '../../core/errors/app-error.ts';
import { conflict, contradicts, invalidInput } from '../../core/errors/refusals.ts';
import { next } from '../../core/machines.ts';
import { reachAdvertiser } from '../advertisers/reach.ts';
import { isUnsent } from '../buying/answers/unsent.ts';
import { ofAnotherMajor } from '../buying/changes/other-majors.ts';
import { undeclaredGoals } from '../buying/changes/undeclared-goals.ts';
import { sellersToOrderAt, undeclaredFor } from '../buying/changes/undeclared-targeting.ts';
import type { Remade, WantedChange, WantedProduct } from '../buying/changes/wanted-change.ts';
import { ahead } from '../buying/choice/allocation.ts';
import { feesFor } from '../buying/choice/fees.ts';
import { buyMachine, campaignMachine } from '../buying/machines.ts';
import { ordersFor, purchaserOf, UNTOLD } from '../buying/orders/order-making.ts';
import { takenByPeriods } from '../buying/spend/period-budgets.ts';
import { askedOf, takenMinor } from '../buying/spend/taking.ts';
import { type Chosen, requireAll, tryChoices } from '../discovery/choosing/choose.ts';
import { reachSession } from '../discovery/reach.ts';
import { toMajor } from '../money.ts';
import { later } from '../time.ts';
import { orderProblems } from './order-problems.ts';

/**
 * An order that no seller holds can be made anew: with other products of its seller, periods and goals of its own.
 * What is chosen stands in the discovery session, which every further execute goes by; so it is changed there, in
 * the transaction that changes the buy.
 */

type Subject = { readonly campaign: CampaignRow; readonly buy: MediaBuyRow; readonly wanted: WantedChange };

/** The wanted changes, those of buys that no seller holds with the order that they come to. */
export async function withOrdersMade(
  ctx: Context,
  campaign: CampaignRow,
  wanted: readonly WantedChange[],
): Promise<WantedChange[]> {
  if (!wanted.some(asksForAnOrder)) return [...wanted];
  const buys = await listMediaBuys(ctx.db, ctx.scope, campaign.id);
  const made: WantedChange[] = [];
  for (const one of wanted) {
    const buy = buys.find(({ id }) => id === one.mediaBuyId);
    const isMade = buy !== undefined && isUnsent(buy) && asksForAnOrder(one);
    made.push(isMade ? { ...one, remade: await remade(ctx, { campaign, buy, wanted: one }, buys) } : one);
  }
  return made;
}

function asksForAnOrder({ products, pacingPeriods, goals }: WantedChange): boolean {
  return products !== undefined || pacingPeriods !== undefined || goals !== undefined;
}

async function remade(ctx: Context, subject: Subject, buys: readonly MediaBuyRow[]): Promise<Remade> {
  try {
    return await orderOf(ctx, subject, buys);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { problems: [error], columns: {}, choice: undefined };
  }
}

async function orderOf(
  ctx: Context,
  { campaign, buy, wanted }: Subject,
  buys: readonly MediaBuyRow[],
): Promise<Remade> {
  const { discovery_id: sessionId } = campaign;
  if (sessionId === null || next(campaignMachine, campaign.status, 'execute') === undefined) {
    throw conflict(
      `The campaign is ${campaign.status}: nothing more is ordered for it.`,
      'Create another with campaign_create.',
    );
  }
  const there = await listSelections(ctx.db, ctx.scope, sessionId);
  const { after, put, removed } = await choiceAfter(ctx, { sessionId, buy, wanted, there });
  const mine = after.filter(({ agent_id }) => agent_id === buy.agent_id);
  if (mine.length === 0) {
    throw contradicts(wanted.called('products'), 'Nothing is left of it: delete the media buy instead.');
  }
  const advertiser = await reachAdvertiser(ctx, campaign.advertiser_id);
  const fees = await feesFor(ctx, advertiser);
  const kept = buys.filter(({ id, ...one }) => id !== buy.id && !isUnsent(one));
  const open = after.filter(({ agent_id }) => !kept.some((one) => one.agent_id === agent_id));
  const asked = await listOpenChanges(ctx.db, ctx.scope, { campaignId: campaign.id });
  const committed = takenMinor({ buys: kept, open: asked });
  const periods_taken = takenByPeriods(campaign, { buys: kept, open: askedOf(asked) });
  const terms = { ...ahead(campaign, ctx.now), periods_taken };
  const own = { ...buy, ...ownTerms(wanted) };
  const orders = ordersFor(ctx, terms, {
    ...(await purchaserOf(ctx, advertiser)),
    selections: open,
    fees,
    committed,
    before: [own],
  });
  const order = orders.find(({ agent_id }) => agent_id === buy.agent_id);
  if (order === undefined) return { problems: [], columns: {}, choice: undefined };
  const known = await sellersToOrderAt(ctx, mine, campaign);
  return {
    problems: orderProblems(order, { campaign, buy: own, wanted, terms, open, buys, committed, fees }),
    anotherMajor: ofAnotherMajor(mine, known, [buy]),
    undeclared: [
      ...undeclaredGoals(buy, { goals: wanted.goals ?? [], called: wanted.called }, mine),
      ...undeclaredFor(mine, { campaign, known }).map((one) => ({ ...one, mediaBuyId: buy.id })),
    ],
    columns: {
      ...UNTOLD,
      status: next(buyMachine, buy.status, 'replace') ?? buy.status,
      submission: 'unsent',
      products: order.products,
      budget_minor: order.budget_minor,
      fee_bps: order.fee_bps,
      packages: order.packages,
      order_payload: withDatesOf(buy, order.order_payload, ctx.now),
      pacing_periods: order.pacing_periods,
      optimization_goals: order.optimization_goals,
    },
    choice: { sessionId, agentId: buy.agent_id, put, removed },
  };
}

/** Dates that the buy was given stay its own. */
function withDatesOf({ start_time, end_time }: MediaBuyRow, payload: string, now: string): string {
  return JSON.stringify({ ...JSON.parse(payload), startTime: later(start_time, now), endTime: end_time });
}

function ownTerms({ pacingPeriods, goals }: WantedChange): Partial<MediaBuyRow> {
  return {
    ...(pacingPeriods === undefined
      ? {}
      : { pacing_periods: pacingPeriods === null ? null : toJson(pacingPeriods) }),
    ...(goals === undefined ? {} : { optimization_goals: goals.length === 0 ? null : toJson(goals) }),
  };
}

interface Choosing {
  readonly sessionId: string;
  readonly buy: MediaBuyRow;
  readonly wanted: WantedChange;
  readonly there: readonly DiscoverySelectionRow[];
}

/** What is chosen in the session once the products of the change are: of this seller, and of the others. */
async function choiceAfter(ctx: Context, { sessionId, buy, wanted, there }: Choosing) {
  const products = wanted.products ?? [];
  const mine = there.filter(({ agent_id }) => agent_id === buy.agent_id);
  const issues = products.flatMap(({ productId, remove }, index) =>
    remove === true && !mine.some(({ product_id }) => product_id === productId)
      ? [{ path: wanted.called(`products.${index}.productId`), message: 'It is not chosen.' }]
      : [],
  );
  if (issues.length > 0) throw invalidInput(issues);
  const given = products.filter(({ remove }) => remove !== true);
  const put: Chosen[] =
    given.length === 0
      ? []
      : requireAll(
          await tryChoices(ctx, {
            session: await reachSession(ctx, sessionId),
            choices: given.map((one) => asChoice(one, { buy, wanted, mine, index: products.indexOf(one) })),
          }),
        );
  const removed = products.filter(({ remove }) => remove === true).map(({ productId }) => productId);
  const isGone = ({ agent_id, product_id }: DiscoverySelectionRow) =>
    agent_id === buy.agent_id &&
    (removed.includes(product_id) || put.some((one) => one.product_id === product_id));
  const added = put.map((one) => ({ ...one, id: 0, organization_id: buy.organization_id }));
  return { after: [...there.filter((row) => !isGone(row)), ...added], put, removed };
}

interface Known {
  readonly buy: MediaBuyRow;
  readonly wanted: WantedChange;
  readonly mine: readonly DiscoverySelectionRow[];
  readonly index: number;
}

/** A product as it is to be chosen: what is not said of one that is chosen already stays. */
function asChoice(product: WantedProduct, { buy, wanted, mine, index }: Known) {
  const { productId, pricingOptionId, budget, pacing, bidPrice } = product;
  const before = mine.find(({ product_id }) => product_id === productId);
  const { budget_minor: known = null, targeting_overlay: overlay = null } = before ?? {};
  return {
    productId,
    salesAgentId: buy.agent_id,
    groupId: before?.group_id,
    pricingOptionId: pricingOptionId ?? before?.pricing_option_id,
    budget: budget ?? (known === null ? undefined : toMajor(known, buy.currency)),
    pacing: pacing ?? before?.pacing ?? null,
    bidPrice: bidOf(bidPrice, before?.bid_price),
    targetingOverlay: overlay === null ? undefined : fromJson(overlay),
    calledAs: (field: string) => wanted.called(`products.${index}.${field}`),
  };
}

function bidOf(given: number | null | undefined, before: string | null | undefined): number | undefined {
  if (given !== undefined) return given ?? undefined;
  return before === null || before === undefined ? undefined : Number(before);
}
