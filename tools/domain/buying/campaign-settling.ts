import { type CampaignRow, type CampaignStatus, findCampaign } from '../../../store/campaigns.ts';
import type { Db } from '../../../store/engine/db.ts';
import type { Scope } from '../../../store/engine/scope.ts';
import { lockCampaign } from '../../../store/held-campaigns.ts';
import { listMediaBuys, type MediaBuyRow } from '../../../store/media-buys.ts';
import type { AuditedWrite } from '../../core/context.ts';
import { next } from '../../core/machines.ts';
import { writeCampaign } from '../campaigns/writing.ts';
import {
  type CampaignEvent,
  campaignMachine,
  isLive,
  isPutAway,
  isUnreported,
  isUnresolved,
} from './machines.ts';
import { campaignKind } from './reach.ts';

type Ended = Pick<
  MediaBuyRow,
  | 'status'
  | 'adcp_media_buy_id'
  | 'impressions'
  | 'spend_minor'
  | 'figures_awaited_since'
  | 'figures_reported_at'
  | 'goes_on_since'
>;
type Buys = readonly (Ended & Pick<MediaBuyRow, 'submission'>)[];

type Standing = Pick<CampaignRow, 'status' | 'archived_at'>;

/**
 * Where a campaign stands by its buys. While one of them lives it stays, and is no draft; afterwards it is archived if
 * that was asked for, over if anything ran, called off if nothing did because they were, and else a draft again.
 */
export function afterNews({ status, archived_at }: Standing, buys: Buys): CampaignStatus {
  if (buys.some(goesOn)) return next(campaignMachine, status, 'goOn') ?? status;
  if (buys.some(isLive)) return status;
  if (archived_at !== null) return next(campaignMachine, status, 'archive') ?? status;
  return next(campaignMachine, status, endOf(buys)) ?? status;
}

/** Whether it lives at its seller, although it had been over. */
function goesOn(buy: Buys[number]): boolean {
  return isLive(buy) && buy.goes_on_since !== null;
}

/** Orders that were called off are not made again: of a campaign that has nothing else none goes out. */
function endOf(buys: readonly Ended[]): CampaignEvent {
  if (buys.some(hasRun)) return 'complete';
  const isCalledOff = buys.some(({ status }) => status === 'CANCELED');
  return isCalledOff || (buys.some(isPutAway) && !buys.some(isUntaken)) ? 'cancel' : 'refuse';
}

/** Whether no seller took it, so that it can be ordered again. */
function isUntaken({ status, adcp_media_buy_id }: Ended): boolean {
  return status !== 'ARCHIVED' && adcp_media_buy_id === null;
}

/** Whether it did not only come to nothing: what its seller is still to report may be anything. */
function hasRun(buy: Ended): boolean {
  return buy.status === 'COMPLETED' || buy.impressions + buy.spend_minor > 0 || isUnreported(buy);
}

type Flying = Standing & Pick<CampaignRow, 'end_at'>;

/**
 * Where a campaign stands once its flight is over: an order of which nobody knows keeps it open. It may have a later
 * end by now, of somebody who began before this one came.
 */
export function afterFlight({ status, end_at }: Flying, buys: Buys, now: string): CampaignStatus {
  if (end_at > now || buys.some(isUnresolved)) return status;
  return next(campaignMachine, status, 'complete') ?? status;
}

/** Where a campaign stands by its media buys at a moment. */
export type Rule = (campaign: Flying, buys: Buys, now: string) => CampaignStatus;

interface Settling {
  readonly id: string;
  readonly now: string;
  readonly rule: Rule;
}

interface Settled {
  readonly before: CampaignRow;
  readonly after: CampaignRow;
}

/** By its buys as they are once it is held: it may have been written with one of them since. */
async function moved(tx: Db, scope: Scope, { id, now, rule }: Settling): Promise<Settled | undefined> {
  const before = await lockCampaign(tx, scope, id);
  if (before === undefined) return undefined;
  const status = rule(before, await listMediaBuys(tx, scope, id), now);
  if (status === before.status) return { before, after: before };
  const after = await writeCampaign(tx, scope, { before, set: { status, updated_at: now } });
  return { before, after: after ?? before };
}

/** Moves a campaign on by what became of its buys, whoever wrote it in between. Gives it as it is then. */
export async function settleCampaign(
  write: AuditedWrite,
  scope: Scope,
  { id, now, rule }: Settling,
): Promise<CampaignRow | undefined> {
  const settled = await write<Settled | undefined>(
    async (tx) => {
      const before = await findCampaign(tx, scope, id);
      if (before === undefined) return undefined;
      if (rule(before, await listMediaBuys(tx, scope, id), now) === before.status)
        return { before, after: before };
      return moved(tx, scope, { id, now, rule });
    },
    (result) =>
      result === undefined || result.before.status === result.after.status
        ? undefined
        : {
            kind: campaignKind,
            resourceId: id,
            resourceName: result.after.name,
            advertiserId: result.after.advertiser_id,
            action: 'UPDATE',
            changes: { status: { from: result.before.status, to: result.after.status } },
          },
  );
  return settled?.after;
}
