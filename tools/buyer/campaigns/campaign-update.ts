import { z } from 'zod';
import { budgetPacings, type CampaignRow, campaignModes } from '../../../store/campaigns.ts';
import { needs, requirePermission } from '../../core/access.ts';
import { changesBetween } from '../../core/changes.ts';
import type { Context } from '../../core/context.ts';
import { defineTool } from '../../core/define.ts';
import { staleVersion } from '../../core/errors/change-refusals.ts';
import { conflict, staleWrite } from '../../core/errors/refusals.ts';
import { throwTogether } from '../../core/errors/told-together.ts';
import { next } from '../../core/machines.ts';
import { reasonText } from '../../core/reasons.ts';
import { differing } from '../../core/updating.ts';
import { requireActive, requireStillActive } from '../../domain/advertisers/active.ts';
import { reachAdvertiser } from '../../domain/advertisers/reach.ts';
import { WAITS, waitingApproval, waitingRecord } from '../../domain/approvals/record.ts';
import { orWait } from '../../domain/approvals/waiting.ts';
import { holdAsRead } from '../../domain/buying/campaign-holding.ts';
import { askUndeclared } from '../../domain/buying/changes/undeclared-targeting.ts';
import { warningsTold } from '../../domain/buying/choice/choice-warnings.ts';
import { reachCurrentCampaign } from '../../domain/buying/flight-ends.ts';
import { askedOfBuys, logChangedHere } from '../../domain/buying/following/buy-entry.ts';
import { followBuys } from '../../domain/buying/following/campaign-following.ts';
import { recordChanges } from '../../domain/buying/following/change-recording.ts';
import type { ChangeResult } from '../../domain/buying/following/change-results.ts';
import { sendChanges } from '../../domain/buying/following/change-sending.ts';
import { holdChoosers } from '../../domain/buying/following/choice-changing.ts';
import { campaignMachine } from '../../domain/buying/machines.ts';
import { campaignKind } from '../../domain/buying/reach.ts';
import { columnsWaiting } from '../../domain/buying/spend/limits-following.ts';
import { writeCampaign } from '../../domain/campaigns/writing.ts';
import { choiceLeft } from '../../domain/discovery/choosing/choice-left.ts';
import { prefixedId } from '../../domain/ids.ts';
import { flightDate } from '../../domain/time.ts';
import { cascadeOf, isOfPeriods, pacingCascade } from './added-periods.ts';
import { attachable } from './attachment.ts';
import { requireStorefronts } from './campaign-columns.ts';
import { asResult, cascadeResult } from './cascade-record.ts';
import { callsOffAlone, entriesNotBuilt, mediaBuyEntries } from './media-buy-entries.ts';
import { campaignRecord, loggedCampaign } from './record.ts';
import { refreshed, requireAlone } from './refreshing.ts';
import { amount, campaign, campaignFields, campaignNotBuilt, campaignSpellings } from './schema.ts';
import { takesMore, updateColumnsOf, updateProblems } from './update-columns.ts';
import { updateElsewhere } from './update-elsewhere.ts';
import { type Plan, plannedFor, problemsTold } from './update-plan.ts';
import { withWhatWasNotGiven } from './update-warnings.ts';

const input = z.strictObject({
  campaignId: prefixedId('the campaign', 'cmp_'),
  revision: z.number().int().min(1).optional().describe('The revision that the change was made on.'),
  reason: reasonText.optional().describe('Why; also of mediaBuys that say no reason of their own.'),
  mode: z.enum(campaignModes).optional().describe('As it is; it cannot be changed.'),
  refresh: z.boolean().optional().describe('True, alone: asks its sellers, and changes nothing.'),
  name: campaignFields.name.optional(),
  flightDates: z
    .strictObject({
      startDate: flightDate.optional().describe('When it starts.'),
      endDate: flightDate.optional().describe('When it ends.'),
    })
    .optional()
    .describe('When the campaign runs.'),
  budget: z
    .strictObject({
      total: amount.optional().describe('What it may spend in all: no less than its media buys take.'),
      currency: campaignFields.budget.shape.currency,
      dailyCap: amount.nullable().optional().describe('What it may spend a day.'),
      pacing: z.enum(budgetPacings).nullable().optional().describe('While it is a draft.'),
    })
    .optional()
    .describe('What the campaign may spend; what is left out stays.'),
  brief: campaignFields.brief.optional(),
  constraints: campaignFields.constraints.optional().describe('While it is a draft: all of them at once.'),
  storefrontIds: campaignFields.storefrontIds.optional(),
  discoveryId: prefixedId('the session whose choice it buys, while it is a draft', 'disc_').optional(),
  pacingPeriods: campaignFields.pacingPeriods
    .nullable()
    .optional()
    .describe('While it is a draft; once it runs, the same with others after them.'),
  performanceConfig: campaignFields.performanceConfig.nullable().optional().describe('While it is a draft.'),
  utmConfig: campaignFields.utmConfig.optional(),
  frequencyCaps: campaignFields.frequencyCaps.optional(),
  optimizationApplyMode: campaignFields.optimizationApplyMode.optional(),
  mediaBuys: mediaBuyEntries.optional(),
});

