import { z } from 'zod';
import { optimizationApplyModes } from '../../../store/advertisers.ts';
import { budgetPacings, campaignModes, campaignStatuses, campaignTypes } from '../../../store/campaigns.ts';
import { mediaBuyStatuses } from '../../../store/media-buys.ts';
import { besideOtherProblems, isNoMore } from '../../core/schemas/checks.ts';
import type { Spellings } from '../../core/schemas/spellings.ts';
import {
  capsNotBuilt,
  frequencyCaps,
  shownFrequencyCaps,
  utmParameter,
  utmParameters,
} from '../../domain/advertisers/delivery-fields.ts';
import { sandbox } from '../../domain/advertisers/sandbox.ts';
import { awaitedApproval } from '../../domain/approvals/record.ts';
import { pendingPlaces } from '../../domain/buying/standing/buy-standing.ts';
import { pendingChange } from '../../domain/buying/standing/pending-change.ts';
import { constraints, shownConstraints } from '../../domain/campaigns/constraint-fields.ts';
import { goalsNotBuilt, performanceConfig, shownPerformanceConfig } from '../../domain/campaigns/goals.ts';
import { pacingPeriods, shownPacingPeriods } from '../../domain/campaigns/pacing-periods.ts';
import { numericId, outputId } from '../../domain/ids.ts';
import { currencyCode } from '../../domain/money.ts';
import { longText, shortText } from '../../domain/text.ts';
import { endsAfterStart, flightDate, timestamp } from '../../domain/time.ts';
import { campaignMediaBuy, productDetails } from './media-buy-schema.ts';

/** Every way that campaigns can be told apart by (contract: CampaignMode). */
export const documentedModes = ['discovery', 'performance', 'directed'] as const;

export const amount = z.number().positive().max(1e12);

export const campaignFields = {
  name: shortText(255).describe('Name of the campaign.'),
  flightDates: endsAfterStart(
    z.strictObject({
      startDate: flightDate.describe('When it starts. Also accepted as flightDates.start or start_date.'),
      endDate: flightDate.describe('When it ends. Also accepted as flightDates.end or end_date.'),
    }),
  ).describe('When the campaign runs, each moment with an offset.'),
  budget: z
    .strictObject({
      total: amount.describe(
        'What it may spend in all, in units of the currency. Also accepted as budget.amount.',
      ),
      currency: currencyCode.optional().describe('The advertiser’s currency; no other is taken.'),
      dailyCap: amount.optional().describe('What it may spend a day: no more than the total.'),
      pacing: z.enum(budgetPacings).optional().describe('How spend is spread over the flight.'),
    })
    .refine(({ total, dailyCap }) => isNoMore(dailyCap, total), {
      message: 'Must not be more than the total.',
      path: ['dailyCap'],
      ...besideOtherProblems,
    })
    .describe('What the campaign may spend.'),
  brief: longText(5000).describe('What the campaign is to reach, up to 5,000 characters.'),
  constraints: constraints.describe(
    'Where the campaign has to stay: kept by discovery, by the choice of products, and told to sellers.',
  ),
  storefrontIds: z.array(numericId('a storefront')).max(50).describe('Pins the campaign to these sellers.'),
  pacingPeriods: pacingPeriods.describe('Spreads the budget over periods of the flight.'),
  performanceConfig: performanceConfig.describe('What sellers are to optimize for.'),
  utmConfig: z
    .strictObject({
      params: utmParameters.describe('Tags of landing pages.'),
      deleteMissing: z.boolean().optional().describe('True: what is not named goes.'),
    })
    .describe('Tags beside and above the advertiser’s.'),
  frequencyCaps: frequencyCaps.describe('In place of the advertiser’s. [] clears.'),
  optimizationApplyMode: z
    .enum(optimizationApplyModes)
    .describe('Whether suggestions, which are not built yet, apply by themselves; else the advertiser’s.'),
};

/** What the contract documents of campaigns beyond this, and other families have to be there for. */
export const campaignNotBuilt = [
  ...goalsNotBuilt,
  ...capsNotBuilt,
  'audienceConfig',
  'catalogId',
  'dataDelivery',
];

export const campaignSpellings: Spellings = {
  'flightDates.startDate': ['flightDates.start', 'start_date'],
  'flightDates.endDate': ['flightDates.end', 'end_date'],
  'budget.total': ['budget.amount'],
  'constraints.geo_countries': ['constraints.countries'],
};

const campaignBudget = z.object({
  total: z.number().describe('What it may spend in all, in units of the currency.'),
  currency: z.string().describe('ISO 4217 code.'),
  dailyCap: z.number().optional().describe('What it may spend a day.'),
  pacing: z.enum(budgetPacings).optional().describe('How spend is spread over the flight.'),
});

