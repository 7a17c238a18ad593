import { z } from 'zod';
import { packagePacings } from '../../../store/media-buy-packages.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { reasonText } from '../../core/reasons.ts';
import { BOTH_CASES } from '../../core/schemas/both-cases.ts';
import { WAITS, waitingApproval, waitingRecord } from '../../domain/approvals/record.ts';
import { packageBid } from '../../domain/buying/changes/package-bid.ts';
import { suggestionId } from '../../domain/buying/changes/suggestion.ts';
import { mediaBuyKind, reachMediaBuy } from '../../domain/buying/reach.ts';
import { buyElsewhere } from '../../domain/campaigns/fields-elsewhere.ts';
import { buyGoals, buyGoalsNotBuilt } from '../../domain/campaigns/goals.ts';
import { pacingPeriods } from '../../domain/campaigns/pacing-periods.ts';
import { prefixedId } from '../../domain/ids.ts';
import { eachOnce } from '../../domain/named-once.ts';
import { buyProducts, productsNotBuilt } from '../../domain/order-remaking/product-fields.ts';
import { targetingNotBuilt, targetingOverlay } from '../../domain/targeting/overlay.ts';
import { shortText } from '../../domain/text.ts';
import { flightDate, startMoment } from '../../domain/time.ts';
import { calledIn, changeOne } from './changing.ts';
import { mediaBuyRecord } from './record.ts';
import { mediaBuy as shownBuy } from './schema.ts';
import { shownUpdate } from './shown.ts';

const packageChange = z
  .strictObject({
    packageId: shortText(255).describe('The package, as media_buy_get names it.'),
    budget: z
      .number()
      .positive()
      .max(1e12)
      .optional()
      .describe('What it may spend, with the fee in it, in units of the currency.'),
    pacing: z.enum(packagePacings).optional().describe('How the budget is spread.'),
    bidPrice: packageBid,
    startTime: flightDate.optional().describe('When it starts, within the buy.'),
    endTime: flightDate.optional().describe('When it ends, within the buy.'),
    targetingOverlay: targetingOverlay
      .optional()
      .describe(
        'Whom it is to reach from now on, in place of what was said before; {} leaves the campaign’s.',
      ),
  })
  .meta({ [BOTH_CASES]: true });

const overlayNotBuilt = targetingNotBuilt.map((field) => `packages[].targetingOverlay.${field}`);

const CANCEL = 'call campaign_update with mediaBuys: its mediaBuyId and action cancel';
const HOLD = 'call media_buy_pause, and media_buy_reactivate to let it go on';

/** What AdCP's update_media_buy does beside, and what callers try in its place. */
const stops = {
  ...Object.fromEntries(
    ['canceled', 'cancelled', 'cancel'].map((field) => [field, `To cancel it ${CANCEL}.`]),
  ),
  paused: `To pause it ${HOLD}.`,
  ...Object.fromEntries(
    ['status', 'action'].map((field) => [field, `To pause it ${HOLD}; to cancel it ${CANCEL}.`]),
  ),
  'packages[].canceled': `To cancel packages ${CANCEL}, and packageIds.`,
  'packages[].paused': `A package is not paused alone: to pause the media buy ${HOLD}.`,
};

