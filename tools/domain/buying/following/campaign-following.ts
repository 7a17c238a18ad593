import type { CampaignStatus } from '../../../../store/campaigns.ts';
import type { Scope } from '../../../../store/engine/scope.ts';
import type { AuditedWrite, Context } from '../../../core/context.ts';
import { nowOf } from '../../../core/moments.ts';
import { afterNews, settleCampaign } from '../campaign-settling.ts';
import { campaignKind } from '../reach.ts';
import { followLimits } from '../spend/limits-following.ts';
import { loggedLimits } from '../spend/pending-update.ts';

interface Following {
  readonly id: string;
  readonly now: string;
}

/**
 * What a campaign comes to by what became of its media buys: where it stands, and the limits that waited until they
 * keep to them. To be called after whatever was changed or heard of one. Gives its status.
 */
export async function followBuys(
  write: AuditedWrite,
  scope: Scope,
  { id, now }: Following,
): Promise<CampaignStatus | undefined> {
  const settled = await settleCampaign(write, scope, { id, now, rule: afterNews });
  if (settled === undefined || settled.waiting_limits === null) return settled?.status;
  await write(
    (tx) => followLimits(tx, scope, { id, now }),
    (followed) =>
      followed && {
        kind: campaignKind,
        resourceId: id,
        resourceName: followed.after.name,
        advertiserId: followed.after.advertiser_id,
        action: 'UPDATE',
        changes: loggedLimits(followed),
      },
  );
  return settled.status;
}

/**
 * The same once a seller was asked. That is done, and what it came to has to be told: a campaign that cannot be moved
 * on now is logged, and gives undefined.
 */
export async function followAfterAsking(ctx: Context, id: string): Promise<CampaignStatus | undefined> {
  const now = nowOf(ctx.services.ports.clock);
  const write: AuditedWrite = (work, subject) => ctx.write(work, subject);
  try {
    return await followBuys(write, ctx.scope, { id, now });
  } catch (err) {
    ctx.services.log.error({ err, campaignId: id }, 'settling a campaign failed');
    return undefined;
  }
}
