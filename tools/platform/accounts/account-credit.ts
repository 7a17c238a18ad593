import { z } from 'zod';
import { listSpendLimits, type SpendLimitRow } from '../../../store/spend-approvals.ts';
import type { Context } from '../../core/context.ts';
import { type Account, accountsOfCaller } from '../../domain/ledger/account.ts';
import { toMajor } from '../../domain/money.ts';

const credit = z.object({
  currency: z.string().describe('ISO 4217 code. Currencies are never added up.'),
  funded: z.number().describe('What was paid in, in units of the currency.'),
  creditLimit: z.number().describe('What may be spent beyond that.'),
  committed: z
    .number()
    .describe('What media buys hold: what they may still spend, and what they have spent.'),
  available: z.number().describe('funded + creditLimit - committed: what new media buys may hold.'),
});

/** What a buyer sees of its money (contract: CurrentAccountResponse, standing; and ours). */
export const standingFields = {
  standing: z
    .object({
      creditLimit: z.number().int().describe('The credit limit, in minor units.'),
      currency: z.string().describe('Its currency, an ISO 4217 code.'),
    })
    .optional()
    .describe('Present where the account has money in one currency; with several, see credit.'),
  credit: z
    .array(credit)
    .optional()
    .describe('What the buyer account may spend, a currency each; a live buy needs available to cover it.'),
  spendLimits: z
    .array(
      z.object({
        currency: z.string().describe('ISO 4217 code.'),
        limit: z.number().describe('What one campaign may hold, in units of the currency.'),
      }),
    )
    .optional()
    .describe(
      'Limits of the organization: a spend above one waits for another person (spend_approval_list).',
    ),
  sandboxNote: z.string().optional().describe('The sandbox needs none of it.'),
};

/** What nobody can see from sums: they do not move with what is bought in the sandbox. */
const SANDBOX_NOTE =
  'Campaigns of sandbox advertisers hold and spend nothing of this: they need no credit, and no limit stops them.';

/** Only of the account that buys: one that sells has none. */
export async function creditStandingOf(ctx: Context) {
  const found = await accountsOfCaller(ctx);
  if (found === undefined) return {};
  const [only, another] = found;
  const standing =
    only === undefined || another !== undefined
      ? {}
      : { standing: { creditLimit: only.creditLimitMinor, currency: only.currency } };
  const limits = await listSpendLimits(ctx.db, ctx.scope);
  return {
    ...standing,
    credit: found.map(asCredit),
    spendLimits: limits.map(asLimit),
    sandboxNote: SANDBOX_NOTE,
  };
}

function asLimit({ currency, limit_minor }: SpendLimitRow) {
  return { currency, limit: toMajor(limit_minor, currency) };
}

function asCredit({ currency, ...sums }: Account) {
  return {
    currency,
    funded: toMajor(sums.fundedMinor, currency),
    creditLimit: toMajor(sums.creditLimitMinor, currency),
    committed: toMajor(sums.committedMinor, currency),
    available: toMajor(sums.availableMinor, currency),
  };
}
