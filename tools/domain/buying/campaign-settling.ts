import {
  type CampaignRow,
  type CampaignStatus,
  findCampaign,
  updateCampaign,
} from '../../../store/campaigns.ts';
import type { Scope } from '../../../store/engine/scope.ts';
import { listMediaBuys, type MediaBuyRow } from '../../../store/media-buys.ts';
import type { AuditedWrite } from '../../core/context.ts';
import { next } from '../../core/machines.ts';
import { isRefused } from './buy-status.ts';
import { campaignMachine } from './machines.ts';
import { campaignKind } from './reach.ts';

type Buys = readonly Pick<MediaBuyRow, 'status' | 'submission'>[];

/** Where a campaign stands once its orders are answered: a draft again when every one of them was refused. */
export function afterOrders(status: CampaignStatus, buys: Buys): CampaignStatus {
  const counted = buys.filter((buy) => buy.status !== 'ARCHIVED');
  if (counted.length > 0 && counted.every(isRefused))
    return next(campaignMachine, status, 'refuse') ?? status;
  return afterNews(status, buys);
}

/** Where a campaign stands after news of its buys: over when all have run their time or were called off. */
export function afterNews(status: CampaignStatus, buys: Buys): CampaignStatus {
  const counted = buys.filter((buy) => buy.status !== 'ARCHIVED');
  const over = counted.every((buy) => ['COMPLETED', 'CANCELED', 'REJECTED'].includes(buy.status));
  const ran = counted.some((buy) => buy.status === 'COMPLETED');
  return over && ran ? (next(campaignMachine, status, 'complete') ?? status) : status;
}

interface Settling {
  readonly id: string;
  readonly now: string;
  readonly rule: typeof afterNews;
}

/** Moves a campaign on by what became of its buys, whoever wrote it in between. Gives its status. */
export async function settleCampaign(
  write: AuditedWrite,
  scope: Scope,
  { id, now, rule }: Settling,
): Promise<CampaignStatus | undefined> {
  const settled = await write<{ before: CampaignRow; after: CampaignRow } | undefined>(
    async (tx) => {
      const before = await findCampaign(tx, scope, id);
      if (before === undefined) return undefined;
      const status = rule(before.status, await listMediaBuys(tx, scope, id));
      if (status === before.status) return { before, after: before };
      const { version } = before;
      const after = await updateCampaign(tx, scope, { id, version, set: { status, updated_at: now } });
      // Whoever wrote in between settles it by what it knows.
      return { before, after: after ?? before };
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
  return settled?.after.status;
}
