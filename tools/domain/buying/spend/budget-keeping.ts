import type { CampaignRow } from '../../../../store/campaigns.ts';
import type { Db } from '../../../../store/engine/db.ts';
import { scopeOfRow, type Tenant } from '../../../../store/engine/scope.ts';
import { lockCampaign } from '../../../../store/held-campaigns.ts';
import { listOpenChanges } from '../../../../store/media-buy-changes.ts';
import { listMediaBuys, type MediaBuyRow } from '../../../../store/media-buys.ts';
import type { AppError } from '../../../core/errors/app-error.ts';
import { insufficientMediaBudget } from '../../../core/errors/money-refusals.ts';
import { namesApart } from '../../../core/errors/names-apart.ts';
import { conflict } from '../../../core/errors/refusals.ts';
import { present } from '../../../core/reach.ts';
import { readMoney, toMajor } from '../../money.ts';
import { later } from '../../time.ts';
import { heldIn } from '../answers/held-packages.ts';
import { boundOf, spendableOf, wayOn } from '../choice/allocation.ts';
import { isLive } from '../machines.ts';
import { campaignKind } from '../reach.ts';
import { overDay } from './daily-spend.ts';
import { pacedOtherwise } from './even-pace.ts';
import { overPeriods } from './period-budgets.ts';
import { askedOf, type Taking, takenMinor } from './taking.ts';

/**
 * That the media buys of a campaign keep to its budget and its flight. Asked before anything is done, so that
 * everything is told at once, and again in the transaction that does it, with the campaign held: only then nobody else
 * raises or lowers anything in between.
 */

/**
 * What stands against what a campaign is to take, in all and of its periods. What takes no more than before, and lets
 * nothing go on, is not asked: what is called off is counted late, so that they may take more than there is. Pure.
 */
export function overBudget(before: Taking, after: Taking): AppError | undefined {
  const taken = takenMinor(after);
  const spendable = spendableOf(after.campaign);
  const isMore = taken > takenMinor(before) || spendable < spendableOf(before.campaign);
  if ((isMore || resumes(before, after)) && taken > spendable) return beyond(after, taken, isMore);
  return overPeriods(before, after);
}

/** Whether something is to go on that is held. */
function resumes(before: Taking, after: Taking): boolean {
  const known = resumedIn(before);
  const asked = new Set(resumedIn(after).filter((id) => !known.includes(id)));
  return before.buys.some((buy) => asked.has(buy.id) && isHeld(buy));
}

function resumedIn({ open }: Pick<Taking, 'open'>): string[] {
  return open.flatMap(({ action, media_buy_id }) => (action === 'resume' ? [media_buy_id] : []));
}

function isHeld(buy: MediaBuyRow): boolean {
  return buy.status === 'PAUSED' || heldIn(buy).length > 0;
}

/** Whether one of its media buys is to take less than it counts for: a seller may refuse that yet. */
function isLowering({ buys, open }: Taking): boolean {
  return open.some(({ media_buy_id, proposed: { budget_minor: asked } }) => {
    const buy = buys.find(({ id }) => id === media_buy_id);
    return buy !== undefined && asked !== undefined && asked < buy.budget_minor;
  });
}

const UNCONFIRMED =
  ' Budgets that are lowered count as they were until their sellers have confirmed: lower these first, and raise the others then.';

function beyond(after: Taking, taken: number, isMore: boolean): AppError {
  const { campaign } = after;
  const { budget_minor, currency } = campaign;
  const bound = boundOf(campaign);
  const isOfTotal = bound.field === 'budget.total';
  const way = isOfTotal ? 'raise budget.total with campaign_update' : wayOn(bound, 'running');
  const less = isMore ? ['Raise less', 'lower other packages first'] : ['Lower packages first'];
  const others = way === undefined ? less : [...less, way];
  const onward = `${others.slice(0, -1).join(', ')}${others.length > 1 ? ', or ' : ''}${others.at(-1)}.`;
  return insufficientMediaBudget(
    `${bound.words}; ${isMore ? 'with this change ' : ''}the media buys take ${readMoney(taken, currency)}.`,
    {
      requestedTotal: toMajor(budget_minor, currency),
      committedAllocation: toMajor(taken, currency),
      ...bound.sums,
      ...(isOfTotal ? { minimumAllowedBudget: toMajor(taken, currency) } : {}),
      currency,
    },
    {
      field: bound.field,
      suggestion: isLowering(after) ? `${onward}${UNCONFIRMED}` : onward,
    },
  );
}

/** What lives and does not run inside the flight, by its own dates or by those that its seller was asked for. Pure. */
export function outsideFlight({ campaign, buys, open }: Taking): MediaBuyRow[] {
  const { start_at, end_at } = campaign;
  return buys.filter(isLive).filter((buy) => {
    const asked = open.flatMap(({ media_buy_id, proposed }) => (media_buy_id === buy.id ? proposed : []));
    const starts = [buy.start_time, ...asked.flatMap(({ start_time }) => start_time ?? [])];
    const last = asked.reduce((end, { end_time = end }) => later(end, end_time), buy.end_time);
    return starts.some((start) => start < start_at) || last > end_at;
  });
}

function outside(before: Taking, after: Taking): AppError | undefined {
  const known = new Set(outsideFlight(before).map(({ id }) => id));
  const { start_at, end_at } = after.campaign;
  const found = outsideFlight(after).filter(({ id }) => !known.has(id));
  const [first] = found;
  if (first === undefined) return undefined;
  return conflict(
    `${[...namesApart(found).values()].join(', ')}: the campaign runs from ${start_at} to ${end_at}.`,
    'Somebody else has changed its flight meanwhile: ask again, with dates within it.',
  );
}

/**
 * What stands against what a campaign is to spend, in all and a day. What spends no more than before is not asked.
 * Pure.
 */
export function overspent(before: Taking, after: Taking, now: string): AppError | undefined {
  return overBudget(before, after) ?? overDay(before, after, now);
}

export interface Held extends Taking {
  readonly campaign: CampaignRow;
}

/** A campaign that is held, as it stands in this transaction: with everything that was written in it. */
export async function holdCampaign(tx: Db, tenant: Tenant, id: string): Promise<Held> {
  const campaign = present(await lockCampaign(tx, tenant, id), campaignKind);
  return { campaign, ...(await takingOf(tx, campaign)) };
}

/** All that takes of the budget of a campaign, as it stands in this transaction. */
export async function takingOf(db: Db, campaign: CampaignRow): Promise<Pick<Taking, 'buys' | 'open'>> {
  const scope = scopeOfRow(campaign);
  // Changes first: one that its seller confirms in between counts twice then, and never not at all.
  const open = askedOf(await listOpenChanges(db, scope, { campaignId: campaign.id }));
  return { buys: await listMediaBuys(db, scope, campaign.id), open };
}

/** Refuses what was written since the campaign was held so, where it leaves the media buys beyond what it allows. */
export async function requireKept(
  tx: Db,
  { before, campaign, now }: { before: Taking; campaign: CampaignRow; now: string },
): Promise<void> {
  const taking = await takingOf(tx, campaign);
  const after = { campaign, ...taking };
  // Of a cap and another pace that come at once the second is refused.
  const unpaced = pacedOtherwise({ before: before.campaign, after: campaign, ...taking });
  const refused = unpaced ?? overspent(before, after, now) ?? outside(before, after);
  if (refused !== undefined) throw refused;
}
