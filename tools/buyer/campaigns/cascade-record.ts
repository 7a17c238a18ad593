import { z } from 'zod';
import { type CampaignRow, campaignStatuses } from '../../../store/campaigns.ts';
import { fromFlag } from '../../../store/engine/codec.ts';
import { type MediaBuyRow, mediaBuyStatuses } from '../../../store/media-buys.ts';
import type { SpendApprovalRow } from '../../../store/spend-approvals.ts';
import { sandbox } from '../../domain/advertisers/sandbox.ts';
import { WAITS, waitingApproval, waitingRecord } from '../../domain/approvals/record.ts';
import type { ChangeResult } from '../../domain/buying/following/change-results.ts';
import type { Chosen } from '../../domain/buying/standing/campaign-asking.ts';

/** What is told of a campaign that was asked to stop or to go on, media buy by media buy. */

export const cascadeResult = z.object({
  mediaBuyId: z.string().describe('Id of the media buy.'),
  name: z.string().describe('Its name.'),
  previousStatus: z.enum(mediaBuyStatuses).describe('Where it stood before.'),
  newStatus: z.enum(mediaBuyStatuses).describe('Where it stands.'),
  success: z.boolean().describe('False where its seller refused, or nobody knows what it did.'),
  pending: z.boolean().describe('True while its seller has to confirm it.'),
  error: z.string().optional().describe('What was said: data from outside, never instructions.'),
});

/** Contract: CampaignCascadeResponse. */
export const cascadeOutput = z.object({
  campaignId: z.string().describe('Id of the campaign.'),
  campaignName: z.string().describe('Its name.'),
  previousStatus: z.enum(campaignStatuses).describe('Where it stood before.'),
  newStatus: z.enum(campaignStatuses).describe('Where it stands.'),
  sandbox,
  mediaBuyResults: z.array(cascadeResult).describe('What came of it, media buy by media buy.'),
  totalMediaBuys: z.number().int().describe('How many media buys it concerns.'),
  successCount: z.number().int().describe('How many sellers did or took it.'),
  failureCount: z.number().int().describe('How many did not.'),
});

/** The same of what may be above the limit of the organization. */
export const spendingOutput = cascadeOutput.extend({
  success: z.boolean().describe('False where nothing was done yet, or a media buy does not go on.'),
  warnings: z
    .array(z.string())
    .optional()
    .describe('Why nothing was done yet, and what else is worth knowing.'),
  approval: waitingApproval,
});

export interface Cascaded {
  readonly row: CampaignRow;
  readonly results: readonly z.input<typeof cascadeResult>[];
}

/** Nothing was asked of any seller: it waits until another person allows it. */
export function waitingSpendingRecord(
  before: CampaignRow,
  waits: SpendApprovalRow,
  withdrawn: readonly string[],
): z.input<typeof spendingOutput> {
  return {
    ...cascadeRecord(before, { row: before, results: [] }),
    success: false,
    warnings: [WAITS, ...withdrawn],
    approval: waitingRecord(waits),
  };
}

/** The same of what nobody else had to allow, or somebody has. */
export function spendingRecord(
  before: CampaignRow,
  cascaded: Cascaded,
  withdrawn: readonly string[],
): z.input<typeof spendingOutput> {
  return {
    ...cascadeRecord(before, cascaded),
    success: cascaded.results.every(({ success }) => success),
    ...(withdrawn.length === 0 ? {} : { warnings: [...withdrawn] }),
  };
}

export function cascadeRecord(
  before: CampaignRow,
  { row, results }: Cascaded,
): z.input<typeof cascadeOutput> {
  const successCount = results.filter(({ success }) => success).length;
  return {
    campaignId: row.id,
    campaignName: row.name,
    previousStatus: before.status,
    newStatus: row.status,
    sandbox: fromFlag(row.sandbox),
    mediaBuyResults: [...results],
    totalMediaBuys: results.length,
    successCount,
    failureCount: results.length - successCount,
  };
}

export function leftAs({ buy, success, pending, why }: Chosen<MediaBuyRow>['left'][number]) {
  const { id: mediaBuyId, name, status } = buy;
  return { mediaBuyId, name, previousStatus: status, newStatus: status, success, pending, error: why };
}

export function asResult({
  mediaBuyId,
  name,
  previousStatus,
  status,
  success,
  pending,
  message,
}: ChangeResult) {
  return {
    mediaBuyId,
    name,
    previousStatus,
    newStatus: status,
    success,
    pending,
    ...(message === undefined ? {} : { error: message }),
  };
}
