import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { grantedOnly } from '../../support/buying/access.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { done, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

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
    test('gives the active advertisers of the account, oldest first, as advertiser_get gives them but for default tags', async () => {
      const { status, body } = await buyer.get(PATH);

      expect(status).toBe(200);
      expect(body).toEqual({
        data: { items: expect.any(Array), total: 4, hasMore: false, nextOffset: null },
        error: null,
        meta: { pagination: { skip: 0, take: 100, total: 4, hasMore: false } },
      });
      expect(await namesIn('')).toEqual(['Acme Shoes', 'Öl & 50% Essig', 'acme hats', 'Play']);
      for (const item of body.data.items) {
        const { body: one } = await buyer.get(`${PATH}/${item.id}`);
        const { linkedBrand, utmConfig: _defaults, ...fields } = one.data;
        expect(item).toEqual({ ...fields, linkedAccountCount: 0 });
        expect(linkedBrand.domain).toBe('acme.example');
      }
    });

    test('shows with includeBrand the brand of each', async () => {
      const { items } = done(await buyer.get(`${PATH}?includeBrand=true`));

      for (const item of items) {
        const { body: one } = await buyer.get(`${PATH}/${item.id}`);
        const { utmConfig: _defaults, ...fields } = one.data;
        expect(item).toEqual({ ...fields, linkedAccountCount: 0 });
      }
      expect(done(await buyer.get(`${PATH}?includeBrand=true&name=nobody`)).items).toEqual([]);
    });

    test('says how many of a name are left out because of where they stand, and nothing of that elsewhere', async () => {
      const guidance = async (query: string) => done(await buyer.get(`${PATH}${query}`)).guidance;

      expect(await guidance('?name=retir')).toBe(
        '1 advertiser of that name is left out, which is ARCHIVED: status ALL lists all.',
      );
      expect(await guidance('?name=Acme&status=ARCHIVED')).toBe(
        '2 advertisers of that name are left out, which are ACTIVE: status ALL lists all.',
      );
      expect(await guidance('?name=e&take=1')).toBeUndefined();
      expect(await guidance('?name=retir&skip=1')).toBeUndefined();
      expect(await guidance('?name=retir&sandbox=true')).toBeUndefined();
      expect(await guidance('?name=retir&status=ALL')).toBeUndefined();
      expect(await guidance('?name=nobody')).toBeUndefined();
      expect(await guidance('')).toBeUndefined();
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

    test('holds for a key with grants the advertisers they reach, and counts no others', async () => {
      const [, second] = done(await buyer.get(PATH)).items;
      const granted = await grantedOnly(server, buyer, second.id);

      const { body } = await granted.get(PATH);

      expect(body.data).toEqual({ items: [second], total: 1, hasMore: false, nextOffset: null });
    });
  });
});
