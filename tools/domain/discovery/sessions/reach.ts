import {
  countCodeTry,
  forgiveCodeTry,
  type StorefrontProposalRow,
} from '../../../../store/storefront-proposals.ts';
import { findProposalFor } from '../../../../store/unscoped/storefront-proposals.ts';
import type { Context } from '../../../core/context.ts';
import { notFound, rateLimited } from '../../../core/errors/refusals.ts';
import { byRevision, type Kind } from '../../../core/kinds.ts';
import { HOUR_MS, momentOf } from '../../../core/moments.ts';
import { lookUps } from '../../look-ups.ts';
import { spokenDomain } from '../../organizations/spoken-domain.ts';
import { placesOfCode } from './proposal-codes.ts';

/** What a seller offers to one buyer by a code. */
export const storefrontProposalKind: Kind = {
  type: 'STOREFRONT_PROPOSAL',
  word: 'proposal',
  lookUp: lookUps.proposal,
  versioned: byRevision,
};

/** A buyer is told nothing of proposals that are for others. */
const codeKind: Kind = {
  ...storefrontProposalKind,
  word: 'proposal with this code',
  lookUp: 'Ask its seller for the code, and for whom it was made: it opens for that account alone.',
};

/** The proposal that a code opens for the caller. Who guesses is let in less and less. */
export async function reachOffered(ctx: Context, code: string): Promise<StorefrontProposalRow> {
  const { store, limits } = ctx.services;
  const now = Date.parse(ctx.now);
  const cutoff = momentOf(now - HOUR_MS);
  // Counted before it is looked at: however many come at once, no more are tried.
  const { tries, since } = await store.transaction((tx) =>
    countCodeTry(tx, ctx.scope, { now: ctx.now, cutoff }),
  );
  if (tries > limits.codeTriesPerHour) {
    ctx.services.ports.tally.limited('proposal_codes');
    const seconds = Math.max(1, Math.ceil((Date.parse(since) + HOUR_MS - now) / 1_000));
    throw rateLimited(seconds, {
      message: 'Too many codes were tried in this hour.',
      suggestion: 'Ask its seller for the code before you try again.',
    });
  }
  const operator = { customerId: ctx.scope.customerId, domain: await spokenDomain(ctx.db, ctx.scope) };
  const found = await findProposalFor(
    ctx.db,
    operator,
    placesOfCode(code.toUpperCase(), ctx.services.ports.secrets),
  );
  if (found === undefined) throw notFound(codeKind);
  await store.transaction((tx) => forgiveCodeTry(tx, ctx.scope));
  return found;
}
