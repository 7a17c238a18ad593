import type { CampaignRow } from '../../../store/campaigns.ts';
import { fromJson, toJson } from '../../../store/engine/codec.ts';
import type { MediaBuyRow } from '../../../store/media-buys.ts';
import type { Context } from '../../core/context.ts';
import type { AppError } from '../../core/errors/app-error.ts';
import { fewIssues } from '../../core/errors/few-issues.ts';
import { conflict, contradiction, contradicts, invalid } from '../../core/errors/refusals.ts';
import type { Given } from '../../core/updating.ts';
import { nameGiven } from '../../core/validation.ts';
import { capsColumn } from '../../domain/advertisers/delivery-columns.ts';
import { type PlannedChange, spendsMore } from '../../domain/buying/changes/buy-changing.ts';
import { endsBuy } from '../../domain/buying/changes/change-standing.ts';
import { pastProblems } from '../../domain/buying/choice/flight.ts';
import { isLive } from '../../domain/buying/machines.ts';
import { type AddedPeriods, countAdded } from '../../domain/campaigns/added-periods.ts';
import { pacingProblems } from '../../domain/campaigns/pacing-periods.ts';
import { toMinor } from '../../domain/money.ts';
import {
  constraintsColumn,
  moneyProblems,
  storefrontsColumn,
  UNREAD,
  utmAfter,
  utmProblems,
} from './campaign-columns.ts';
import type { UpdateInput } from './campaign-update.ts';

/** What an update makes of the columns of a campaign, and what stands against it. */

export function updateColumnsOf(ctx: Context, input: UpdateInput, found: CampaignRow): Given<CampaignRow> {
  const { budget = {}, flightDates, constraints, storefrontIds, pacingPeriods, performanceConfig } = input;
  // What is no amount of the currency is left out here, and told by what is wrong with the call.
  const amount = (value: number | null | undefined) =>
    typeof value === 'number' ? toMinor(value, found.currency) : value;
  return {
    name: input.name,
    brief: input.brief,
    start_at: flightDates?.startDate,
    end_at: flightDates?.endDate,
    budget_minor: amount(budget.total) ?? undefined,
    daily_cap_minor: amount(budget.dailyCap),
    pacing: budget.pacing,
    constraints: constraints && constraintsColumn(constraints),
    storefront_ids: storefrontIds && storefrontsColumn(storefrontIds),
    discovery_id: input.discoveryId,
    pacing_periods: pacingPeriods && toJson(pacingPeriods),
    ...(pacingPeriods === null ? { pacing_periods: null } : {}),
    optimization_goals: performanceConfig && toJson(performanceConfig.optimizationGoals),
    ...(performanceConfig === null ? { optimization_goals: null } : {}),
    utm_config: utmAfter(input.utmConfig, found.utm_config),
    frequency_caps: capsColumn(ctx, input.frequencyCaps, found.frequency_caps),
    optimization_apply_mode: input.optimizationApplyMode,
  };
}

/** What orders are made of: once they are placed it is the orders that would have to change. */
const ORDERED = {
  pacing: 'budget.pacing',
  constraints: 'constraints',
  storefront_ids: 'storefrontIds',
  discovery_id: 'discoveryId',
  pacing_periods: 'pacingPeriods',
  optimization_goals: 'performanceConfig',
  frequency_caps: 'frequencyCaps',
} as const;

/** What only holds of a campaign that is to be: as it is, as it is to be, and what of it is new. */
export interface Updating {
  readonly found: CampaignRow;
  readonly row: CampaignRow;
  readonly set: Partial<CampaignRow>;
}

/** Everything that stands against an update of these columns, whatever its media buys are asked for. */
export function updateProblems(ctx: Context, input: UpdateInput, updating: Updating): AppError[] {
  const { found, set } = updating;
  const money = moneyProblems(input.budget ?? {}, found.currency);
  return [
    ...money,
    ...orderedProblems(found, set),
    ...utmProblems(input.utmConfig, found.utm_config),
    ...soundProblems(ctx, input, { ...updating, isPriced: money.length === 0 }),
  ];
}

/** Nothing of what the orders were made of is changed once there are orders. */
function orderedProblems(found: CampaignRow, set: Partial<CampaignRow>): AppError[] {
  if (found.status === 'DRAFT') return [];
  const added = periodsAdded(found, set);
  const fields = Object.entries(ORDERED).flatMap(([column, field]) =>
    column in set && !(column === 'pacing_periods' && added !== undefined) ? [field] : [],
  );
  if (fields.length === 0) return [];
  const message = `The orders of this campaign were made with what is there, and it is ${found.status}.`;
  const { text, details } = fewIssues(fields.map((path) => ({ path, message })));
  const [only] = fields.length === 1 ? fields : [];
  return [
    conflict(
      text,
      'Change its media buys with mediaBuys, or create another with campaign_create; periods may follow those that are there.',
      { details, ...(only === undefined ? {} : { field: only }) },
    ),
  ];
}

/** Periods that follow those with which the orders of a campaign were made; undefined where there are none. */
export function periodsAdded(
  { status, pacing_periods: before }: CampaignRow,
  { pacing_periods: after = null }: Partial<CampaignRow>,
): AddedPeriods | undefined {
  if (status === 'DRAFT' || before === null || after === null) return undefined;
  const pacing = fromJson(after);
  const count = countAdded(fromJson(before), pacing);
  return count === 0 ? undefined : { pacing, count };
}