export type UpdateInput = z.output<typeof input>;

export const campaignUpdate = defineTool({
  name: 'campaign_update',
  title: 'Update campaign',
  example: { campaignId: 'cmp_example', budget: { total: 1_200 } },
  description:
    'Changes a campaign, and its media buys in the same call, or cancels one media buy alone; what is left out stays. A draft can change in all; ' +
    'once it runs name, budget, flight and brief can, pacingPeriods can be followed by others, and mediaBuys tells ' +
    'its sellers: budgets of packages, dates, cancel. Refused as a whole where anything stands against it. With revision a change made on an older state is ' +
    'refused. Returns the campaign, and in mediaBuyResults what each seller said. refresh asks them where it stands.',
  effect: 'update',
  unlisted: true,
  audit: { kind: campaignKind, ofInput: ({ campaignId }) => campaignId },
  openWorld: true,
  access: needs('buyer:write', { within: ['grants', 'sandbox'] }),
  rest: { method: 'PUT', path: '/campaigns/{campaignId}' },
  input,
  spellings: campaignSpellings,
  notBuilt: ['mode=directed', ...campaignNotBuilt, ...entriesNotBuilt],
  elsewhere: updateElsewhere,
  output: z.object({
    campaign: campaign.describe('The campaign as it now is.'),
    success: z.boolean().describe('False where nothing was done yet, or a seller did not take it.'),
    warnings: z.array(z.string()).optional().describe('Why nothing was done yet, or what was lost by it.'),
    mediaBuyResults: z
      .array(cascadeResult)
      .optional()
      .describe('What came of mediaBuys, or of periods that were added, one by one.'),
    pacingCascadeResult: pacingCascade.optional(),
    approval: waitingApproval,
  }),
  errors: [
    'NOT_FOUND',
    'CONFLICT',
    'CURRENCY_MISMATCH',
    'INSUFFICIENT_MEDIA_BUDGET',
    'CREDIT_LIMIT_EXCEEDED',
    'PRICING_NOT_CONFIGURED',
    'CAPABILITY_NOT_SUPPORTED',
    'VERSION_UNSUPPORTED',
  ],
  find: async (ctx, request) => {
    const { campaignId, discoveryId, storefrontIds = [], mediaBuys = [] } = request;
    // To put a media buy away is to delete it, by whatever way.
    if (mediaBuys.some(({ action }) => action === 'delete')) requirePermission('buyer:admin', ctx.caller);
    const found = await reachCurrentCampaign(ctx, campaignId);
    const advertiser = await reachAdvertiser(ctx, found.advertiser_id);
    if (discoveryId !== undefined) await attachable(ctx, discoveryId, advertiser);
    const others = () => updateProblems(ctx, request, updatingOf(ctx, request, found));
    await requireStorefronts(ctx, storefrontIds, others);
    return { found, advertiser };
  },
  handler: async (ctx, request, { found, advertiser }) => {
    if (request.refresh === true) {
      requireAlone(request);
      return { campaign: await campaignRecord(ctx, ctx.leaves(await refreshed(ctx, found))), success: true };
    }
    requireRevision(ctx, request, found);
    requireChangeable(request, found);
    const { given, ...updating } = updatingOf(ctx, request, found);
    const { set } = updating;
    if (takesMore(found, { set })) requireActive(advertiser);
    throwTogether(await problemsTold(ctx, request, updating));

    const { planned, limits } = await plannedFor(ctx, request, updating);
    if (takesMore(found, { set, planned })) requireActive(advertiser);
    const columns = columnsWaiting(found, given, limits);
    if (Object.keys(columns).length === 0 && planned.length === 0) {
      return { campaign: await campaignRecord(ctx, ctx.leaves(found)), success: true };
    }
    const { discovery_id: sessionId = null } = set;
    const left = sessionId === null ? [] : await choiceLeft(ctx, { draft: found, sessionId });
    const { done, waits, withdrawn } = await orWait(ctx, found.id, () =>
      change(ctx, found, { request, set, planned, columns }),
    );
    if (done === undefined) {
      const untouched = await campaignRecord(ctx, ctx.leaves(found));
      const said = [WAITS, ...withdrawn];
      return { campaign: untouched, success: false, warnings: said, approval: waitingRecord(waits) };
    }
    const { written, results } = done;
    await askUndeclared(ctx, written, set);
    return {
      campaign: withWhatWasNotGiven(await campaignRecord(ctx, ctx.leaves(written)), found, ctx.now),
      success: results.every(({ success }) => success),
      ...(results.length === 0 ? {} : { mediaBuyResults: results.map(asResult) }),
      ...warningsTold([], [...left, ...withdrawn]),
      ...(isOfPeriods(found, { set, planned }) ? { pacingCascadeResult: cascadeOf(results) } : {}),
    };
  },
});