const summaryFields = {
  campaignId: z.string().describe('Id of the campaign.'),
  advertiserId: z.string().describe('Id of its advertiser.'),
  name: z.string().describe('Name of the campaign.'),
  status: z.enum(campaignStatuses).describe('DRAFT until executed.'),
  mode: z
    .enum(campaignModes)
    .describe(
      'discovery: its products are chosen in a session. performance: they are optimized for goals as well.',
    ),
  campaignType: z.enum(campaignTypes).optional().describe('As it was given when it was made.'),
  sandbox,
  management: z.literal('managed').describe('managed: its media buys are placed from here.'),
  flightDates: z
    .object({
      startDate: timestamp.describe('When it starts.'),
      endDate: timestamp.describe('When it ends.'),
    })
    .describe('When the campaign runs.'),
  budget: campaignBudget.describe('What the campaign may spend.'),
  constraints: shownConstraints.optional().describe('Where it has to stay.'),
  productCount: z.number().int().optional().describe('How many products are chosen, while it is a draft.'),
  createdAt: timestamp.describe('When it was created.'),
  updatedAt: timestamp.describe('When it was last changed.'),
};

/** A campaign in a list (contract: CampaignSummary). */
export const campaignSummary = z.object({
  ...summaryFields,
  waitingApprovals: z
    .array(awaitedApproval)
    .optional()
    .describe('What of it waits for another person: campaign_get says in words what that is.'),
});

/** The same where a caller may ask for some fields only. */
export const listedCampaign = campaignSummary
  .partial()
  .required({ campaignId: true })
  .meta({ id: 'CampaignSummary' });

/** A campaign (contract: Campaign). */
export const campaign = z
  .object({
    ...summaryFields,
    revision: z
      .number()
      .int()
      .describe(
        'Goes up whenever the campaign changes, or the terms of its media buys, also by a change that waits; never by figures.',
      ),
    brief: z.string().optional().describe('What it is to reach.'),
    pacingPeriods: shownPacingPeriods.optional().describe('The periods that its budget is spread over.'),
    performanceConfig: shownPerformanceConfig.optional().describe('What sellers are to optimize for.'),
    utmConfig: z
      .object({ params: z.array(utmParameter).describe('What it adds to the tags of its advertiser.') })
      .optional()
      .describe('How its landing pages are tagged once creatives are built: until then nothing is.'),
    frequencyCaps: shownFrequencyCaps
      .optional()
      .describe('How often one person sees its ads, where that is not as its advertiser says.'),
    storefronts: z
      .array(
        z.object({
          id: outputId('Id of the storefront.'),
          platformId: z.string().describe('Its public id.'),
          name: z.string().describe('Its name.'),
        }),
      )
      .optional()
      .describe('The storefronts it is pinned to.'),
    optimizationApplyMode: z
      .enum(optimizationApplyModes)
      .describe('Whether suggestions, which are not built yet, apply by themselves.'),
    allocatedBudget: z
      .number()
      .describe(
        'What its media buys take: their budgets, once they are over what they spent; of a draft, what the chosen ' +
          'products will be given.',
      ),
    unallocatedBudget: z.number().describe('What is left of its budget.'),
    discoveryId: z.string().optional().describe('The session it buys from.'),
    products: z
      .array(
        z.object({
          productId: z.string().describe('Id of the product.'),
          productName: z.string().optional().describe('Its name, with includeProductDetails.'),
          ...productDetails,
        }),
      )
      .optional()
      .describe('The products that are chosen, while it is a draft.'),
    mediaBuyRefs: z
      .array(
        z.object({
          mediaBuyId: z.string().describe('Id of the media buy.'),
          status: z.enum(mediaBuyStatuses).describe('Where it stands.'),
          pendingAt: z.enum(pendingPlaces).optional().describe('Who has to act.'),
          pendingChange: pendingChange
            .pick({ status: true, pendingAt: true })
            .optional()
            .describe('A version that the seller has not confirmed.'),
        }),
      )
      .optional()
      .describe('Its media buys in short.'),
    pendingUpdate: z
      .object({
        budget: z
          .object({
            total: z.number().optional().describe('What it may spend in all.'),
            dailyCap: z.number().nullable().optional().describe('What it may spend a day.'),
          })
          .optional()
          .describe('What it may spend then.'),
        flightDates: z
          .object({
            startDate: timestamp.optional().describe('When it starts.'),
            endDate: timestamp.optional().describe('When it ends.'),
          })
          .optional()
          .describe('When it runs then.'),
      })
      .optional()
      .describe(
        'What was lowered together with media buys, and holds once their sellers have confirmed it; where one refuses, it stays as it is.',
      ),
    warnings: z
      .array(z.string())
      .optional()
      .describe(
        'What of it waits for another person. What would stop or curtail the draft when it is executed: correct it before. Of a campaign that was stopped or is over: which of its media buys live all the same. Of an update that gives it more: what they were not given.',
      ),
    mediaBuys: z.array(campaignMediaBuy).describe('Its media buys: one a seller.'),
  })
  .meta({ id: 'Campaign' });

/** The same where a caller may ask for some fields only. */
export const chosenCampaign = campaign
  .partial()
  .required({ campaignId: true })
  .extend({
    targetingOverlay: z
      .looseObject({})
      .optional()
      .describe(
        'In the compact form: whom each package is to reach that has no targetingOverlay of its own.',
      ),
  })
  .meta({ id: 'ChosenCampaign' });
