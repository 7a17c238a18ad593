import type { CampaignLimits } from '../../../store/campaign-limits.ts';
import type { CampaignRow } from '../../../store/campaigns.ts';
import { listOpenChanges } from '../../../store/media-buy-changes.ts';
import { listMediaBuys } from '../../../store/media-buys.ts';
import type { Context } from '../../core/context.ts';
import type { AppError } from '../../core/errors/app-error.ts';
import { problemsOfFields } from '../../core/errors/told-together.ts';
import { nameGiven } from '../../core/validation.ts';
import {
  asMadeHere,
  checkChanges,
  type PlannedChange,
  wishesIn,
} from '../../domain/buying/changes/buy-changing.ts';
import { budgetFloor } from '../../domain/buying/following/budget-floor.ts';
import { isNarrower, limitsToWait } from '../../domain/buying/spend/limits-following.ts';
import { askedOf } from '../../domain/buying/spend/taking.ts';
import { withOrdersMade } from '../../domain/order-remaking/remake.ts';
import { wantedByPeriods } from './added-periods.ts';
import type { UpdateInput } from './campaign-update.ts';
import { wantedBy } from './media-buy-entries.ts';
import { flightProblem, type Updating, updateProblems } from './update-columns.ts';

/** What an update of a campaign would ask of its media buys. */

export interface Plan {
  readonly planned: readonly PlannedChange[];
  /** What its sellers have to confirm before it holds. */
  readonly limits: CampaignLimits;
}

/** Everything that stands against an update by itself, and beside it against what its media buys are asked for. */
export async function problemsTold(
  ctx: Context,
  request: UpdateInput,
  updating: Updating,
): Promise<AppError[]> {
  const own = updateProblems(ctx, request, updating);
  const { found, row } = updating;
  // In a flight that is none nobody can say what runs in it.
  const isReadable = row.start_at < row.end_at;
  if (own.length === 0 || request.mediaBuys === undefined || !isReadable) return own;
  const beside = await problemsOfFields(async () =>
    checkChanges(
      ctx,
      { ...row, budget_minor: Math.max(row.budget_minor, found.budget_minor) },
      await entriesOf(ctx, request, row),
    ),
  );
  return [...own, ...beside];
}

/** The changes of its media buys, and whether budget and flight leave room for what lives. */
export async function plannedFor(
  ctx: Context,
  request: UpdateInput,
  { found, row, set }: Updating,
): Promise<Plan> {
  const planned = await checkChanges(ctx, row, [
    ...(await entriesOf(ctx, request, row)),
    ...(await wantedByPeriods(ctx, request, { found, row, set })),
  ]);
  if (!isNarrower(row, found)) return { planned, limits: {} };
  const { now } = ctx;
  const buys = await listMediaBuys(ctx.db, ctx.scope, found.id);
  const open = await listOpenChanges(ctx.db, ctx.scope, { campaignId: found.id });
  const refused =
    budgetFloor(row, { found, buys, open, planned, field: nameGiven(request, 'budget.total'), now }) ??
    flightProblem(request, row, { found, buys, planned });
  if (refused !== undefined) throw refused;
  const asked = [...askedOf(open), ...wishesIn(planned)];
  return { planned, limits: limitsToWait(found, set, { buys: asMadeHere(buys, planned), open: asked, now }) };
}

async function entriesOf(ctx: Context, request: UpdateInput, row: CampaignRow) {
  return await withOrdersMade(ctx, row, wantedBy(request));
}
