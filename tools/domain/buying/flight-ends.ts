import type { CampaignRow } from '../../../store/campaigns.ts';
import { scopeOfRow } from '../../../store/engine/scope.ts';
import { listMediaBuys } from '../../../store/media-buys.ts';
import {
  type CampaignPlace,
  listEndedCampaigns,
  listRunningCampaigns,
} from '../../../store/unscoped/abandoned-work.ts';
import type { Context, Services } from '../../core/context.ts';
import { next } from '../../core/machines.ts';
import { fromNow, MINUTE_MS, nowOf } from '../../core/moments.ts';
import { afterFlight, afterNews, type Rule, settleCampaign } from './campaign-settling.ts';
import { campaignMachine, openStatuses } from './machines.ts';
import { campaignKind, reachCampaign } from './reach.ts';
import { serviceActor } from './service-actor.ts';

/** Campaigns of one step of housekeeping. */
const STEP = 50;

/**
 * A campaign as it is at this moment: one whose flight is over, or whose last media buy has ended while whoever heard
 * of that died before the campaign followed, is moved on before anybody looks at it.
 */
export async function reachCurrentCampaign(ctx: Context, id: string): Promise<CampaignRow> {
  const row = await reachCampaign(ctx, id);
  const due = ruleFor(ctx, row);
  const rule = due instanceof Promise ? await due : due;
  if (rule === undefined) return row;
  await settle(ctx.services, row, { rule, requestId: ctx.requestId });
  // Of two readers at once the other may have written it: what is stored is how it is.
  return reachCampaign(ctx, id);
}

/** What there is to move it on by; undefined where it stands as it should. */
function ruleFor(ctx: Context, row: CampaignRow): Rule | undefined | Promise<Rule | undefined> {
  const isRunning = next(campaignMachine, row.status, 'complete') !== undefined;
  if (isRunning && row.end_at <= ctx.now) return afterFlight;
  if (!isRunning && (row.archived_at === null || row.status === 'ARCHIVED')) return undefined;
  return ruleByBuys(ctx, row);
}

async function ruleByBuys(ctx: Context, row: CampaignRow): Promise<Rule | undefined> {
  const buys = await listMediaBuys(ctx.db, ctx.scope, row.id);
  return buys.length === 0 || afterNews(row, buys) === row.status ? undefined : afterNews;
}

/** Completes campaigns whose flight is over, a few at a time; gives whether there may be more. */
export async function completeEnded(services: Services): Promise<boolean> {
  const now = nowOf(services.ports.clock);
  const rows = await listEndedCampaigns(services.store.db, { now, limit: STEP });
  for (const row of rows) await settle(services, row, { rule: afterFlight, requestId: services.processId });
  return rows.length === STEP;
}

/** Campaigns that one look at those that run goes through. */
const LOOK = 200;
/** Whoever ends the last media buy of a campaign moves that on at once, or has died. */
const MOVED_ON_AFTER_MS = MINUTE_MS;
const FIRST: CampaignPlace = { end_at: '', id: '' };

/**
 * Looks at the campaigns that run, some at every call and round and round, and moves on those whose last media buy
 * ended while whoever heard of that died.
 */
export function endedBuysFollowed(services: Services, limit = LOOK): () => Promise<void> {
  let after = FIRST;
  return async () => {
    const since = fromNow(services.ports.clock, -MOVED_ON_AFTER_MS);
    const rows = await listRunningCampaigns(services.store.db, { after, open: openStatuses, since, limit });
    const last = rows.at(-1);
    after = last === undefined || rows.length < limit ? FIRST : { end_at: last.end_at, id: last.id };
    const left = rows.filter(({ buys, living }) => buys > 0 && living === 0);
    for (const row of left) await settle(services, row, { rule: afterNews, requestId: services.processId });
  };
}

interface Settling {
  readonly rule: Rule;
  readonly requestId: string;
}

/** The end of a flight is nobody's deed: the log says that the service saw to it. */
function settle(services: Services, row: CampaignRow, { rule, requestId }: Settling) {
  const title = rule === afterFlight ? 'Flight is over' : 'All media buys have ended';
  const deed = { tool: 'campaign_update', title, action: 'UPDATE', kind: campaignKind, requestId } as const;
  const { write, now } = serviceActor(services, row, deed);
  const scope = scopeOfRow(row);
  return settleCampaign(write, scope, { id: row.id, now, rule });
}
