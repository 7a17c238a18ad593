import type { Client } from '../callers/client.ts';
import { lookUntil } from '../run/looking.ts';
import { done, flightDates } from './market.ts';

/** A discovery session as REST shows it, as far as the tests look into it. */
export interface Snapshot {
  readonly discoveryId: string;
  readonly revision: number;
  readonly resultsComplete: boolean;
  readonly productGroups: readonly {
    readonly products: readonly { readonly productId: string; readonly salesAgentId: string }[];
  }[];
  readonly pendingAgents: readonly { readonly agentId: string }[];
  readonly incompleteAgents: readonly {
    readonly agentId: string;
    readonly agentName: string;
    readonly reason: string;
    readonly message: string;
  }[];
  readonly agentResults?: readonly {
    readonly agentId: string;
    readonly success: boolean;
    readonly productCount: number;
    readonly invalidProducts: number;
    readonly invalidProposals?: number;
  }[];
}

/** Asks these storefronts and does not wait for them. */
export async function beginDiscovery(
  buyer: Client,
  advertiserId: string,
  storefrontIds: readonly string[],
): Promise<Snapshot> {
  const fields = { advertiserId, storefrontIds, waitSeconds: 0, debug: true };
  return done(await buyer.post('/buyer/discovery/discover-products', fields));
}

/** The session once it is complete, or once it is as a test wants it. */
export async function browse(
  buyer: Client,
  discoveryId: string,
  isEnough?: (snapshot: Snapshot) => boolean,
): Promise<Snapshot> {
  // The service waits for the last seller only; who wants to see an earlier state has to look again.
  const waitSeconds = isEnough === undefined ? 5 : 0;
  const path = `/buyer/discovery/${discoveryId}/browse-products?waitSeconds=${waitSeconds}&debug=true&productsPerGroup=15`;
  return lookUntil(
    async (): Promise<Snapshot> => done(await buyer.get(path)),
    (snapshot) => snapshot.resultsComplete || isEnough?.(snapshot) === true,
  );
}

/** Asks these storefronts and waits until every one has landed. */
export async function discover(
  buyer: Client,
  advertiserId: string,
  storefrontIds: readonly string[],
): Promise<Snapshot> {
  const { discoveryId } = await beginDiscovery(buyer, advertiserId, storefrontIds);
  return browse(buyer, discoveryId);
}

export function productIdsIn({ productGroups }: Snapshot): string[] {
  return productGroups.flatMap(({ products }) => products.map(({ productId }) => productId));
}

/** A draft campaign that is to buy one product of one storefront. */
export async function draftOf(
  buyer: Client,
  wanted: {
    readonly advertiserId: string;
    readonly storefrontId: string;
    readonly agentId: string;
    readonly productId: string;
    readonly budget?: number;
    /** Another one where the service goes by the time of this machine. */
    readonly flight?: typeof flightDates;
    /** What the campaign has; what the product gets, unless told otherwise. */
    readonly total?: number;
    readonly bidPrice?: number;
  },
): Promise<string> {
  const { advertiserId, storefrontId, agentId, productId, bidPrice } = wanted;
  const { budget = 100, total = budget, flight = flightDates } = wanted;
  const { discoveryId } = await discover(buyer, advertiserId, [storefrontId]);
  const products = [{ productId, salesAgentId: agentId, budget, bidPrice }];
  done(await buyer.post(`/buyer/discovery/${discoveryId}/products`, { products }));
  const campaign = { advertiserId, name: 'Winter', flightDates: flight, budget: { total }, discoveryId };
  return done(await buyer.post('/buyer/campaigns', campaign)).campaign.campaignId;
}
