import type { CampaignRow } from '../../../store/campaigns.ts';
import { makeScope } from '../../../store/engine/scope.ts';
import { listEndedCampaigns } from '../../../store/unscoped/abandoned-work.ts';
import { asService, createActor } from '../../core/actor.ts';
import type { Actor, Context, Services } from '../../core/context.ts';
import { next } from '../../core/machines.ts';
import { nowOf } from '../../core/moments.ts';
import { afterFlight, settleCampaign } from './campaign-settling.ts';
import { campaignMachine } from './machines.ts';
import { campaignKind, reachCampaign } from './reach.ts';

/** Campaigns of one step of housekeeping. */
const STEP = 50;

/** A campaign as it is at this moment: one whose flight is over is completed before anybody looks at it. */
export async function reachCurrentCampaign(ctx: Context, id: string): Promise<CampaignRow> {
  const row = await reachCampaign(ctx, id);
  if (row.end_at > ctx.now || next(campaignMachine, row.status, 'complete') === undefined) return row;
  await complete(ctx.services, row, ctx.requestId);
  // Of two readers at once the other may have written it: what is stored is how it is.
  return reachCampaign(ctx, id);
}

/** Completes campaigns whose flight is over, a few at a time; gives whether there may be more. */
export async function completeEnded(services: Services): Promise<boolean> {
  const now = nowOf(services.ports.clock);
  const rows = await listEndedCampaigns(services.store.db, { now, limit: STEP });
  for (const row of rows) await complete(services, row, services.processId);
  return rows.length === STEP;
}

/** The end of a flight is nobody's deed: the log says that the service saw to it. */
function complete(services: Services, row: CampaignRow, requestId: string) {
  const { write, now } = actorFor(services, row, requestId);
  const scope = makeScope({ organizationId: row.organization_id, customerId: row.customer_id });
  return settleCampaign(write, scope, { id: row.id, now, rule: afterFlight });
}

function actorFor({ store, ports }: Services, row: CampaignRow, requestId: string): Actor {
  return createActor(
    { store, clock: ports.clock, ids: ports.ids },
    {
      author: asService(row, requestId),
      tool: 'campaign_update',
      surface: 'buyer',
      title: 'Flight is over',
      action: 'UPDATE',
      kind: campaignKind,
      parameters: null,
    },
  );
}
