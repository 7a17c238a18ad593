import type { z } from 'zod';
import { fromJson } from '../../../../store/engine/codec.ts';
import type { ProposalStatus, StorefrontProposalRow } from '../../../../store/storefront-proposals.ts';
import type { Proposal } from '../asking/proposals.ts';
import type { Product, product } from '../schema.ts';

/** A proposal and its products as their seller brought them. */
export interface ProposalSnapshot {
  readonly products: readonly Product[];
  readonly proposals: readonly Proposal[];
}

export function readProposalSnapshot({
  snapshot,
}: Pick<StorefrontProposalRow, 'snapshot'>): ProposalSnapshot {
  return fromJson<ProposalSnapshot>(snapshot);
}

/** A product as a seller brought it, without what its buyer made of it. */
export function asBrought({
  screening: _,
  evaluation: __,
  notBuyable: ___,
  ...own
}: Product): z.input<typeof product> {
  return own;
}

export function proposalStatus(
  row: Pick<StorefrontProposalRow, 'revoked_at' | 'redeemed_at' | 'expires_at'>,
  now: string,
): ProposalStatus {
  if (row.revoked_at !== null) return 'revoked';
  if (row.redeemed_at !== null) return 'redeemed';
  return row.expires_at <= now ? 'expired' : 'active';
}
