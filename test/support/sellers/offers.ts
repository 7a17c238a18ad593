import { newPerson, type Person } from '../callers/people.ts';
import { START } from '../run/clock.ts';
import { startTestServer, type TestServer } from '../server/server.ts';
import { productAt } from './far-seller.ts';
import { connectAgent, done, newAdvertiser } from './market.ts';
import { type SellerAgent, startSellerAgent } from './seller-agent.ts';

const products = [
  productAt('news.example', 'news'),
  productAt('sport.example', 'sport'),
  productAt('other.example', 'unplanned'),
];

/** A plan for two of its three products, as a seller proposes it. */
export const plan = {
  proposal_id: 'balanced',
  name: 'Balanced',
  allocations: [
    { product_id: 'news', allocation_percentage: 60 },
    { product_id: 'sport', allocation_percentage: 40 },
  ],
};

/** A seller whose agent proposed a plan in a session of a buyer. */
export interface Planned {
  readonly seller: Person;
  readonly agent: SellerAgent;
  readonly agentId: string;
  readonly storefrontId: string;
  readonly buyer: Person;
  readonly advertiserId: string;
  readonly discoveryId: string;
}

export async function planned(server: TestServer, proposal: object = plan): Promise<Planned> {
  const agent = await startSellerAgent(products);
  const seller = await newPerson(server, { roles: ['SELLER'] });
  const { storefrontId, agentId } = await connectAgent(seller, agent.url, { name: 'Planner' });
  const buyer = await newPerson(server);
  const advertiserId = await newAdvertiser(buyer);
  agent.on('get_products', () => ({ products, proposals: [proposal] }));
  const { discoveryId } = done(
    await buyer.post('/buyer/discovery/discover-products', {
      advertiserId,
      waitSeconds: 30,
      storefrontIds: [storefrontId],
      screening: { instructions: 'No cars.' },
    }),
  );
  return { seller, agent, agentId, storefrontId, buyer, advertiserId, discoveryId };
}

/** The same on a server of its own, to which only the two of them come. */
export async function plannedAlone(): Promise<Planned & { stop(): Promise<void> }> {
  const server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
  const made = await planned(server);
  return {
    ...made,
    stop: async () => {
      await server.stop();
      await made.agent.stop();
    },
  };
}

/** What `proposal_create` takes for the plan. */
export function offerFields(
  { discoveryId }: Pick<Planned, 'discoveryId'>,
  operator: Person,
  changes: object = {},
) {
  return {
    operatorId: { customerId: operator.accounts.BUYER },
    label: 'Spring offer',
    expiresAt: new Date(START + 86_400_000).toISOString(),
    discoveryId,
    proposalId: plan.proposal_id,
    ...changes,
  };
}
