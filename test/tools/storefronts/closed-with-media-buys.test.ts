import { afterAll, beforeAll, expect, test } from 'vitest';
import { newPerson } from '../../support/callers/people.ts';
import { bought, done, newAdvertiser, openStorefront } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

test('a storefront that closes is told how many media buys go on, and one without any nothing', async () => {
  const seller = await newPerson(server);
  const { storefrontId } = await openStorefront(seller);
  const pause = async (isPaused: boolean) => done(await seller.put('/storefront', { isPaused }));
  expect(await pause(true)).not.toHaveProperty('warnings');
  expect(await pause(false)).not.toHaveProperty('warnings');
  const buyer = await newPerson(server);
  const advertiserId = await newAdvertiser(buyer);
  await bought(buyer, { advertiserId, storefrontIds: [storefrontId] });

  const said = [
    'Your storefront is closed to new orders. 1 media buy of it goes on as before: your sources are asked about it, and told of every change, until it has ended.',
  ];
  expect(await pause(true)).toMatchObject({ isPaused: true, warnings: said });
  expect(await pause(false)).not.toHaveProperty('warnings');
  expect(done(await seller.put('/storefront', { transacting: false }))).toMatchObject({ warnings: said });
});
