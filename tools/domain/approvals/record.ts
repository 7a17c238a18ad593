import { z } from 'zod';
import type { SpendApprovalRow } from '../../../store/spend-approvals.ts';
import { toMajor } from '../money.ts';
import { timestamp } from '../time.ts';

/** A spend that waits for another person. */
export const awaitedApproval = z
  .object({
    approvalId: z.string().describe('For spend_approval_get.'),
    amount: z.number().describe('What the campaign would hold.'),
    limit: z.number().describe('What it may hold unasked.'),
    currency: z.string().describe('ISO 4217 code.'),
    expiresAt: timestamp.describe('Until when it waits.'),
  })
  .meta({ id: 'WaitingApproval' });

/** What a call answers in place of what it would have done. */
export const waitingApproval = awaitedApproval
  .optional()
  .describe('Present when nothing was done: another person has to allow it.');

export function waitingRecord(row: SpendApprovalRow) {
  return {
    approvalId: row.id,
    amount: toMajor(row.amount_minor, row.currency),
    limit: toMajor(row.limit_minor, row.currency),
    currency: row.currency,
    expiresAt: row.expires_at,
  };
}

/** Why nothing was done, in words. */
export const WAITS =
  'Nothing was done yet: this spend is above the limit of your organization. Another person has to allow it at ' +
  '/settings/approvals; follow it with spend_approval_get, and do not call again meanwhile.';
