import type { StorefrontProposalRow } from '../../../../store/storefront-proposals.ts';
import { listSellers } from '../../../../store/unscoped/market.ts';
import type { Context } from '../../../core/context.ts';
import { conflict } from '../../../core/errors/refusals.ts';
import type { Opening } from '../../discovery-opening.ts';
import { asSeller } from '../../sellers/seller.ts';
import { bookabilityOf } from '../asking/bookability.ts';
import type { Outcome } from '../asking/collect.ts';
import { NO_PUBLISHER } from '../asking/group-order.ts';
import type { Group } from '../asking/seller-products.ts';
import type { Product } from '../schema.ts';
import { asBrought, readProposalSnapshot } from './offer-snapshot.ts';
import { type OpenedSession, openSession } from './open-session.ts';
import type { SessionSubject } from './session-subject.ts';

/** A session with what a seller offers by a code: nobody is asked, and nothing narrows it. */
export async function openOffered(
  ctx: Context,
  brief: Pick<Opening, 'campaignId'> & { readonly debug: boolean },
  { subject, offer }: { readonly subject: SessionSubject; readonly offer: StorefrontProposalRow },
): Promise<OpenedSession> {
  const rows = await listSellers(ctx.db, ctx.scope, [offer.storefront_id]);
  const seller = rows.map(asSeller).find(({ agentId }) => agentId === offer.agent_id);
  if (seller === undefined) {
    throw conflict(
      'The storefront of this proposal does not sell at the moment.',
      'Try the code again later, or ask its seller.',
      { field: 'proposalCode' },
    );
  }
  return openSession(ctx, brief, { ...subject, offer: { id: offer.id, seller, brings: outcomeOf(offer) } });
}

function outcomeOf(offer: StorefrontProposalRow): (terms: Terms) => Outcome {
  const { products, proposals } = readProposalSnapshot(offer);
  return (terms) => {
    const shown = products.map((one) => asSoldTo(asBrought(one), terms));
    return {
      agentId: offer.agent_id,
      proposals: proposals.map((one) => ({ ...one, expiresAt: offer.expires_at })),
      read: {
        groups: groupsOf(offer.agent_id, shown),
        products: shown.length,
        invalid: 0,
        entries: shown.length,
        hidden: {},
        briefMatched: true,
      },
    };
  };
}

/** What depends on who buys: the seller may have seen it in a session of somebody else. */
export interface Terms {
  readonly currency: string;
  readonly sandbox: boolean;
}

function asSoldTo(product: Product, { currency, sandbox }: Terms): Product {
  const { briefMatched: _, ...own } = product;
  return { ...own, isSandbox: sandbox, ...bookabilityOf(product.pricingOptions, currency) };
}

function groupsOf(agentId: string, products: readonly Product[]): Group[] {
  const groups = new Map<string, Product[]>();
  for (const product of products) {
    const [property] = product.publisherProperties;
    const domain = property?.publisherDomain?.toLowerCase() ?? NO_PUBLISHER;
    groups.set(domain, [...(groups.get(domain) ?? []), product]);
  }
  return [...groups].map(([domain, own]) => ({
    groupId: `${agentId}:${domain}`,
    groupName: domain === NO_PUBLISHER ? (own[0]?.storefrontName ?? domain) : domain,
    publisherDomain: domain,
    products: own,
  }));
}
