import type { MediaBuyChangeRow } from '../../../store/media-buy-changes.ts';
import type { MediaBuyRow } from '../../../store/media-buys.ts';
import type { SpendApprovalRow } from '../../../store/spend-approvals.ts';
import {
  listAdvertiserNames,
  listCampaignNames,
  listChangesById,
  listMediaBuysOfCampaigns,
  listOpenChangesOfCampaigns,
} from '../../../store/spends-asked-of.ts';
import type { Context } from '../../core/context.ts';
import { statusAt } from '../../domain/approvals/machines.ts';
import { buysNamedIn } from '../../domain/approvals/withdrawing.ts';
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
  const campaigns = await listCampaignNames(db, scope, idsOf(rows));
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
  const around: Around = {
    now,
    campaigns: new Map(campaigns.map(({ id, name }) => [id, name])),
    advertisers: new Map(advertisers.map(({ id, name }) => [id, name])),
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
  readonly campaigns: ReadonlyMap<string, string>;
  readonly advertisers: ReadonlyMap<number, string>;
  readonly buys: readonly MediaBuyRow[];
  readonly open: readonly MediaBuyChangeRow[];
  /** What went to sellers with those of which nobody noted what came of it. */
  readonly changes: readonly MediaBuyChangeRow[];
}

function shown(row: SpendApprovalRow, { now, campaigns, advertisers, buys: all, open, changes }: Around) {
  const outcome = outcomeNow(row, { buys: all, changes });
  const record = spendApprovalRecord(row, { outcome, now });
  const names = {
    campaignName: campaigns.get(row.campaign_id),
    advertiserName: advertisers.get(row.advertiser_id),
  };
  if (statusAt(row, now) !== 'pending') return { ...record, ...names };
  const buys = all.filter(({ campaign_id }) => campaign_id === row.campaign_id);
  const heldMinor = buys.reduce((sum, buy) => sum + countedMinor(buy, open), 0);
  const named = buysNamedIn(row);
  const meant = buys.filter(({ id }) => named?.includes(id) ?? true);
  return {
    ...record,
    ...names,
    held: toMajor(heldMinor, row.currency),
    sellerNames: [...new Set(meant.map(({ agent_name }) => agent_name))],
  };
}
