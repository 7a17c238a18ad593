import { z } from 'zod';
import {
  type ProposalStatus,
  proposalStatuses,
  type StorefrontProposalRow,
} from '../../../store/storefront-proposals.ts';
import type { Context } from '../../core/context.ts';
import { conflict } from '../../core/errors/refusals.ts';
import { next } from '../../core/machines.ts';
import { DAY_MS, momentAfter } from '../../core/moments.ts';
import { proposal } from '../../domain/discovery/asking/proposals.ts';
import { product } from '../../domain/discovery/schema.ts';
import { proposalMachine } from '../../domain/discovery/sessions/machines.ts';
import { proposalStatus, readProposalSnapshot } from '../../domain/discovery/sessions/offer-snapshot.ts';
import { codeIfOpened } from '../../domain/discovery/sessions/proposal-codes.ts';
import { numericId, outputId } from '../../domain/ids.ts';
import { domainName } from '../../domain/text.ts';
import { dateTime, timestamp } from '../../domain/time.ts';

/** A code is good for so long. */
const LIFE_DAYS = 14;

/** One of the two. As text it is the id of an account, or a domain. */
export const operatorField = z.preprocess(
  (value) => {
    if (typeof value !== 'string' && typeof value !== 'number') return value;
    return /^\d+$/.test(String(value)) ? { customerId: value } : { domain: value };
  },
  z
    .strictObject({
      domain: domainName.optional().describe('Domain of its organization.'),
      customerId: numericId('its account', 'buyerOfProposal').optional(),
    })
    .refine(
      ({ domain, customerId }) => (domain === undefined) !== (customerId === undefined),
      'Give domain or customerId, one of them.',
    ),
);

export const expiresAt = dateTime.describe(
  `Until when it can be taken up: ${LIFE_DAYS} days at the most, and so long unless given.`,
);

interface Terms {
  readonly now: string;
  /** When the code was made. */
  readonly since: string;
  readonly proposalEnds: string | null;
}

/** How long a code of a plan can be good at the most. */
export function latestExpiry({ since, proposalEnds }: Terms): string {
  const latest = momentAfter(since, LIFE_DAYS * DAY_MS);
  return proposalEnds !== null && proposalEnds < latest ? proposalEnds : latest;
}

/** Why it cannot be good until then; undefined where it can. */
export function expiryProblem(wanted: string, terms: Terms): string | undefined {
  const latest = latestExpiry(terms);
  if (wanted <= terms.now) return 'Must be in the future.';
  if (wanted <= latest) return undefined;
  return latest === terms.proposalEnds
    ? `The proposal itself ends at ${latest}.`
    : `A code is good for ${LIFE_DAYS} days: ${latest} at the latest.`;
}

export const proposalSummary = z
  .object({
    id: outputId('Id of the proposal.'),
    revision: z.number().int().describe('Goes up with each change that you make of it.'),
    proposalCode: z
      .string()
      .nullable()
      .describe(
        'What its buyer gives to discover_products; null while this installation cannot open it, of which ' +
          'proposal_get says what to do.',
      ),
    operatorId: z.string().describe('Whom it is for: the domain, or the id of the account.'),
    operatorRef: z
      .object({
        domain: z.string().optional().describe('Domain of its organization.'),
        customerId: outputId('Id of the account.').optional(),
      })
      .describe('The same, one of them.'),
    label: z.string().describe('What you call it.'),
    notes: z.string().nullable().describe('What you wrote down; its buyer does not see it.'),
    status: z.enum(proposalStatuses).describe('Only active ones can be taken up.'),
    expiresAt: timestamp.describe('Until when it can be taken up.'),
    proposalId: z.string().describe('Id of the plan, as your source gave it.'),
    discoverySessionId: z.string().describe('The session in which your source proposed it.'),
    createdAt: timestamp.describe('When it was made.'),
    createdBy: z.string().describe('Who made it.'),
    firstViewedAt: timestamp.nullable().describe('When its buyer first looked at it; null: not yet.'),
    lastViewedAt: timestamp.nullable().describe('When its buyer last looked at it.'),
    redeemedAt: timestamp.nullable().describe('When it was taken up.'),
    redeemedInMediaBuyId: z.string().nullable().describe('The media buy that took it up.'),
  })
  .meta({ id: 'StorefrontProposalSummary' });

export const storefrontProposal = proposalSummary
  .extend({
    snapshot: z
      .object({
        products: z.array(product).describe('Its products as your source brought them.'),
        proposals: z.array(proposal).describe('The plan.'),
      })
      .describe('What its buyer is shown.'),
  })
  .meta({ id: 'StorefrontProposal' });

export function proposalSummaryRecord(
  { now, services }: Context,
  row: StorefrontProposalRow,
): z.input<typeof proposalSummary> {
  const { operator_domain: domain, operator_customer_id: customerId } = row;
  return {
    id: row.id,
    revision: row.version,
    proposalCode: codeIfOpened(row, services.ports.secrets),
    operatorId: domain ?? String(customerId),
    operatorRef: domain === null ? { customerId: customerId ?? 0 } : { domain },
    label: row.label,
    notes: row.notes,
    status: proposalStatus(row, now),
    expiresAt: row.expires_at,
    proposalId: row.proposal_id,
    discoverySessionId: row.session_id,
    createdAt: row.created_at,
    createdBy: row.created_by,
    firstViewedAt: row.first_viewed_at,
    lastViewedAt: row.last_viewed_at,
    redeemedAt: row.redeemed_at,
    redeemedInMediaBuyId: row.redeemed_media_buy_id,
  };
}

export function storefrontProposalRecord(
  ctx: Context,
  row: StorefrontProposalRow,
): z.input<typeof storefrontProposal> {
  const { products, proposals } = readProposalSnapshot(row);
  return {
    ...proposalSummaryRecord(ctx, row),
    snapshot: { products: [...products], proposals: [...proposals] },
  };
}

/** From which status a change leads to which; refused where the proposal was taken up or taken back. */
export function requireChangeable(
  { now }: Context,
  row: StorefrontProposalRow,
  event: 'change' | 'extend' | 'revoke',
): { readonly from: ProposalStatus; readonly to: ProposalStatus } {
  const from = proposalStatus(row, now);
  const to = next(proposalMachine, from, event);
  if (to === undefined) throw overAlready();
  return { from, to };
}

/** One that was taken up or taken back stays as it is. */
function overAlready() {
  return conflict(
    'The proposal was taken up or revoked, and stays as it is.',
    'Make another one with proposal_create.',
  );
}