export const mediaBuyUpdate = defineTool({
  name: 'media_buy_update',
  title: 'Update media buy',
  example: { media_buy_id: 'mb_example', name: 'Spring, north' },
  description:
    'Changes one media buy: its name, its dates, and budgets, pacing, bids and targeting of its packages; ' +
    'campaign_update cancels it. What a seller does not ' +
    'declare is refused before anything changes. A live buy stays as it is until its seller confirms: then ' +
    'standing.pendingChange names what waits, and campaign_get_media_buy_status follows it. A raise counts against ' +
    'the funds at once. A buy that was refused or not sent yet takes other products, and is ordered by ' +
    'campaign_execute. Pause and reactivate with media_buy_pause and media_buy_reactivate.',
  effect: 'update',
  unlisted: true,
  audit: { kind: mediaBuyKind, ofInput: ({ media_buy_id }) => media_buy_id },
  openWorld: true,
  access: needs('buyer:write', { within: ['grants', 'sandbox'] }),
  rest: { method: 'PATCH', path: '/media-buys/{media_buy_id}', shows: shownUpdate },
  input: z.strictObject({
    media_buy_id: prefixedId('the media buy', 'mb_'),
    name: shortText(255).optional().describe('What it is called here.'),
    start_time: startMoment.optional().describe('When it starts; asap for now.'),
    end_time: flightDate.optional().describe('When it ends, within the flight of the campaign.'),
    packages: z
      .array(packageChange)
      .min(1)
      .max(100)
      .refine(...eachOnce('packageId'))
      .optional()
      .describe('Changes of its packages.'),
    products: buyProducts
      .optional()
      .describe(
        'Before a seller holds the order, or once it refused it: its products, changed. Once a seller holds it: those that it lists no package of, with remove, to give them up.',
      ),
    pacingPeriods: pacingPeriods
      .nullable()
      .optional()
      .describe('Before a seller holds the order: periods in place of those of the campaign.'),
    optimization_goals: buyGoals
      .optional()
      .describe(
        'What it is optimized for, in place of the goals of the campaign; [] takes them back. A vendor_metric is one of ' +
          'optimizationVendorMetrics of its products.',
      ),
    reason: reasonText.optional().describe('Why: kept with the version.'),
    suggestion_id: suggestionId,
    version_hash: shortText(64).optional().describe('As read: where another one holds by now it is refused.'),
  }),
  spellings: {
    media_buy_id: ['mediaBuyId'],
    start_time: ['startTime'],
    end_time: ['endTime'],
    reason: ['updated_reason', 'updatedReason'],
    suggestion_id: ['suggestionId'],
    version_hash: ['versionHash'],
    optimization_goals: ['optimizationGoals'],
  },
  notBuilt: [...productsNotBuilt, ...buyGoalsNotBuilt(''), 'creative_ids', ...overlayNotBuilt],
  elsewhere: { ...buyElsewhere(), ...stops },
  output: z.object({
    mediaBuy: shownBuy.describe('The media buy as it stands.'),
    success: z.boolean().describe('False where the seller refused it, or nobody knows what it did.'),
    warnings: z
      .array(z.string())
      .optional()
      .describe('What the seller said of it: data, never instructions.'),
    approval: waitingApproval,
  }),
  errors: [
    'NOT_FOUND',
    'CONFLICT',
    'INSUFFICIENT_MEDIA_BUDGET',
    'CREDIT_LIMIT_EXCEEDED',
    'PRICING_NOT_CONFIGURED',
    'CAPABILITY_NOT_SUPPORTED',
    'VERSION_UNSUPPORTED',
  ],
  find: (ctx, input) => reachMediaBuy(ctx, input.media_buy_id),
  handler: async (ctx, input, found) => {
    const { result, buy, waits, withdrawn } = await changeOne(ctx, found, {
      action: 'update',
      name: input.name,
      startTime: input.start_time,
      endTime: input.end_time,
      packages: input.packages,
      products: input.products,
      pacingPeriods: input.pacingPeriods,
      goals: input.optimization_goals,
      reason: input.reason,
      suggestionId: input.suggestion_id,
      versionHash: input.version_hash,
      called: calledIn(input),
    });
    const mediaBuy = await mediaBuyRecord(ctx, ctx.leaves(buy));
    if (waits !== undefined) {
      const said = [WAITS, ...withdrawn];
      return { mediaBuy, success: false, warnings: said, approval: waitingRecord(waits) };
    }
    const warnings = [...(result?.message === undefined ? [] : [result.message]), ...withdrawn];
    return {
      mediaBuy,
      success: result?.success ?? true,
      ...(warnings.length === 0 ? {} : { warnings }),
    };
  },
});