/** What holds of a campaign has to hold of it as it is to be. `isPriced`: its amounts could be read. */
function soundProblems(
  ctx: Context,
  input: UpdateInput,
  { found, row, isPriced }: Updating & { readonly isPriced: boolean },
): AppError[] {
  const flight = flightProblems(ctx, input, { found, row });
  const isOther = input.mode !== undefined && input.mode !== row.mode;
  const isAimless = row.mode === 'performance' && row.optimization_goals === null;
  const { daily_cap_minor: cap, budget_minor: total } = row;
  return [
    ...(isOther ? [contradicts('mode', `It is a ${row.mode} campaign, and stays one.`)] : []),
    ...(isAimless ? [contradicts('performanceConfig', AIMLESS)] : []),
    ...flight,
    ...(isPriced && cap !== null && cap > total ? [contradicts('budget.dailyCap', BEYOND_TOTAL)] : []),
    // Of a flight that is none every period would lie outside.
    ...(flight.length > 0 ? [] : periodProblems(isPriced ? row : { ...row, budget_minor: UNREAD }, found)),
  ];
}

const AIMLESS = 'A performance campaign has goals: give others instead.';
const BEYOND_TOTAL = 'Must not be more than the total.';

function flightProblems(
  { now }: Context,
  { flightDates }: UpdateInput,
  { found, row }: Pick<Updating, 'found' | 'row'>,
): AppError[] {
  const field = `flightDates.${flightDates?.endDate === undefined ? 'startDate' : 'endDate'}`;
  if (row.start_at >= row.end_at) return [invalid(field, 'The end must be after the start.')];
  return row.end_at === found.end_at ? [] : pastProblems(field, { endDate: row.end_at }, now);
}

/** What is to be done about periods that orders were made with: these stay, and the flight with them. */
const ORDERED_PERIODS =
  'Its orders were made with these periods, so that flight and total have to hold them: leave these as they are. ' +
  'To spend less or end sooner, give its media buys an earlier end_time, or their packages less budget or a cancel, ' +
  'with media_buy_update or mediaBuys of campaign_update.';

function periodProblems(row: CampaignRow, { status }: CampaignRow): AppError[] {
  const { pacing_periods, start_at, end_at, budget_minor, currency } = row;
  if (pacing_periods === null) return [];
  const terms = { startAt: start_at, endAt: end_at, budgetMinor: budget_minor, currency };
  const issues = pacingProblems(fromJson(pacing_periods), terms);
  if (issues.length === 0) return [];
  const suggestion = status === 'DRAFT' ? 'Change pacingPeriods in the same call.' : ORDERED_PERIODS;
  return [contradiction(issues, { suggestion })];
}

/** Whether an update leaves a campaign less to spend or to run in, and changes nothing else: who is put away may. */
function takesLess(found: CampaignRow, set: Partial<CampaignRow>): boolean {
  const { budget_minor, daily_cap_minor, start_at, end_at, ...others } = set;
  return (
    Object.keys(others).length === 0 &&
    (budget_minor ?? 0) <= found.budget_minor &&
    (daily_cap_minor === undefined ||
      (daily_cap_minor !== null && daily_cap_minor <= (found.daily_cap_minor ?? daily_cap_minor))) &&
    (start_at ?? found.start_at) >= found.start_at &&
    (end_at ?? found.end_at) <= found.end_at
  );
}

/** What an advertiser that was put away gets no more: budget, days, or anything that costs. */
export function takesMore(
  found: CampaignRow,
  { set, planned = [] }: { readonly set: Partial<CampaignRow>; readonly planned?: readonly PlannedChange[] },
): boolean {
  return !takesLess(found, set) || spendsMore(planned);
}

interface Running {
  readonly found: CampaignRow;
  readonly buys: readonly MediaBuyRow[];
  readonly planned: readonly PlannedChange[];
}

/** What lives of its media buys runs inside its flight; the service cuts none of them short by itself. */
export function flightProblem(
  input: UpdateInput,
  row: CampaignRow,
  { found, buys, planned }: Running,
): AppError | undefined {
  const dated = buys.filter(isLive).flatMap((buy) => {
    const change = planned.find((one) => one.buy.id === buy.id);
    if (change !== undefined && endsBuy(change.wanted)) return [];
    const { start_time = buy.start_time, end_time = buy.end_time } = change?.proposed ?? {};
    return [{ name: buy.name, start_time, end_time }];
  });
  const early =
    row.start_at > found.start_at ? dated.filter(({ start_time }) => start_time < row.start_at) : [];
  const late = dated.filter(({ end_time }) => end_time > row.end_at);
  if (early.length + late.length === 0) return undefined;
  const field = nameGiven(input, `flightDates.${late.length > 0 ? 'endDate' : 'startDate'}`);
  return conflict(
    `${[
      ...early.map(({ name, start_time }) => `${name} runs from ${start_time}`),
      ...late.map(({ name, end_time }) => `${name} runs until ${end_time}`),
    ].join('; ')}.`,
    'Give these media buys other dates with mediaBuys in the same call, or leave the flight as it is.',
    { field },
  );
}
