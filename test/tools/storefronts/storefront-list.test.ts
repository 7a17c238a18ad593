import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keysAllowed, keysRefused, strangers } from '../../support/access.ts';
import { pathsOf, refusalOf } from '../../support/answers.ts';
import { done } from '../../support/market.ts';
import { newPerson, type Person } from '../../support/people.ts';
import { newShelf, newStorefront } from '../../support/selling.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

const PATH = '/buyer/storefronts';

describe('storefront_list', () => {
  let server: TestServer;
  let buyer: Person;
  beforeAll(async () => {
    server = await startTestServer({ own: true });
    buyer = await newPerson(server, { roles: ['BUYER'] });
    await sell('Configuring 100%', { channels: ['display', 'audio'] });
    await sell('Open Ärzteblatt', {
      publisherDomain: 'open.example',
      channels: ['audio'],
      transacting: true,
    });
    await sell('Paused', { transacting: true, isPaused: true });
    const { organizationId } = await sell('Archived', {});
    await server.store.db
      .updateTable('storefronts')
      .set({ archived_at: '2026-12-01T09:00:00.000Z' })
      .where('organization_id', '=', organizationId)
      .execute();
  });
  afterAll(() => server.stop());

  /** A storefront with one source that can be asked and one that cannot. */
  async function sell(name: string, change: object): Promise<Person> {
    const seller = await newPerson(server);
    await newStorefront(seller, { name, defaultCurrency: 'USD' });
    await newShelf(seller);
    await newShelf(seller, 'cellar');
    done(await seller.put('/storefront/inventory-sources/cellar', { status: 'DISABLED' }));
    done(await seller.put('/storefront', change));
    return seller;
  }

  async function namesIn(query: string): Promise<string[]> {
    return done(await buyer.get(`${PATH}${query}`)).items.map(({ name }: { name: string }) => name);
  }

  describe('200', () => {
    test('gives the storefronts of every seller but the archived, oldest first', async () => {
      const { status, body } = await buyer.get(PATH);

      expect(status).toBe(200);
      expect(body).toMatchObject({
        data: { total: 3, hasMore: false, nextOffset: null },
        error: null,
        meta: { pagination: { skip: 0, take: 20, total: 3, hasMore: false } },
      });
      expect(await namesIn('')).toEqual(['Configuring 100%', 'Open Ärzteblatt', 'Paused']);
      expect(body.data.items[1]).toEqual({
        id: expect.any(Number),
        platformId: expect.stringMatching(/^open-a-?rzteblatt-/),
        name: 'Open Ärzteblatt',
        publisherDomain: 'open.example',
        description: null,
        website: null,
        displayStatus: 'transacting',
        channels: ['audio'],
        acceptedCountries: null,
        acceptsAllCountries: false,
        sourceCount: 2,
        connectedSourceCount: 1,
      });
    });

    test.each([
      ['?status=configuring', ['Configuring 100%']],
      ['?status=transacting', ['Open Ärzteblatt']],
      ['?status=paused', ['Paused']],
      ['?status=archived', ['Archived']],
      ['?name=OPEN', ['Open Ärzteblatt']],
      ['?name=Ärzte', ['Open Ärzteblatt']],
      ['?name=%25', ['Configuring 100%']],
      ['?name=_', []],
      ['?channel=audio', ['Configuring 100%', 'Open Ärzteblatt']],
      ['?channel=display', ['Configuring 100%']],
      ['?publisherDomain=Open.Example', ['Open Ärzteblatt']],
      ['?publisherDomain=pen.example', []],
      ['?channel=audio&status=transacting', ['Open Ärzteblatt']],
    ])('narrows with %s', async (query, names) => {
      expect(await namesIn(query)).toEqual(names);
    });

    test.each(['take=2&skip=1', 'limit=2&offset=1', 'take=2&offset=1'])('pages with %s', async (query) => {
      const { body } = await buyer.get(`${PATH}?${query}`);

      expect(body.data.items.map(({ name }: { name: string }) => name)).toEqual([
        'Open Ärzteblatt',
        'Paused',
      ]);
      expect(body.data).toMatchObject({ total: 3, hasMore: false, nextOffset: null });
      expect(body.meta.pagination).toEqual({ skip: 1, take: 2, total: 3, hasMore: false });
    });

    test('says where the next page begins', async () => {
      const { body } = await buyer.get(`${PATH}?take=2`);

      expect(body.data).toMatchObject({ total: 3, hasMore: true, nextOffset: 2 });
      expect(body.meta.pagination).toEqual({ skip: 0, take: 2, total: 3, hasMore: true });
    });

    test.each(keysAllowed('buyer:read'))('takes a key with $key', async ({ held }) => {
      const key = await buyer.withKey(held);

      expect((await key.get(PATH)).status).toBe(200);
    });

    test('goes on before the terms are accepted, for it changes nothing', async () => {
      const hasty = await newPerson(server, { terms: false });

      expect((await hasty.get(PATH)).body.data.total).toBe(3);
    });
  });

  describe('400', () => {
    test('VALIDATION_ERROR names every problem with its path', async () => {
      const reply = await buyer.get(`${PATH}?status=open&channel=radio&take=101&skip=-1&colour=red`);

      expect(refusalOf(reply)).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
      expect(pathsOf(reply)).toEqual(['channel', 'colour', 'skip', 'status', 'take']);
    });

    test('VALIDATION_ERROR states the cap, under the name that was used', async () => {
      const { body } = await buyer.get(`${PATH}?limit=101`);

      expect(body.error).toMatchObject({ field: 'limit', message: expect.stringContaining('100') });
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
