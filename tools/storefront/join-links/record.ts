import { z } from 'zod';
import { approvalPolicies, type JoinLinkRow, sponsorshipStates } from '../../../store/join-links.ts';
import type { SponsoredBuyer } from '../../../store/unscoped/signup.ts';
import { outputId } from '../../domain/ids.ts';
import { timestamp } from '../../domain/time.ts';

export const approvalField = z
  .enum(approvalPolicies)
  .describe(
    'auto_approve: who comes may buy at once. manual_approve: once you say so. closed: nobody comes.',
  );

export const joinLink = z
  .object({
    id: z.string().describe('Id of the link.'),
    slug: z.string().describe('What stands in its address.'),
    joinPath: z.string().describe('The path to hand out, below the address of this service.'),
    storefrontId: outputId('The storefront it leads to.'),
    approvalPolicy: approvalField,
    uses: z.number().int().describe('How many buyers came by it.'),
    maxUses: z.number().int().nullable().describe('How many may; null: no limit.'),
    expiresAt: timestamp.nullable().describe('Until when it leads anywhere; null: for good.'),
    createdAt: timestamp.describe('When it was made.'),
    updatedAt: timestamp.describe('When it was last used or changed.'),
  })
  .meta({ id: 'JoinLink' });

export function joinLinkRecord(row: JoinLinkRow): z.input<typeof joinLink> {
  return {
    id: row.id,
    slug: row.slug,
    joinPath: `/join/${row.slug}`,
    storefrontId: row.storefront_id,
    approvalPolicy: row.approval_policy,
    uses: row.uses,
    maxUses: row.max_uses,
    expiresAt: row.expires_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export const sponsoredBuyer = z
  .object({
    buyerId: outputId('Id of the buyer account.'),
    buyerName: z.string().describe('Name of the buyer.'),
    storefrontId: outputId('Your storefront: the only one the buyer sees.'),
    status: z.enum(sponsorshipStates).describe('Only active ones see the storefront and buy.'),
    createdAt: timestamp.describe('When the buyer came.'),
  })
  .meta({ id: 'SponsoredBuyer' });

export function sponsoredBuyerRecord(row: SponsoredBuyer): z.input<typeof sponsoredBuyer> {
  const { buyer_id, name, storefront_id, status, created_at } = row;
  return { buyerId: buyer_id, buyerName: name, storefrontId: storefront_id, status, createdAt: created_at };
}
