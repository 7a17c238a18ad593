import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { done } from '../../support/sellers/market.ts';
import { newShelf, newStorefront } from '../../support/sellers/selling.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const PATH = '/buyer/storefronts';
const inCountry = (country: string) => ({ acceptedCountries: [country], acceptsAllCountries: false });

describe('storefront_list', () => {
  let server: TestServer;
  let buyer: Person;
  beforeAll(async () => {
    server = await startTestServer({ own: true });
    buyer = await newPerson(server, { roles: ['BUYER'] });
    await sell('Configuring 100%', { channels: ['display', 'audio'], ...inCountry('DE') });
    await sell('Open Ärzteblatt', {
      publisherDomain: 'open.example',
      channels: ['audio'],
      transacting: true,
      ...inCountry('US'),
    });
    await sell('Paused', { transacting: true, isPaused: true, acceptsAllCountries: true });
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
        brandName: null,
        logoUrl: null,
        logoBackground: null,
        brandColors: null,
        adapterProviderType: null,
        adapterSourceKind: null,
        creativeCapabilities: null,
        adapterConnection: null,
        supportedRoutingTypes: ['DECISIONED'],
        supportedBilling: ['operator'],
        description: null,
        website: null,
        displayStatus: 'transacting',
        channels: ['audio'],
        acceptedCountries: ['US'],
        acceptsAllCountries: false,
        regions: ['US'],
        readiness: { canTransact: true, effectiveStatus: 'live', blockerIds: [] },
        discoveryCard: expect.objectContaining({ displayName: 'Open Ärzteblatt', channels: ['audio'] }),
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
      ['?publisherDomain=open', ['Open Ärzteblatt']],
      ['?publisherDomain=https://example/', ['Open Ärzteblatt']],
      ['?region=DE', ['Configuring 100%', 'Paused']],
      ['?region=US', ['Open Ärzteblatt', 'Paused']],
      ['?region=FR', ['Paused']],
      ['?region=%25', ['Paused']],
      ['?visibility=private', []],
      ['?visibility=public&status=transacting', ['Open Ärzteblatt']],
      ['?status=neutral', []],
      ['?limit=1&offset=1', ['Open Ärzteblatt']],
      ['?channel=audio&status=transacting', ['Open Ärzteblatt']],
    ])('narrows with %s', async (query, names) => {
      expect(await namesIn(query)).toEqual(names);
    });
  });
});
