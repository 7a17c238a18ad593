import type { CampaignLimits, CampaignRow } from '../../../../store/campaigns.ts';
import { fromJson } from '../../../../store/engine/codec.ts';
import type { Db } from '../../../../store/engine/db.ts';
import { scopeOfRow, tenantOfRow } from '../../../../store/engine/scope.ts';
import {
  listMediaBuyChanges,
  type MediaBuyChangeRow,
  type ProposedLimits,
} from '../../../../store/media-buy-changes.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { changesBetween } from '../../../core/changes.ts';
import { writeCampaign } from '../../campaigns/writing.ts';
import { toMajor } from '../../money.ts';
import { isUnreported } from '../answers/awaited-figures.ts';
import { spendableOf } from '../choice/allocation.ts';
import { holdCampaign, isKept, outsideFlight, overspent } from './budget-keeping.ts';
import { pacedOtherwise } from './even-pace.ts';
import type { Taking } from './taking.ts';

/**
 * Limits of a campaign that are lowered together with its media buys hold once the sellers have confirmed: while one of
 * them may refuse, the campaign keeps what its media buys have.
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

/** What of an update has to wait, because the media buys as they stand do not keep to it. Pure. */
export function limitsToWait(
  found: CampaignRow,
  set: Partial<CampaignRow>,
  { now, ...taking }: Pick<Taking, 'buys' | 'open'> & { readonly now: string },
): ProposedLimits | undefined {
  const flight = takes(set, FLIGHT);
  const row = { ...found, ...set };
  const isOutside = outsideFlight({ ...taking, campaign: row }).length > 0;
  const dates = isOutside ? flight : {};
  const before = { ...taking, campaign: found };
  const after = { ...taking, campaign: { ...row, ...takesOf(found, dates) } };
  const to = { ...dates, ...(overspent(before, after, now) === undefined ? {} : takes(set, MONEY)) };
  return Object.keys(to).length === 0 ? undefined : { from: takesOf(found, to), to };
}

function takes(set: Partial<CampaignRow>, names: readonly (keyof CampaignLimits)[]): CampaignLimits {
  return Object.fromEntries(names.flatMap((name) => (name in set ? [[name, set[name]]] : [])));
}

function takesOf(row: CampaignRow, limits: CampaignLimits): CampaignLimits {
  return takes(row, Object.keys(limits) as (keyof CampaignLimits)[]);
}

/** The columns of an update without those that wait. */
export function withoutLimits(set: Partial<CampaignRow>, waiting: ProposedLimits | undefined) {
  const left = new Set(Object.keys(waiting?.to ?? {}));
  return Object.fromEntries(Object.entries(set).filter(([name]) => !left.has(name))) as Partial<CampaignRow>;
}

/** The limits that a campaign is to have once its sellers have confirmed; undefined where none wait. Pure. */
export function limitsWaiting(
  campaign: CampaignRow,
  open: readonly Pick<MediaBuyChangeRow, 'proposed'>[],
): CampaignLimits | undefined {
  // Whoever changed them meanwhile has the last word.
  return open.map(({ proposed }) => fromJson(proposed).limits).findLast((one) => one && holds(campaign, one))
    ?.to;
}

/**
 * What waits for a change: the limits of its own call, and those that waited for the changes whose place it takes. Of
 * what somebody changed meanwhile nothing waits any more. Pure.
 */
export function limitsCarried(
  campaign: CampaignRow,
  instead: readonly Pick<MediaBuyChangeRow, 'proposed'>[],
  own: ProposedLimits | undefined,
): ProposedLimits | undefined {
  const before = instead.flatMap(({ proposed }) => fromJson(proposed).limits ?? []);
  const all = [...before.filter((one) => holds(campaign, one)), ...(own === undefined ? [] : [own])];
  if (all.length === 0) return undefined;
  return all.reduce((sum, { from, to }) => ({ from: { ...sum.from, ...from }, to: { ...sum.to, ...to } }));
}

function holds(campaign: CampaignRow, { from }: ProposedLimits): boolean {
  return Object.entries(from).every(([name, value]) => campaign[name as keyof CampaignLimits] === value);
}

/**
 * Holds the campaign of a change whose limits wait for it, or that may begin to spend: first, as everybody does who
 * holds one.
 */
export async function holdWaiting(tx: Db, change: MediaBuyChangeRow): Promise<void> {
  if (fromJson(change.proposed).limits === undefined && change.action !== 'resume') return;
  const tenant = scopeOfRow(change);
  await holdCampaign(tx, tenant, change.campaign_id);
}

/** What a campaign was, and is. */
export interface Followed {
  readonly before: CampaignRow;
  readonly after: CampaignRow;
}

/** Lowers the limits that waited for a change, once its media buys keep to them. */
export async function followLimits(
  tx: Db,
  change: MediaBuyChangeRow,
  now: string,
): Promise<Followed | undefined> {
  const { limits } = fromJson(change.proposed);
  if (limits === undefined) return undefined;
  const scope = scopeOfRow(change);
  const { campaign: before, ...taking } = await holdCampaign(tx, scope, change.campaign_id);
  const set = { ...limits.to, updated_at: now };
  const lowered = { ...taking, campaign: { ...before, ...set } };
  const isPaced = pacedOtherwise({ before, after: lowered.campaign, ...taking }) === undefined;
  if (!holds(before, limits) || !isPaced) return undefined;
  if (!isKept({ ...taking, campaign: before }, lowered, now)) return undefined;
  const after = await writeCampaign(tx, scope, { before, set });
  return after === undefined ? undefined : { before, after };
}

/** How many of the last changes of a buy are looked through. */
const LOOKED_THROUGH = 20;

/**
 * The change of a buy that is over whose limits wait: its seller has confirmed it, and nobody knows yet what is left of
 * its budget. Undefined where none does.
 */
export async function limitsHeldUp(db: Db, buy: MediaBuyRow): Promise<MediaBuyChangeRow | undefined> {
  if (!isUnreported(buy)) return undefined;
  const last = { mediaBuyId: buy.id, limit: LOOKED_THROUGH };
  const changes = await listMediaBuyChanges(db, tenantOfRow(buy), last);
  return changes.find(
    ({ state, proposed }) => state === 'confirmed' && fromJson(proposed).limits !== undefined,
  );
}

/** For the log, beside the change that it followed. */
export function loggedLimits(followed: Followed | undefined) {
  if (followed === undefined) return {};
  return changesBetween(loggedAs(followed.before), loggedAs(followed.after));
}

function loggedAs({ budget_minor, daily_cap_minor, currency, start_at, end_at }: CampaignRow) {
  return {
    'campaign.budget.total': toMajor(budget_minor, currency),
    'campaign.budget.dailyCap': daily_cap_minor === null ? null : toMajor(daily_cap_minor, currency),
    'campaign.flightDates.startDate': start_at,
    'campaign.flightDates.endDate': end_at,
  };
}
