import { z } from 'zod';
import { toJson } from '../../../store/engine/codec.ts';
import { isUniqueViolation } from '../../../store/engine/dialect.ts';
import { insertProposal, keepCode, type StorefrontProposalRow } from '../../../store/storefront-proposals.ts';
import { findProposedBy, listProductsBroughtBy } from '../../../store/unscoped/storefront-proposals.ts';
import { needs } from '../../core/access.ts';
import type { Context } from '../../core/context.ts';
import { defineTool } from '../../core/define.ts';
import { conflict, invalid, notFound } from '../../core/errors/refusals.ts';
import { productIn } from '../../domain/discovery/asking/kept-products.ts';
import { readProposal } from '../../domain/discovery/asking/proposals.ts';
import { sessionKind } from '../../domain/discovery/reach.ts';
import { asBrought, type ProposalSnapshot } from '../../domain/discovery/sessions/offer-snapshot.ts';
import { CODE_PURPOSE, proposalCodeOwner } from '../../domain/discovery/sessions/proposal-code-owner.ts';
import { storefrontProposalKind } from '../../domain/discovery/sessions/reach.ts';
import { prefixedId } from '../../domain/ids.ts';
import { lookUps } from '../../domain/look-ups.ts';
import { reachOwnStorefront } from '../../domain/storefronts/reach.ts';
import { longText, SELLER_ID_MAX, shortText } from '../../domain/text.ts';
import { requireRoom, requireSmall } from './proposal-room.ts';
import {
  expiresAt,
  expiryProblem,
  latestExpiry,
  operatorField,
  storefrontProposal,
  storefrontProposalRecord,
} from './record.ts';

/** Letters and digits of a code, behind `PRP-`. */
const CODE_LENGTH = 6;
/** A code that is taken already is made anew so often: of two thousand million few are. */
const ATTEMPTS = 5;

export const proposalCreate = defineTool({
  name: 'proposal_create',
  title: 'Create proposal',
  example: {
    operatorId: { domain: 'acme.example' },
    label: 'Spring offer',
    discoveryId: 'disc_example',
    proposalId: 'plan_example',
  },
  description:
    'Makes a code for a plan that your source proposed in a discovery session, for one buyer. Hand the code to ' +
    'that buyer, who gives it to discover_products: nobody else can use it, and it is taken up once. The plan ' +
    'and its products are kept as they are now. Take it back with proposal_revoke.',
  effect: 'create',
  audit: { kind: storefrontProposalKind, ofResult: ({ id }) => String(id) },
  access: needs('buyer:write'),
  rest: { method: 'POST', path: '/proposals', status: 201 },
  input: z.strictObject({
    operatorId: operatorField.describe('Whom it is for: a domain or an account, also as text.'),
    label: shortText(255).describe('What you call it.'),
    notes: longText(4_000).optional().describe('For yourself.'),
    expiresAt: expiresAt.optional(),
    discoveryId: prefixedId('the session', 'disc_', 'proposedIn').describe('Where your source proposed it.'),
    proposalId: shortText(SELLER_ID_MAX).describe('The plan, as your source calls it.'),
  }),
  elsewhere: {
    customerId: 'Give operatorId.customerId.',
    customer_id: 'Give operatorId.customerId.',
    domain: 'Give operatorId.domain.',
    operatorDomain: 'Give operatorId.domain.',
  },
  output: storefrontProposal,
  errors: ['NOT_FOUND', 'CONFLICT'],
  find: async (ctx, { discoveryId, proposalId }) => {
    const storefront = await reachOwnStorefront(ctx);
    const proposed = await findProposedBy(ctx.db, storefront.id, { sessionId: discoveryId, proposalId });
    if (proposed === undefined) throw notFound(PROPOSED);
    return { storefront, proposed };
  },
  handler: async (ctx, input, { storefront, proposed }) => {
    const terms = { now: ctx.now, since: ctx.now, proposalEnds: proposed.expires_at };
    const until = input.expiresAt ?? latestExpiry(terms);
    const problem = expiryProblem(until, terms);
    if (problem !== undefined) throw invalid('expiresAt', problem);
    const snapshot = toJson(await snapshotOf(ctx, proposed));
    requireSmall(ctx, snapshot);
    const { domain = null, customerId = null } = input.operatorId;
    const row = await insertWithCode(ctx, {
      storefront_id: storefront.id,
      operator_customer_id: customerId,
      operator_domain: domain,
      label: input.label,
      notes: input.notes ?? null,
      expires_at: until,
      session_id: proposed.session_id,
      agent_id: proposed.agent_id,
      proposal_id: proposed.proposal_id,
      snapshot,
      created_by: ctx.caller.principal,
      created_at: ctx.now,
      first_viewed_at: null,
      last_viewed_at: null,
      revoked_at: null,
      redeemed_at: null,
      redeemed_campaign_id: null,
      redeemed_media_buy_id: null,
      version: 1,
    });
    return storefrontProposalRecord(ctx, row);
  },
});

/** Whose session it is stays unsaid: only what a source of the storefront proposed is found. */
const PROPOSED = {
  ...sessionKind,
  word: 'proposal of your sources in this session',
  lookUp: lookUps.proposedIn,
};

async function snapshotOf(
  ctx: Context,
  proposed: Parameters<typeof readProposal>[0] & { readonly agent_id: string; readonly session_id: string },
): Promise<ProposalSnapshot> {
  const plan = readProposal(proposed);
  const productIds = [...new Set(plan.allocations.map(({ productId }) => productId))];
  const texts = await listProductsBroughtBy(ctx.db, proposed.agent_id, {
    sessionId: proposed.session_id,
    productIds,
  });
  const products = texts.map((product) => asBrought(productIn({ product })));
  const isWhole = productIds.every((id) => products.some(({ productId }) => productId === id));
  if (isWhole) return { products, proposals: [plan] };
  throw conflict(
    'Products of this plan are in the session no more.',
    'Propose it in another session, and make the code of that with proposal_create.',
  );
}

async function insertWithCode(
  ctx: Context,
  fields: Omit<StorefrontProposalRow, 'id' | 'organization_id' | 'customer_id' | 'code' | 'code_sealed'>,
): Promise<StorefrontProposalRow> {
  const { secrets } = ctx.services.ports;
  for (let attempt = 1; ; attempt += 1) {
    const code = `PRP-${ctx.newId('x').slice(-CODE_LENGTH).toUpperCase()}`;
    try {
      return await ctx.write(
        async (tx) => {
          await requireRoom(tx, ctx, fields.storefront_id);
          const fingerprint = secrets.fingerprint(code, CODE_PURPOSE);
          const { id } = await insertProposal(tx, ctx.scope, { ...fields, code: fingerprint });
          return keepCode(tx, ctx.scope, { id, sealed: secrets.seal(code, proposalCodeOwner(id)) });
        },
        ({ id, label }) => ({ resourceId: String(id), resourceName: label }),
      );
    } catch (error) {
      if (!isUniqueViolation(error) || attempt === ATTEMPTS) throw error;
    }
  }
}
