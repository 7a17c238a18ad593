import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inAnotherAccount } from '../../support/buying/access.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { done } from '../../support/sellers/market.ts';
import { newSeller } from '../../support/sellers/selling.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const PATH = '/storefront';

describe('storefront_record_get', () => {
  let server: TestServer;
  let seller: Person;
  beforeAll(async () => {
    server = await startTestServer();
    seller = await newSeller(server);
  });
  afterAll(() => server.stop());

  describe('200', () => {
    test('gives the storefront of the account, as the last change gave it', async () => {
      const record = done(
        await seller.put(PATH, {
          description: 'News by the sea.',
          website: 'https://harbour.example',
          channels: ['display', 'audio'],
          isPaused: true,
        }),
      );

      const { status, body } = await seller.get(PATH);

      expect(status).toBe(200);
      expect(body).toEqual({ data: record, error: null });
      expect(record).toMatchObject({
        description: 'News by the sea.',
        website: 'https://harbour.example',
        channels: ['display', 'audio'],
        displayStatus: 'paused',
      });
    });

    test('gives each account its own', async () => {
      const other = await newSeller(server);

      const [mine, theirs] = [done(await seller.get(PATH)), done(await other.get(PATH))];
      expect(mine.storefrontId).not.toBe(theirs.storefrontId);
    });
  });

  describe('404', () => {
    test('NOT_FOUND before the account has made one, though another account of the organization has', async () => {
      for (const early of [await newPerson(server), await inAnotherAccount(server, seller, 'SELLER')]) {
        expectRefusal(await early.get(PATH), 404, { code: 'NOT_FOUND', words: 'No such storefront.' });
      }
    });
  });
});
