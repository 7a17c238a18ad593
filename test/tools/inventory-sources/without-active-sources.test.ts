import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { bought, done, newAdvertiser, openStorefront } from '../../support/sellers/market.ts';
import { newSeller, newShelf } from '../../support/sellers/selling.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const SOURCES = '/storefront/inventory-sources';
const NOTHING_SOLD =
  'No inventory source of your storefront is ACTIVE: it stays open, and buyers find nothing in it and can order ' +
  'nothing. Activate one with inventory_source_update, or set isPaused with storefront_record_update.';

describe('a storefront that is left without an active source', () => {
  let server: TestServer;
  let seller: Person;
  let storefrontId: string;
  let path: string;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    seller = await newPerson(server);
    const opened = await openStorefront(seller);
    ({ storefrontId } = opened);
    path = `${SOURCES}/${opened.sourceId}`;
  });

  const disabled = async (at = path) => done(await seller.put(at, { status: 'DISABLED' }));
  const buys = async (times: number) => {
    const buyer = await newPerson(server);
    const advertiserId = await newAdvertiser(buyer);
    for (let time = 0; time < times; time += 1) {
      await bought(buyer, { advertiserId, storefrontIds: [storefrontId] });
    }
  };

  test('is told so, for as long as it is', async () => {
    const answer = await disabled();

    expect(answer).toMatchObject({ status: 'DISABLED', warnings: [NOTHING_SOLD] });
    expect(done(await seller.get(path))).toEqual(answer);
    const again = done(await seller.put(path, { status: 'ACTIVE' }));
    expect(again).not.toHaveProperty('warnings');
    expect(done(await seller.get(path))).not.toHaveProperty('warnings');
  });

  test('is told how much goes on that was bought through it', async () => {
    await buys(1);
    expect((await disabled()).warnings).toEqual([
      NOTHING_SOLD,
      '1 media buy of this source goes on as before: its agent is asked about it, and told of every change, until it has ended.',
    ]);

    done(await seller.put(path, { status: 'ACTIVE' }));
    await buys(1);
    expect((await disabled()).warnings).toEqual([
      NOTHING_SOLD,
      '2 media buys of this source go on as before: its agent is asked about them, and told of every change, until they have ended.',
    ]);
  });

  test('is told of what goes on alone where another source is active', async () => {
    await newShelf(seller, 'other');
    expect(await disabled()).not.toHaveProperty('warnings');

    done(await seller.put(path, { status: 'ACTIVE' }));
    await buys(1);
    expect((await disabled()).warnings).toEqual([expect.stringContaining('1 media buy of this source')]);
  });

  test('is told so by the deletion of the last one, and of another one nothing', async () => {
    await newShelf(seller, 'other');
    expect((await seller.delete(`${SOURCES}/other`)).status).toBe(204);

    const last = await seller.delete(path);

    expect(last.status).toBe(200);
    expect(last.body.data).toMatchObject({ success: true, warnings: [NOTHING_SOLD] });
  });

  test('is told nothing of it while it is paused', async () => {
    done(await seller.put('/storefront', { isPaused: true }));

    expect(await disabled()).not.toHaveProperty('warnings');
  });

  test('is told nothing of it before it was opened', async () => {
    seller = await newSeller(server);
    const shelf = `${SOURCES}/${await newShelf(seller)}`;

    expect(await disabled(shelf)).not.toHaveProperty('warnings');
    done(await seller.put(shelf, { status: 'ACTIVE' }));
    expect((await seller.delete(shelf)).status).toBe(204);
  });
});
