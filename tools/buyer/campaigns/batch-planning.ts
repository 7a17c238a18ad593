import type { AdvertiserRow } from '../../../store/advertisers.ts';
import { type CampaignRow, insertCampaign } from '../../../store/campaigns.ts';
import {
  countSelections,
  type DiscoverySelectionRow,
  deleteSelections,
  listSelections,
  putSelections,
} from '../../../store/discovery-selections.ts';
import type { DiscoverySessionRow } from '../../../store/discovery-sessions.ts';
import type { Db } from '../../../store/engine/db.ts';
import type { Context } from '../../core/context.ts';
import { contradicts, staleWrite } from '../../core/errors/refusals.ts';
import { throwTogether } from '../../core/errors/told-together.ts';
import { requireActive, requireStillActive } from '../../domain/advertisers/active.ts';
import { reachAdvertiser } from '../../domain/advertisers/reach.ts';
import { holdAsRead } from '../../domain/buying/campaign-holding.ts';
import { holdBuyers, reviseBuyers } from '../../domain/buying/choice/choice-buyers.ts';
import { requireOpenSellers } from '../../domain/buying/choice/closed-sellers.ts';
import { campaignKind, reachCampaign } from '../../domain/buying/reach.ts';
import { choiceLeft } from '../../domain/discovery/choosing/choice-left.ts';
import type { Chosen } from '../../domain/discovery/choosing/choose.ts';
import { requireTargetable } from '../../domain/discovery/declared-targeting.ts';
import { roomForChoices } from '../../domain/discovery/quotas.ts';
import { reachSession, requireCurrencyKept } from '../../domain/discovery/reach.ts';
import { requireDraftOf, tie } from '../../domain/discovery/sessions/open-session.ts';
import { renamed } from '../../domain/renamed-problems.ts';
import { chooseBatch } from './batch-choices.ts';
import { asQueried } from './batch-ids.ts';
import type { Input } from './batch-schema.ts';
import { requireStorefronts } from './campaign-columns.ts';
import {
  fixesCurrency,
  keepCurrency,
  type NewCampaign,
  newCampaign,
  problemsOfNew,
  requireFit,
} from './new-campaign.ts';

/** What a batch comes to before anything is stored, and how it is stored. */

export interface Found {
  readonly session: DiscoverySessionRow;
  readonly advertiser: AdvertiserRow;
  /** Undefined where it is made. */
  readonly draft: CampaignRow | undefined;
}

export async function reachBatch(ctx: Context, { productQueryId, campaign }: Input): Promise<Found> {
  const session = await reachSession(ctx, productQueryId);
  const { campaignId, create } = campaign;
  const draft = campaignId === undefined ? undefined : await reachCampaign(ctx, campaignId);
  const advertiser = await reachAdvertiser(
    ctx,
    create?.advertiserId ?? draft?.advertiser_id ?? session.advertiser_id,
  );
  if (create !== undefined) {
    const others = () => problemsOfNew(create, advertiser, ctx.now);
    await inCreate(() => requireStorefronts(ctx, create.storefrontIds ?? [], others));
  }
  return { session, advertiser, draft };
}

const INSTEAD = {
  campaignId: 'campaign.campaignId',
  way: 'Name a draft in campaign.campaignId, or give campaign.create in its place: it makes another campaign.',
};

function inCreate<T>(work: () => Promise<T>): Promise<T> {
  return renamed((path) => `campaign.create.${path}`, work);
}

/** Everything that is decided before anything is stored. */
export interface Plan extends Found {
  readonly campaign: CampaignRow;
  readonly chosen: readonly Chosen[];
  /** What the campaign buys with it. */
  readonly selections: readonly DiscoverySelectionRow[];
  readonly replace: boolean;
  readonly noOp: boolean;
  /** What the draft does not have any more, in words. */
  readonly left: readonly string[];
}

