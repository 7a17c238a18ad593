import { fromJson } from '../../../store/engine/codec.ts';
import type { MediaBuyChangeRow } from '../../../store/media-buy-changes.ts';
import type { MediaBuyRow } from '../../../store/media-buys.ts';
import type { SpendApprovalRow } from '../../../store/spend-approvals.ts';
import {
  type CampaignAskedOf,
  type ChosenByName,
  listAdvertiserNames,
  listCampaignsAskedOf,
  listChangesById,
  listChosenByName,
  listMediaBuysOfCampaigns,
  listOpenChangesOfCampaigns,
} from '../../../store/spends-asked-of.ts';
import type { Context } from '../../core/context.ts';
import { type Named, namesApart } from '../../core/errors/names-apart.ts';
import { statusAt } from '../../domain/approvals/machines.ts';
import { asksForOrders, buysNamedIn } from '../../domain/approvals/withdrawing.ts';
import { isUnheld } from '../../domain/buying/answers/unsent.ts';
import { countedMinor } from '../../domain/buying/spend/change-commitments.ts';
import { toMajor } from '../../domain/money.ts';
import { changeOf, keysToTell, outcomeNow } from './outcome.ts';
import { spendApprovalRecord } from './record.ts';

/** What somebody who decides has to know of a spend beside what was asked: whose it is, and what it comes to. */

type Shown = ReturnType<typeof shown>;

/** An approval with what it is about: the names as they are now, and while it waits what is held without it. */
export async function spendApprovalShown(ctx: Context, row: SpendApprovalRow): Promise<Shown> {
  const [only] = await spendApprovalsShown(ctx, [row]);
  if (only === undefined) throw new Error('An approval that is there is shown.');
  return only;
}

/** The same of a page of them, with as many queries. */
export async function spendApprovalsShown(
  { db, scope, now }: Context,
  rows: readonly SpendApprovalRow[],
): Promise<Shown[]> {
  const campaigns = await listCampaignsAskedOf(db, scope, idsOf(rows));
  const advertisers = await listAdvertiserNames(db, scope, [
    ...new Set(rows.map(({ advertiser_id }) => advertiser_id)),
  ]);
  const waiting = idsOf(rows.filter((row) => statusAt(row, now) === 'pending'));
  // Changes first: one that its seller confirms in between counts twice then, and never not at all.
  const open = await listOpenChangesOfCampaigns(db, scope, waiting);
  const untold = rows.filter((row) => keysToTell(row).length > 0);
  const changes = await listChangesById(
    db,
    scope,
    untold.flatMap(keysToTell).flatMap((key) => changeOf(key) ?? []),
  );
  const buys = await listMediaBuysOfCampaigns(db, scope, [...new Set([...waiting, ...idsOf(untold)])]);
  const sessionIds = campaigns.flatMap(({ id, discovery_id }) =>
    discovery_id !== null && waiting.includes(id) ? [discovery_id] : [],
  );
  const around: Around = {
    now,
    campaigns: new Map(campaigns.map((campaign) => [campaign.id, campaign])),
    advertisers: new Map(advertisers.map(({ id, name }) => [id, name])),
    chosen: await listChosenByName(db, scope, [...new Set(sessionIds)]),
    buys,
    open,
    changes,
  };
  return rows.map((row) => shown(row, around));
}

function idsOf(rows: readonly SpendApprovalRow[]): string[] {
  return [...new Set(rows.map(({ campaign_id }) => campaign_id))];
}

interface Around {
  readonly now: string;
  readonly campaigns: ReadonlyMap<string, CampaignAskedOf>;
  readonly advertisers: ReadonlyMap<number, string>;
  /** What is chosen for those of them that wait. */
  readonly chosen: readonly ChosenByName[];
  readonly buys: readonly MediaBuyRow[];
  readonly open: readonly MediaBuyChangeRow[];
  /** What went to sellers with those of which nobody noted what came of it. */
  readonly changes: readonly MediaBuyChangeRow[];
}

function shown(row: SpendApprovalRow, around: Around) {
  const { now, campaigns, advertisers, buys: all, open, changes } = around;
  const outcome = outcomeNow(row, { buys: all, changes });
  const record = spendApprovalRecord(row, { outcome, now });
  const campaign = campaigns.get(row.campaign_id);
  const names = {
    campaignName: campaign?.name,
    advertiserName: advertisers.get(row.advertiser_id),
  };
  if (statusAt(row, now) !== 'pending') return { ...record, ...names };
  const buys = all.filter(({ campaign_id }) => campaign_id === row.campaign_id);
  const heldMinor = buys.reduce((sum, buy) => sum + countedMinor(buy, open), 0);
  const { sellers, products } = asksForOrders(row)
    ? ordered(buys, chosenFor(campaign, around))
    : boughtBefore(row, buys, chosenFor(campaign, around));
  return {
    ...record,
    ...names,
    ...(campaign === undefined
      ? {}
      : { flightDates: { startDate: campaign.start_at, endDate: campaign.end_at } }),
    held: toMajor(heldMinor, row.currency),
    sellerNames: [...namesApart(sellers).values()],
    productNames: products.slice(0, PRODUCTS_NAMED),
    productCount: products.length,
  };
}

/** So many products are named. */
const PRODUCTS_NAMED = 20;

interface Bought {
  readonly sellers: readonly Named[];
  readonly products: readonly string[];
}

function chosenFor(campaign: CampaignAskedOf | undefined, { chosen }: Around): readonly ChosenByName[] {
  const sessionId = campaign?.discovery_id ?? null;
  return sessionId === null ? [] : chosen.filter(({ session_id }) => session_id === sessionId);
}

/** Of sellers that hold their orders already nothing goes out. */
function ordered(buys: readonly MediaBuyRow[], chosen: readonly ChosenByName[]): Bought {
  const holding = new Set(buys.filter((buy) => !isUnheld(buy)).map(({ agent_id }) => agent_id));
  const going = chosen.filter(({ agent_id }) => !holding.has(agent_id));
  return {
    sellers: going.flatMap(({ agent_id: id, seller_name: name, storefront_name }) =>
      name === null ? [] : [{ id, name, beside: storefront_name ?? undefined }],
    ),
    products: going.flatMap(({ product_name }) => product_name ?? []),
  };
}

function boughtBefore(
  row: SpendApprovalRow,
  buys: readonly MediaBuyRow[],
  chosen: readonly ChosenByName[],
): Bought {
  const storefronts = new Map(chosen.map(({ agent_id, storefront_name }) => [agent_id, storefront_name]));
  const named = buysNamedIn(row);
  const meant = buys.filter(({ id }) => named?.includes(id) ?? true);
  return {
    sellers: meant.map(({ agent_id: id, agent_name: name }) => {
      return { id, name, beside: storefronts.get(id) ?? undefined };
    }),
    products: meant.flatMap(({ products }) => fromJson(products).map(({ name }) => name)),
  };
}
