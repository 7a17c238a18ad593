import type { Reply } from '../callers/client.ts';
import { newPerson, type Person } from '../callers/people.ts';
import { type FarSeller, farSeller } from '../sellers/far-seller.ts';
import { flightDates, newAdvertiser } from '../sellers/market.ts';
import { startTestServer, type TestServer } from '../server/server.ts';

/** A buyer with an advertiser, and two sellers elsewhere. */
export interface AdaAndBea {
  readonly server: TestServer;
  readonly ada: FarSeller;
  readonly bea: FarSeller;
  readonly buyer: Person;
  readonly advertiserId: string;
  /** A campaign of the advertiser, of 1,000 unless told otherwise. */
  create(fields: object): Promise<Reply>;
  stop(): Promise<void>;
}

/** With what each of the two offers; one product where nothing is said. */
export async function adaAndBea(
  offers: { readonly ada?: readonly object[]; readonly bea?: readonly object[] } = {},
): Promise<AdaAndBea> {
  const server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
  const ada = await farSeller(server, 'Ada', offers.ada);
  const bea = await farSeller(server, 'Bea', offers.bea);
  const buyer = await newPerson(server);
  const advertiserId = await newAdvertiser(buyer);
  return {
    server,
    ada,
    bea,
    buyer,
    advertiserId,
    create: (fields) =>
      buyer.post('/buyer/campaigns', {
        ...{ advertiserId, name: 'Winter', flightDates, budget: { total: 1_000 } },
        ...fields,
      }),
    stop: async () => {
      await server.stop();
      await Promise.all([ada, bea].map(({ agent }) => agent.stop()));
    },
  };
}
