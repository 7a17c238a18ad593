import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inAnotherAccount, keysAllowed, keysRefused, strangers } from '../../support/access.ts';
import { pathsOf, refusalOf } from '../../support/answers.ts';
import { done } from '../../support/market.ts';
import { newPerson, type Person } from '../../support/people.ts';
import { newSeller } from '../../support/selling.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

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

    test.each(keysAllowed('buyer:read'))('takes a key with $key', async ({ held }) => {
      const key = await seller.withKey(held);

      expect((await key.get(PATH)).status).toBe(200);
    });
  });

  describe('400', () => {
    test('VALIDATION_ERROR for parameters it does not know', async () => {
      const reply = await seller.get(`${PATH}?storefrontId=1&colour=red`);

      expect(refusalOf(reply)).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
      expect(pathsOf(reply)).toEqual(['colour', 'storefrontId']);
    });
  });

  describe('401', () => {
    test.each(strangers)('UNAUTHORIZED for $who', async ({ of }) => {
      expect(refusalOf(await of(server).get(PATH))).toEqual({ status: 401, code: 'UNAUTHORIZED' });
    });
  });

  describe('403', () => {
    test.each(keysRefused('buyer:read'))('FORBIDDEN for a key with $key', async ({ held }) => {
      const key = await seller.withKey(held);

      expect(refusalOf(await key.get(PATH))).toEqual({ status: 403, code: 'FORBIDDEN' });
    });

    test('FORBIDDEN for an organization that does not sell', async () => {
      const buyer = await newPerson(server, { roles: ['BUYER'] });

      expect(refusalOf(await buyer.get(PATH))).toEqual({ status: 403, code: 'FORBIDDEN' });
    });
  });

  describe('404', () => {
    test('NOT_FOUND before the account has made one, though another account of the organization has', async () => {
      for (const early of [await newPerson(server), await inAnotherAccount(server, seller, 'SELLER')]) {
        expect(refusalOf(await early.get(PATH))).toEqual({ status: 404, code: 'NOT_FOUND' });
      }
    });
  });
});
