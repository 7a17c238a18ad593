import type { CampaignLimits } from '../../../../store/campaign-limits.ts';
import type { CampaignRow } from '../../../../store/campaigns.ts';
import { fromJson, toJson } from '../../../../store/engine/codec.ts';
import type { Db } from '../../../../store/engine/db.ts';
import type { Scope } from '../../../../store/engine/scope.ts';
import { isOver } from '../../../../store/held-campaigns.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { differing, type Given } from '../../../core/updating.ts';
import { writeCampaign } from '../../campaigns/writing.ts';
import { spendableOf } from '../choice/allocation.ts';
import { isLive, isUnreported } from '../machines.ts';
import { holdCampaign, outsideFlight, overspent } from './budget-keeping.ts';
import { pacedOtherwise } from './even-pace.ts';
import type { Taking } from './taking.ts';

/**
 * Limits of a campaign that are lowered together with its media buys hold once these keep to them: while one of its
 * sellers may refuse, the campaign keeps what its media buys have. They wait with the campaign, whatever becomes of the
 * change that they were asked for with.
 */

const MONEY = ['budget_minor', 'daily_cap_minor'] as const;
const FLIGHT = ['start_at', 'end_at'] as const;

/** Whether media buys have less room in a campaign than before, in all, a day or in time. Pure. */
export function isNarrower(row: CampaignRow, found: CampaignRow): boolean {
  const capOf = ({ daily_cap_minor: cap }: CampaignRow) => cap ?? Number.POSITIVE_INFINITY;
  return (
    spendableOf(row) < spendableOf(found) ||
    capOf(row) < capOf(found) ||
    row.end_at < found.end_at ||
    row.start_at > found.start_at
  );
}

type Taken = Pick<Taking, 'buys' | 'open'> & { readonly now: string };

/** What of an update has to wait, because the media buys as they stand do not keep to it. Pure. */
export function limitsToWait(
  found: CampaignRow,
  set: Partial<CampaignRow>,
  { now, ...taking }: Taken,
): CampaignLimits {
  const flight = takes(set, FLIGHT);
  const row = { ...found, ...set };
  const isOutside = outsideFlight({ ...taking, campaign: row }).length > 0;
  const dates = isOutside ? flight : {};
  const before = { ...taking, campaign: found };
  const after = { ...taking, campaign: { ...row, ...takesOf(found, dates) } };
  const isKept =
    pacedOtherwise({ before: found, after: row, ...taking }) === undefined &&
    overspent(before, after, now) === undefined;
  return { ...dates, ...(isKept ? {} : takes(set, MONEY)) };
}

function takes(set: Partial<CampaignRow>, names: readonly (keyof CampaignLimits)[]): CampaignLimits {
  return Object.fromEntries(names.flatMap((name) => (name in set ? [[name, set[name]]] : [])));
}

function takesOf(row: CampaignRow, limits: CampaignLimits): CampaignLimits {
  return takes(row, namesOf(limits));
}

function namesOf(limits: CampaignLimits) {
  return Object.keys(limits) as (keyof CampaignLimits)[];
}

/** Columns without those that wait. */
function without<T extends object>(set: T, waiting: object): T {
  return Object.fromEntries(Object.entries(set).filter(([name]) => !(name in waiting))) as T;
}

/** The limits that wait for the media buys of a campaign; empty where none do. Pure. */
export function limitsWaiting({ waiting_limits }: Pick<CampaignRow, 'waiting_limits'>): CampaignLimits {
  return waiting_limits === null ? {} : fromJson(waiting_limits);
}

function columnOf(limits: CampaignLimits): Pick<CampaignRow, 'waiting_limits'> {
  return { waiting_limits: namesOf(limits).length === 0 ? null : toJson(limits) };
}

/**
 * The columns that an update writes: those that wait stand aside, and of what it gives itself, be it what holds
 * already, nothing else waits any more. Pure.
 */
export function columnsWaiting(
  found: CampaignRow,
  given: Given<CampaignRow>,
  limits: CampaignLimits,
): Partial<CampaignRow> {
  const others = without(limitsWaiting(found), givenOf(given));
  const waiting = differing(found, columnOf({ ...others, ...limits }));
  return { ...without(differing(found, given), limits), ...waiting };
}

function givenOf(given: Given<CampaignRow>): object {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** What a campaign was, and is. */
export interface Followed {
  readonly before: CampaignRow;
  readonly after: CampaignRow;
}

/**
 * Gives a campaign those of its waiting limits that its media buys keep to by now. Of one that is over, and that spends
 * and frees nothing more, the others are dropped. Undefined where all wait on.
 */
export async function followLimits(
  tx: Db,
  scope: Scope,
  { id, now }: { readonly id: string; readonly now: string },
): Promise<Followed | undefined> {
  const { campaign: before, ...taking } = await holdCampaign(tx, scope, id);
  const waiting = limitsWaiting(before);
  const left = limitsToWait(before, waiting, { ...taking, now });
  const isDone = isOver(before) && !taking.buys.some((buy) => isLive(buy) || isUnreported(buy));
  const set = { ...without(waiting, left), ...differing(before, columnOf(isDone ? {} : left)) };
  if (Object.keys(set).length === 0) return undefined;
  const after = await writeCampaign(tx, scope, { before, set: { ...set, updated_at: now } });
  return after && { before, after };
}

/** That nobody is asked for what waits: else it would wait unheard for what nobody does. Pure. */
export function waitingUnasked(
  campaign: Pick<CampaignRow, 'waiting_limits'>,
  { buys, open }: { readonly buys: readonly MediaBuyRow[]; readonly open: readonly unknown[] },
): string | undefined {
  if (campaign.waiting_limits === null || open.length > 0 || buys.some(isUnreported)) return undefined;
  return UNASKED;
}

const UNASKED =
  'pendingUpdate waits for media buys that take more, run longer or are not all paced even, and no seller is asked for ' +
  'less at present. Lower them, pace them even or call them off with media_buy_update, and it holds; or give with ' +
  'campaign_update what is to hold instead.';
