import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { grantedOnly, inAnotherAccount, keysAllowed, keysRefused, strangers } from '../../support/access.ts';
import { pathsOf, refusalOf } from '../../support/answers.ts';
import { done, newAdvertiser } from '../../support/market.ts';
import { newPerson, type Person } from '../../support/people.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

const PATH = '/buyer/advertisers';

describe('advertiser_list', () => {
  let server: TestServer;
  let buyer: Person;
  beforeAll(async () => {
    server = await startTestServer();
    buyer = await newPerson(server);
    for (const name of ['Acme Shoes', 'Öl & 50% Essig', 'acme hats']) await newAdvertiser(buyer, { name });
    await newAdvertiser(buyer, { name: 'Play', sandbox: true });
    const retired = await newAdvertiser(buyer, { name: 'Retired' });
    done(await buyer.put(`${PATH}/${retired}`, { status: 'ARCHIVED' }));
  });
  afterAll(() => server.stop());

  async function namesIn(query: string, reader = buyer): Promise<string[]> {
    return done(await reader.get(`${PATH}${query}`)).items.map(({ name }: { name: string }) => name);
  }

  describe('200', () => {
    test('gives the active advertisers of the account, oldest first, as advertiser_get gives them', async () => {
      const { status, body } = await buyer.get(PATH);

      expect(status).toBe(200);
      expect(body).toEqual({
        data: { items: expect.any(Array), total: 4, hasMore: false, nextOffset: null },
        error: null,
        meta: { pagination: { skip: 0, take: 100, total: 4, hasMore: false } },
      });
      expect(await namesIn('')).toEqual(['Acme Shoes', 'Öl & 50% Essig', 'acme hats', 'Play']);
      for (const item of body.data.items) {
        expect((await buyer.get(`${PATH}/${item.id}`)).body.data).toEqual(item);
      }
    });

    test.each([
      ['?status=ARCHIVED', ['Retired']],
      ['?status=ACTIVE&sandbox=true', ['Play']],
      ['?status=ALL&name=re', ['Retired']],
      ['?sandbox=false', ['Acme Shoes', 'Öl & 50% Essig', 'acme hats']],
      ['?name=ACME', ['Acme Shoes', 'acme hats']],
      ['?name=Öl', ['Öl & 50% Essig']],
      ['?name=%25', ['Öl & 50% Essig']],
      ['?name=_', []],
    ])('narrows with %s', async (query, names) => {
      expect(await namesIn(query)).toEqual(names);
    });

    test.each(['take=2&skip=1', 'limit=2&offset=1'])('pages with %s', async (query) => {
      const { body } = await buyer.get(`${PATH}?${query}`);

      expect(body.data.items.map(({ name }: { name: string }) => name)).toEqual([
        'Öl & 50% Essig',
        'acme hats',
      ]);
      expect(body.data).toMatchObject({ total: 4, hasMore: true, nextOffset: 3 });
      expect(body.meta.pagination).toEqual({ skip: 1, take: 2, total: 4, hasMore: true });
    });

    test('is an empty page behind the last', async () => {
      const { body } = await buyer.get(`${PATH}?skip=4`);

      expect(body.data).toEqual({ items: [], total: 4, hasMore: false, nextOffset: null });
    });

    test('holds nothing of other organizations, nor of other accounts of the same one', async () => {
      for (const other of [await newPerson(server), await inAnotherAccount(server, buyer, 'BUYER')]) {
        expect((await other.get(`${PATH}?status=ALL`)).body.data).toMatchObject({ items: [], total: 0 });
      }
    });

    test('holds for a key with grants the advertisers they reach, and counts no others', async () => {
      const [, second] = done(await buyer.get(PATH)).items;
      const granted = await grantedOnly(server, buyer, second.id);

      const { body } = await granted.get(PATH);

      expect(body.data).toEqual({ items: [second], total: 1, hasMore: false, nextOffset: null });
    });

    test.each(keysAllowed('buyer:read'))('takes a key with $key', async ({ held }) => {
      expect(await namesIn('', await buyer.withKey(held))).toHaveLength(4);
    });

    test('goes on before the terms are accepted, for it changes nothing', async () => {
      const hasty = await newPerson(server, { terms: false });

      expect(await namesIn('', hasty)).toEqual([]);
    });
  });

  describe('400', () => {
    test('VALIDATION_ERROR names every problem with its path', async () => {
      const reply = await buyer.get(`${PATH}?status=GONE&sandbox=yes&take=0&skip=-1&colour=red`);

      expect(refusalOf(reply)).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
      expect(pathsOf(reply)).toEqual(['colour', 'sandbox', 'skip', 'status', 'take']);
    });

    test.each(['take', 'limit'])('VALIDATION_ERROR states the cap of %s', async (name) => {
      const { body } = await buyer.get(`${PATH}?${name}=101`);

      expect(body.error).toMatchObject({ field: name, message: expect.stringContaining('100') });
    });

    test('VALIDATION_ERROR for one field under two names with two values', async () => {
      const reply = await buyer.get(`${PATH}?take=2&limit=3`);

      expect(refusalOf(reply)).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
      expect(pathsOf(reply)).toEqual(['limit']);
    });
  });

  describe('401', () => {
    test.each(strangers)('UNAUTHORIZED for $who', async ({ of }) => {
      expect(refusalOf(await of(server).get(PATH))).toEqual({ status: 401, code: 'UNAUTHORIZED' });
    });
  });

  describe('403', () => {
    test.each(keysRefused('buyer:read'))('FORBIDDEN for a key with $key', async ({ held }) => {
      const key = await buyer.withKey(held);

      expect(refusalOf(await key.get(PATH))).toEqual({ status: 403, code: 'FORBIDDEN' });
    });

    test('FORBIDDEN for an organization that does not buy', async () => {
      const seller = await newPerson(server, { roles: ['SELLER'] });

      expect(refusalOf(await seller.get(PATH))).toEqual({ status: 403, code: 'FORBIDDEN' });
    });
  });
});