export async function planned(ctx: Context, request: Input, found: Found): Promise<Plan> {
  const { session, advertiser, draft } = found;
  if (session.advertiser_id !== advertiser.id) {
    throw contradicts('productQueryId', 'The query belongs to another advertiser.', {
      suggestion: 'Give a query of this advertiser: product_query begins one.',
    });
  }
  requireActive(advertiser);
  requireCurrencyKept(session, advertiser, 'productQueryId');
  if (draft !== undefined) requireDraftOf(advertiser, draft, INSTEAD);
  const { create } = request.campaign;
  const campaign = draft ?? (await inCreate(async () => drafted(ctx, { create, advertiser, session })));
  const { replace, selections: asked } = request;
  const isNew = draft === undefined;
  const chosen = await chosenFor(ctx, request, { session, selections: asked, draft: campaign, isNew });
  const before = await listSelections(ctx.db, ctx.scope, session.id);
  const selections = together(ctx, replace ? [] : before, chosen);
  const isTied = draft?.discovery_id === session.id;
  if (!isTied) {
    const nameOf = (path: string) => (draft ? 'campaign.campaignId' : `campaign.create.${path}`);
    const stage = isNew ? 'new' : 'draft';
    await renamed(nameOf, async () => requireFit(campaign, selections, stage));
    const constraints = isNew ? 'campaign.create.constraints' : undefined;
    const choice = { chosen: selections, drafts: [campaign], sandbox: campaign.sandbox };
    await asQueried(selections, () => requireTargetable(ctx, choice, { constraints, stage }));
  }
  const noOp = isTied && isSame(before, selections);
  const isBought = request.mode === 'execute';
  const left = await choiceLeft(ctx, { draft, sessionId: session.id, isBought });
  return { ...found, campaign, chosen, selections, replace, noOp, left };
}

/** What a batch chooses; what is executed is held against its sellers later, with all that it orders. */
async function chosenFor(ctx: Context, { mode }: Input, choosing: Parameters<typeof chooseBatch>[1]) {
  const chosen = await chooseBatch(ctx, choosing);
  if (mode === 'stage') await requireOpenSellers(ctx, chosen);
  return chosen;
}

function drafted(
  ctx: Context,
  {
    create,
    advertiser,
    session,
  }: Pick<Found, 'advertiser' | 'session'> & { create: NewCampaign | undefined },
): CampaignRow {
  if (create === undefined) throw new TypeError('The schema lets neither of the two pass.');
  throwTogether(problemsOfNew(create, advertiser, ctx.now));
  const { organizationId: organization_id, customerId: customer_id } = ctx.scope;
  const made = newCampaign(ctx, { ...create, discoveryId: session.id }, advertiser);
  return { ...made, organization_id, customer_id };
}

/** The choice as it will stand: what is chosen again in its place, what is new behind the others. */
function together(
  ctx: Context,
  stored: readonly DiscoverySelectionRow[],
  chosen: readonly Chosen[],
): DiscoverySelectionRow[] {
  const rows = new Map(stored.map((row) => [`${row.agent_id} ${row.product_id}`, row]));
  let last = Math.max(0, ...stored.map(({ id }) => id));
  for (const row of chosen) {
    const key = `${row.agent_id} ${row.product_id}`;
    const before = rows.get(key)?.id;
    if (before === undefined) last += 1;
    const id = before ?? last;
    rows.set(key, { ...row, id, organization_id: ctx.scope.organizationId });
  }
  return [...rows.values()];
}

function isSame(before: readonly DiscoverySelectionRow[], after: readonly DiscoverySelectionRow[]): boolean {
  const plain = (rows: readonly DiscoverySelectionRow[]) =>
    JSON.stringify(rows.map(({ id: _, selected_at: __, ...row }) => Object.entries(row).sort()));
  return plain(before) === plain(after);
}

/** Writes the choice, and has the campaign buy it: made, or tied to the query. */
export async function store(ctx: Context, tx: Db, plan: Plan): Promise<CampaignRow> {
  const { session, draft, campaign, advertiser, chosen, replace } = plan;
  const { id } = session;
  await requireStillActive(tx, ctx, {
    id: advertiser.id,
    isToChange: draft === undefined && fixesCurrency(advertiser),
  });
  // A draft that is not tied to the query yet is none of those that buy its choice.
  const untied =
    draft === undefined || draft.discovery_id === id ? undefined : await holdAsRead(ctx, tx, draft);
  const buyers = await holdBuyers(ctx, tx, id);
  const from = await countSelections(tx, ctx.scope, id);
  if (replace) await deleteSelections(tx, ctx.scope, { id: session.id, productIds: null });
  await putSelections(tx, ctx.scope, chosen);
  await roomForChoices(ctx, tx, session.id);
  const to = await countSelections(tx, ctx.scope, id);
  const revised = await reviseBuyers(ctx, tx, { held: plan.noOp ? [] : buyers, count: { from, to } });
  if (draft === undefined) {
    await keepCurrency(ctx, tx, advertiser);
    return insertCampaign(tx, ctx.scope, campaign);
  }
  if (untied !== undefined) return tie(ctx, tx, { campaign: untied, session });
  const tied = [...revised, ...buyers].find((one) => one.id === draft.id);
  if (tied === undefined) throw staleWrite(campaignKind);
  requireDraftOf(advertiser, tied, INSTEAD);
  return tied;
}
