import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { grantedOnly, inAnotherAccount, keysAllowed, keysRefused, strangers } from '../../support/access.ts';
import { pathsOf, refusalOf } from '../../support/answers.ts';
import { newAdvertiser } from '../../support/market.ts';
import { newPerson, type Person } from '../../support/people.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

const ADVERTISERS = '/buyer/advertisers';

describe('advertiser_get', () => {
  let server: TestServer;
  let buyer: Person;
  let id: string;
  let path: string;
  beforeAll(async () => {
    server = await startTestServer();
    buyer = await newPerson(server);
    id = await newAdvertiser(buyer, { description: 'Shoes for everybody.', sandbox: true });
    path = `${ADVERTISERS}/${id}`;
  });
  afterAll(() => server.stop());

  describe('200', () => {
    test('gives the advertiser', async () => {
      const { status, body } = await buyer.get(path);

      expect(status).toBe(200);
      expect(body).toEqual({
        data: {
          id,
          name: 'Acme',
          description: 'Shoes for everybody.',
          brand: 'acme.example',
          status: 'ACTIVE',
          sandbox: true,
          primaryCurrency: 'USD',
          currencyLocked: false,
          optimizationApplyMode: 'MANUAL',
          createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          updatedAt: body.data.createdAt,
        },
        error: null,
      });
    });

    test('leaves a description out that nobody gave', async () => {
      const { body } = await buyer.get(`${ADVERTISERS}/${await newAdvertiser(buyer)}`);

      expect(body.data).not.toHaveProperty('description');
    });

    test('gives an archived advertiser, too', async () => {
      const archived = `${ADVERTISERS}/${await newAdvertiser(buyer)}`;
      await buyer.put(archived, { status: 'ARCHIVED' });

      expect((await buyer.get(archived)).body.data.status).toBe('ARCHIVED');
    });

    test('gives a key with grants the advertiser they reach', async () => {
      const granted = await grantedOnly(server, buyer, id);

      expect((await granted.get(path)).status).toBe(200);
    });

    test.each(keysAllowed('buyer:read'))('takes a key with $key', async ({ held }) => {
      const key = await buyer.withKey(held);

      expect((await key.get(path)).status).toBe(200);
    });
  });

  describe('400', () => {
    test.each(['acme', '0', '-1', '1.5', '9007199254740992'])(
      'VALIDATION_ERROR for the id %s',
      async (wrong) => {
        const reply = await buyer.get(`${ADVERTISERS}/${wrong}`);

        expect(refusalOf(reply)).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
        expect(reply.body.error.field).toBe('advertiserId');
      },
    );

    test('VALIDATION_ERROR names every problem with its path', async () => {
      expect(pathsOf(await buyer.get(`${ADVERTISERS}/acme?colour=red`))).toEqual(['advertiserId', 'colour']);
    });
  });

  describe('401', () => {
    test.each(strangers)('UNAUTHORIZED for $who', async ({ of }) => {
      expect(refusalOf(await of(server).get(path))).toEqual({ status: 401, code: 'UNAUTHORIZED' });
    });
  });

  describe('403', () => {
    test.each(keysRefused('buyer:read'))('FORBIDDEN for a key with $key', async ({ held }) => {
      const key = await buyer.withKey(held);

      expect(refusalOf(await key.get(path))).toEqual({ status: 403, code: 'FORBIDDEN' });
    });

    test('ACCESS_DENIED for another account of the organization', async () => {
      const other = await inAnotherAccount(server, buyer, 'BUYER');

      expect(refusalOf(await other.get(path))).toEqual({ status: 403, code: 'ACCESS_DENIED' });
    });

    test('ACCESS_DENIED for a key whose grants reach another advertiser of the account', async () => {
      const granted = await grantedOnly(server, buyer, await newAdvertiser(buyer));

      expect(refusalOf(await granted.get(path))).toEqual({ status: 403, code: 'ACCESS_DENIED' });
    });
  });

  describe('404', () => {
    test('NOT_FOUND in the same words for a stranger’s advertiser and for one nobody has', async () => {
      const stranger = await newPerson(server);

      const foreign = await stranger.get(path);

      expect(refusalOf(foreign)).toEqual({ status: 404, code: 'NOT_FOUND' });
      for (const unknown of [999_999, Number.MAX_SAFE_INTEGER]) {
        expect((await stranger.get(`${ADVERTISERS}/${unknown}`)).body).toEqual(foreign.body);
      }
    });
  });
});
