import type { StorefrontProposalRow } from '../../../../store/storefront-proposals.ts';
import { conflict } from '../../../core/errors/refusals.ts';
import { next } from '../../../core/machines.ts';
import { proposalMachine } from './machines.ts';
import { proposalStatus } from './offer-snapshot.ts';

/** Refuses one that cannot be taken up any more. */
export function requireOpen(row: StorefrontProposalRow, now: string): void {
  const status = proposalStatus(row, now);
  if (next(proposalMachine, status, 'open') !== undefined) return;
  throw conflict(
    `The proposal is ${status}: it can be taken up once, while it is active.`,
    'Ask its seller for another code, or call discover_products without one.',
    { field: 'proposalCode' },
  );
}
