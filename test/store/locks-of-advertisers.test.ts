import { afterAll, beforeAll, expect, test } from 'vitest';
import { newPerson, type Person } from '../support/callers/people.ts';
import { engine } from '../support/database/database.ts';
import { ScopeGuard } from '../support/database/scope-guard.ts';
import {
  done,
  flightDates,
  newAdvertiser,
  openStorefront,
  productFields,
} from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

let server: TestServer;
let buyer: Person;
let storefrontId: string;
const ran: string[] = [];
beforeAll(async () => {
  server = await startTestServer({
    store: { plugins: [new ScopeGuard()], log: ({ query }) => ran.push(query.sql) },
  });
  buyer = await newPerson(server);
  ({ storefrontId } = await openStorefront(await newPerson(server), { products: [productFields()] }));
});
afterAll(() => server.stop());

/** How advertisers are held meanwhile, in order: on SQLite nothing is held by the row. */
async function holdsDuring(work: () => Promise<unknown>): Promise<string[]> {
  ran.length = 0;
  await work();
  return ran.flatMap((sql) => /from "advertisers".* for (share|no key update)$/.exec(sql)?.[1] ?? []);
}

async function bought(advertiserId: string): Promise<void> {
  const { products, ext } = done(
    await buyer.post('/buyer/products/query', {
      ...{ buying_mode: 'brief', brief: 'Mornings' },
      ext: { interchange: { advertiser_id: advertiserId, storefront_ids: [storefrontId], wait_seconds: 30 } },
    }),
  );
  const made = await buyer.post('/buyer/media-buys/batch', {
    campaign: { create: { advertiserId, name: 'Together', budget: { total: 100 }, flightDates } },
    ...{ productQueryId: ext.interchange.execution_id, mode: 'execute' },
    selections: [{ kind: 'product', productId: products[0].product_id, budget: 100 }],
  });
  expect(done(made)).toMatchObject({ success: true, mediaBuysExecuted: 1 });
}

test('an advertiser whose currency is fixed with its first campaign is held alone from the beginning, and side by side afterwards', async () => {
  const advertiserId = await newAdvertiser(buyer);

  const first = await holdsDuring(() => bought(advertiserId));
  const second = await holdsDuring(() => bought(advertiserId));

  const locks = engine === 'postgres';
  expect(new Set(first)).toEqual(new Set(locks ? ['no key update'] : []));
  expect(new Set(second)).toEqual(new Set(locks ? ['share'] : []));
});
