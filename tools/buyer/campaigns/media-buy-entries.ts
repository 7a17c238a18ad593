import { z } from 'zod';
import { packagePacings } from '../../../store/media-buy-packages.ts';
import { reasonText } from '../../core/reasons.ts';
import { BOTH_CASES } from '../../core/schemas/both-cases.ts';
import { nameGiven } from '../../core/validation.ts';
import { packageBid } from '../../domain/buying/changes/package-bid.ts';
import { suggestionId } from '../../domain/buying/changes/suggestion.ts';
import type { WantedChange } from '../../domain/buying/changes/wanted-change.ts';
import { buyGoals, buyGoalsNotBuilt } from '../../domain/campaigns/goals.ts';
import { pacingPeriods } from '../../domain/campaigns/pacing-periods.ts';
import { prefixedId } from '../../domain/ids.ts';
import { eachOnce } from '../../domain/named-once.ts';
import { buyProducts, productsNotBuilt } from '../../domain/order-remaking/product-fields.ts';
import { targetingNotBuilt, targetingOverlay } from '../../domain/targeting/overlay.ts';
import { shortText } from '../../domain/text.ts';
import { dateTime, startMoment } from '../../domain/time.ts';

/** Changes of media buys beside those of their campaign (contract: UpdateCampaign, mediaBuys). */

const ENTRIES_MAX = 50;

type Action = keyof typeof ACTIONS;

const moment = startMoment.describe('When it starts: asap, or a moment inside the flight.');

const part = z
  .strictObject({
    packageId: shortText(255).describe('Id of the package, as campaign_get shows it.'),
    budget: z
      .number()
      .positive()
      .max(1e12)
      .optional()
      .describe('What it may spend from now on, fee and all.'),
    pacing: z.enum(packagePacings).optional().describe('How it is spread.'),
    bidPrice: packageBid,
    startTime: dateTime.optional().describe('When it starts.'),
    endTime: dateTime.optional().describe('When it ends.'),
    targetingOverlay: targetingOverlay.optional().describe('Whom it is to reach, in place of before.'),
  })
  .meta({ [BOTH_CASES]: true });

export const mediaBuyEntries = z
  .array(
    z
      .strictObject({
        mediaBuyId: prefixedId('the media buy', 'mb_'),
        action: z
          .enum(['update', 'cancel', 'delete'])
          .default('update')
          .describe(
            'cancel calls it off at its seller; delete puts it away, and needs buyer:admin. What no seller took is ' +
              'ordered by the next execute while it stays chosen: discovery_remove_products.',
          ),
        reason: reasonText.optional().describe('Why it is called off: told to the seller.'),
        packageIds: z
          .array(shortText(255))
          .min(1)
          .max(100)
          .optional()
          .describe('cancel: these packages only.'),
        name: shortText(255).optional().describe('Another name.'),
        packages: z
          .array(part)
          .min(1)
          .max(100)
          .refine(...eachOnce('packageId'))
          .optional()
          .describe('Packages with what changes of each.'),
        products: buyProducts.optional().describe('Before a seller holds it: its products, changed.'),
        pacingPeriods: pacingPeriods
          .nullable()
          .optional()
          .describe('Before a seller holds it: in place of the campaign’s.'),
        optimization_goals: buyGoals.optional().describe('In place of the campaign’s.'),
        start_time: moment.optional(),
        end_time: dateTime.optional().describe('When it ends, inside the flight.'),
        updated_reason: reasonText.optional().describe('Why: kept with the version.'),
        suggestion_id: suggestionId,
      })
      .superRefine((entry, problems) => {
        for (const [field, message] of outOfPlaceIn(entry)) {
          problems.addIssue({ code: 'custom', path: [field], message });
        }
      })
      .meta({ [BOTH_CASES]: true }),
  )
  .max(ENTRIES_MAX)
  .describe('Changes of its media buys in the same call: all are asked of the sellers, or none.');

export const entriesNotBuilt = [
  ...targetingNotBuilt.map((field) => `mediaBuys[].packages[].targetingOverlay.${field}`),
  ...productsNotBuilt.map((name) => `mediaBuys[].${name}`),
  ...buyGoalsNotBuilt('mediaBuys[].'),
  'mediaBuys[].creative_ids',
];

/** What a media buy is changed to: nothing of that is said of one that is called off, or put away. */
const CHANGES = [
  'name',
  'products',
  'pacingPeriods',
  'optimization_goals',
  'start_time',
  'end_time',
] as const;

const changes = (message: string) => CHANGES.map((field) => [field, message] as const);

/** Fields that do not go with an action: passed over, a slip would call off more than was meant. */
const OUT_OF_PLACE: Readonly<Record<Action, ReadonlyMap<string, string>>> = {
  update: new Map([
    ['packageIds', 'Goes with action cancel alone: name in packages those that change, and what changes.'],
  ]),
  cancel: new Map([
    ['packages', 'Does not go with action cancel: to call off some packages only, name them in packageIds.'],
    ...changes('Does not go with action cancel: change what goes on with action update, in another call.'),
  ]),
  delete: new Map([
    ['packages', 'Does not go with action delete, which puts the whole media buy away.'],
    [
      'packageIds',
      'Does not go with action delete, which puts the whole media buy away: to call off some packages only, give action cancel.',
    ],
    ...changes('Does not go with action delete: leave it out.'),
  ]),
};

const TWO_REASONS = 'Give either reason or updated_reason: one is kept, and told to the seller.';

function outOfPlaceIn(entry: { readonly action: Action; readonly [field: string]: unknown }) {
  const found = [...OUT_OF_PLACE[entry.action]].filter(([field]) => entry[field] !== undefined);
  const { reason = entry['updated_reason'], updated_reason: other = reason } = entry;
  return reason === other ? found : [...found, ['updated_reason', TWO_REASONS] as const];
}

const ACTIONS = { update: 'update', cancel: 'cancel', delete: 'archive' } as const;

interface Request {
  readonly reason?: string | undefined;
  readonly mediaBuys?: z.output<typeof mediaBuyEntries> | undefined;
}

const GOES_WITH_IT: ReadonlySet<string> = new Set(['campaignId', 'revision', 'reason', 'mode', 'mediaBuys']);

/** Whether a request calls media buys off, or puts them away, and changes nothing else. */
export function callsOffAlone(request: Request): boolean {
  const { mediaBuys = [] } = request;
  const isOther = Object.entries(request).some(
    ([field, value]) => value !== undefined && !GOES_WITH_IT.has(field),
  );
  return !isOther && mediaBuys.length > 0 && mediaBuys.every(({ action }) => action !== 'update');
}

/** The entries as changes of media buys, each with its place in the input. */
export function wantedBy(request: Request): WantedChange[] {
  return (request.mediaBuys ?? []).map(
    (
      { action, start_time, end_time, updated_reason, suggestion_id, optimization_goals, ...entry },
      index,
    ) => ({
      ...entry,
      action: ACTIONS[action],
      startTime: start_time,
      endTime: end_time,
      goals: optimization_goals,
      reason: entry.reason ?? updated_reason ?? request.reason,
      suggestionId: suggestion_id,
      called: (field) => nameGiven(request, `mediaBuys.${index}.${field}`),
    }),
  );
}
