import { newPerson, type Person } from '../callers/people.ts';
import { type FarSeller, farSeller } from '../sellers/far-seller.ts';
import { bought, newAdvertiser, openStorefront } from '../sellers/market.ts';
import { startTestServer, type TestServer } from '../server/server.ts';

/** A buyer, a storefront that sells products of its own, and one that sells through an agent elsewhere. */
export interface NearAndFar {
  readonly server: TestServer;
  readonly buyer: Person;
  readonly near: { readonly storefrontId: string };
  readonly far: FarSeller;
  /** A media buy that runs, at one of the two. */
  boughtAt(seller: { readonly storefrontId: string }): Promise<string>;
  stop(): Promise<void>;
}

export async function nearAndFar(): Promise<NearAndFar> {
  const server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
  const far = await farSeller(server, 'Far');
  const near = await openStorefront(await newPerson(server));
  const buyer = await newPerson(server);
  const advertiserId = await newAdvertiser(buyer);
  return {
    server,
    buyer,
    near,
    far,
    boughtAt: ({ storefrontId }) => bought(buyer, { advertiserId, storefrontIds: [storefrontId] }),
    stop: async () => {
      await server.stop();
      await far.agent.stop();
    },
  };
}
