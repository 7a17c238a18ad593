import { newPerson, type Person } from '../callers/people.ts';
import { takesChanges } from '../sellers/changing-seller.ts';
import type { FarSeller } from '../sellers/far-seller.ts';
import { done, draftCampaign, newAdvertiser } from '../sellers/market.ts';
import type { TestServer } from '../server/server.ts';

const first = { label: 'first', start: '2026-12-10', end: '2026-12-12', budget: 100 };
const last = { label: 'last', start: '2026-12-20', end: '2026-12-22', budget: 200 };
const pacingPeriods = { mode: 'budget', periods: [first, last] };

export interface PeriodsDraft {
  readonly buyer: Person;
  readonly campaignId: string;
  readonly discoveryId: string;
  /** What was found of both sellers. */
  readonly products: readonly { readonly productId: string; readonly salesAgentId: string }[];
}

/** A draft of 500 with periods of 100 and 200, of which 150 are chosen of the first of two sellers: 50 and 100. */
export async function draftOfPeriods(
  server: TestServer,
  [chosen, other]: readonly [FarSeller, FarSeller],
): Promise<PeriodsDraft> {
  for (const one of [chosen, other]) takesChanges(one);
  const buyer = await newPerson(server);
  const { campaignId, discoveryId, products } = await draftCampaign(buyer, {
    ...{ advertiserId: await newAdvertiser(buyer), budget: 500, each: 150 },
    storefrontIds: [chosen.storefrontId, other.storefrontId],
    campaign: { pacingPeriods },
  });
  const productIds = productsOf(products, other).map(({ productId }) => productId);
  done(await buyer.delete(`/buyer/discovery/${discoveryId}/products`, { productIds }));
  return { buyer, campaignId, discoveryId, products };
}

/** Those of a seller. */
export function productsOf(products: PeriodsDraft['products'], seller: FarSeller): PeriodsDraft['products'] {
  return products.filter(({ salesAgentId }) => salesAgentId === seller.agentId);
}