function updatingOf(ctx: Context, request: UpdateInput, found: CampaignRow) {
  const given = updateColumnsOf(ctx, request, found);
  const set = differing(found, given);
  return { given, found, set, row: { ...found, ...set } };
}

function requireChangeable(request: UpdateInput, found: CampaignRow): void {
  // What lives of a campaign can be called off wherever that stands.
  if (callsOffAlone(request)) return;
  if (next(campaignMachine, found.status, 'change') !== undefined) return;
  throw conflict(
    `The campaign is ${found.status}: it cannot be changed any more.`,
    'Create another with campaign_create.',
  );
}

/** What another person allowed is held against what they saw of it, whatever else was written since it was asked. */
function requireRevision(ctx: Context, { revision }: UpdateInput, { version }: CampaignRow): void {
  if (revision === undefined || revision === version || ctx.allowed !== undefined) return;
  throw staleVersion(campaignKind, String(version), 'revision');
}

interface Changing extends Pick<Plan, 'planned'> {
  readonly request: UpdateInput;
  /** What is asked for. */
  readonly set: Partial<CampaignRow>;
  /** What is written of it by now. */
  readonly columns: Partial<CampaignRow>;
}

/** One transaction for the campaign and all that its sellers are to be told; then they are told. */
async function change(
  ctx: Context,
  found: CampaignRow,
  { request, set, planned, columns }: Changing,
): Promise<{ written: CampaignRow; results: ChangeResult[] }> {
  const { id } = found;
  const { written, recorded } = await ctx.write(
    async (tx) => {
      if (takesMore(found, { set, planned })) await requireStillActive(tx, ctx, { id: found.advertiser_id });
      await holdChoosers(tx, ctx, planned);
      const before = await holdAsRead(ctx, tx, found);
      requireRevision(ctx, request, before);
      const changed = await writeCampaign(tx, ctx.scope, {
        before,
        set: { ...columns, updated_at: ctx.now },
      });
      if (changed === undefined) throw staleWrite(campaignKind);
      const changes = await recordChanges(tx, ctx, { before: found, planned });
      await logChangedHere(tx, ctx, changes);
      return { written: changed, recorded: changes };
    },
    ({ written: after, recorded: asked }) => ({
      resourceName: after.name,
      advertiserId: after.advertiser_id,
      changes: { ...changesBetween(loggedCampaign(found), loggedCampaign(after)), ...askedOfBuys(asked) },
    }),
  );
  const results = await sendChanges(ctx, recorded);
  if (results.length === 0) return { written, results };
  const write: Context['write'] = (work, subject) => ctx.write(work, subject);
  await followBuys(write, ctx.scope, { id, now: ctx.now });
  return { written: await reachCurrentCampaign(ctx, id), results };
}
