import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { inAnotherAccount } from '../../support/buying/access.ts';
import { auditOf } from '../../support/callers/answers.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { done } from '../../support/sellers/market.ts';
import { newSeller, newShelf } from '../../support/sellers/selling.ts';
import { writesBetween } from '../../support/server/between.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const PATH = '/storefront';

describe('storefront_record_update', () => {
  const between = writesBetween('storefront_record_update');
  let server: TestServer;
  let seller: Person;
  beforeAll(async () => {
    server = await startTestServer({ families: between.families });
  });
  beforeEach(async () => {
    seller = await newSeller(server);
  });
  afterAll(() => server.stop());

  async function makeReady(): Promise<void> {
    await newShelf(seller);
    done(await seller.put(PATH, { defaultCurrency: 'USD' }));
  }

  describe('200', () => {
    test('changes what is given and leaves the rest', async () => {
      const before = done(await seller.get(PATH));
      const change = {
        name: 'Harbour News',
        publisherDomain: 'harbour.example',
        operatorDomain: 'operator.example',
        description: 'News by the sea.',
        website: 'https://harbour.example/',
        channels: ['display', 'dooh'],
        acceptedCountries: ['DE'],
        defaultCurrency: 'EUR',
      };

      const { status, body } = await seller.put(PATH, change);

      expect(status).toBe(200);
      const derived = {
        regions: ['DE'],
        advertisedCountries: ['DE'],
        advertisedChannels: change.channels,
        discoveryCard: {
          ...before.discoveryCard,
          displayName: change.name,
          description: change.description,
          website: change.website,
          channels: change.channels,
          countries: ['DE'],
          coverageDeclarations: [
            { channels: change.channels, countries: ['DE'], acceptsAllCountries: before.acceptsAllCountries },
          ],
          coverage: { channels: 'declared', countries: 'declared' },
          provenance: {
            identity: {
              ...before.discoveryCard.provenance.identity,
              description: 'operator',
              website: 'operator',
            },
            coverage: { channels: 'operator', countries: 'operator' },
            advertisingPolicies: 'unknown',
          },
        },
      };
      expect(body.data).toEqual({
        ...before,
        ...change,
        ...derived,
        revision: before.revision + 1,
        updatedAt: expect.any(String),
      });
      const { body: renamed } = await seller.put(PATH, { name: 'Again' });
      expect(renamed.data).toEqual({
        ...body.data,
        name: 'Again',
        discoveryCard: { ...body.data.discoveryCard, displayName: 'Again' },
        revision: before.revision + 2,
        updatedAt: expect.any(String),
      });
      expect((await seller.get(PATH)).body).toEqual(renamed);
    });

    test('names no countries any more where they are null, as by one that sells everywhere', async () => {
      done(await seller.put(PATH, { acceptedCountries: ['DE'], acceptsAllCountries: false }));

      const { body } = await seller.put(PATH, { acceptedCountries: null, acceptsAllCountries: true });

      expect(body.data).toMatchObject({ acceptedCountries: null, acceptsAllCountries: true });
      expect(body.data.discoveryCard).toMatchObject({ countries: [], acceptsAllCountries: true });
      expect(done(await seller.get(PATH)).acceptedCountries).toBeNull();
    });

    test('names none of its countries while it sells everywhere, and the same again once it does not', async () => {
      done(await seller.put(PATH, { acceptedCountries: ['DE'], acceptsAllCountries: false }));

      const { body } = await seller.put(PATH, { acceptsAllCountries: true });

      const sells = { channels: body.data.channels, countries: [], acceptsAllCountries: true };
      expect(body.data).toMatchObject({ acceptedCountries: null, regions: [], advertisedCountries: [] });
      expect(body.data.discoveryCard).toMatchObject({ countries: [], coverageDeclarations: [sells] });
      const { body: again } = await seller.put(PATH, { acceptsAllCountries: false });
      expect(again.data).toMatchObject({ acceptedCountries: ['DE'], regions: ['DE'] });
    });

    test('opens for business once everything needed is there, pauses, goes on and closes', async () => {
      await makeReady();

      const shown = async (change: object) => done(await seller.put(PATH, change)).displayStatus;
      expect(await shown({ transacting: true })).toBe('transacting');
      expect(await shown({ isPaused: true })).toBe('paused');
      expect(await shown({ isPaused: false })).toBe('transacting');
      expect(await shown({ transacting: false })).toBe('configuring');
    });

    test('sets the currency and opens in one call', async () => {
      await newShelf(seller);

      const { body } = await seller.put(PATH, { defaultCurrency: 'USD', transacting: true });

      expect(body.data).toMatchObject({ defaultCurrency: 'USD', transacting: true });
    });

    test('is in the audit log, field by field', async () => {
      const { name } = done(await seller.get(PATH));
      const { storefrontId } = done(await seller.put(PATH, { name: 'Harbour News', channels: ['ctv'] }));

      const [entry] = await auditOf(server, seller, 'storefront_record_update');
      expect(entry).toMatchObject({
        action: 'UPDATE',
        outcome: 'succeeded',
        resource_type: 'STOREFRONT',
        resource_id: storefrontId,
        resource_name: 'Harbour News',
      });
      expect(JSON.parse(entry?.changes ?? '')).toEqual({
        name: { from: name, to: 'Harbour News' },
        channels: { from: [], to: ['ctv'] },
      });
    });
  });

  describe('404', () => {
    test('NOT_FOUND before the account has made one, though another account of the organization has', async () => {
      for (const early of [await newPerson(server), await inAnotherAccount(server, seller, 'SELLER')]) {
        const reply = await early.put(PATH, { name: 'Mine' });
        expectRefusal(reply, 404, { code: 'NOT_FOUND', words: 'No such storefront.' });
      }
      expect((await seller.get(PATH)).body.data.name).not.toBe('Mine');
    });
  });

  describe('409', () => {
    const agent = { name: 'far', endpointUrl: 'https://ads.example/mcp', authenticationType: 'API_KEY' };

    test.each([
      {
        what: 'a source',
        sources: [],
        missing: ['inventory_sources', 'agent_status'],
        said: 'An inventory source is there; A source is active.',
        steps: 'Add an active inventory source with inventory_source_create.',
      },
      {
        what: 'an active source',
        sources: [agent],
        missing: ['agent_status'],
        said: 'A source is active.',
        steps:
          'Activate a source with inventory_source_update; inventory_source_list says where each stands.',
      },
    ])('CONFLICT for opening without $what, with every check', async (one) => {
      const { sources, missing, said, steps } = one;
      for (const source of sources) done(await seller.post(`${PATH}/inventory-sources`, source));

      const reply = await seller.put(PATH, { defaultCurrency: 'USD', transacting: true });

      expectRefusal(reply, 409, {
        code: 'CONFLICT',
        words: `The storefront cannot open before all of this holds: ${said}`,
        details: { suggestion: steps },
      });
      const { checks } = reply.body.error.details;
      const idsOf = (status: string) =>
        checks.flatMap((check: { id: string; status: string }) => (check.status === status ? check.id : []));
      expect(idsOf('missing')).toEqual(missing);
      expect([...idsOf('missing'), ...idsOf('complete')].sort()).toEqual([
        'agent_status',
        'currency_confirmed',
        'inventory_sources',
      ]);
    });

    test('CONFLICT for opening without a currency, and nothing of the call is kept', async () => {
      await newShelf(seller);
      const before = await seller.get(PATH);

      const reply = await seller.put(PATH, { name: 'Open', transacting: true });

      expectRefusal(reply, 409, {
        code: 'CONFLICT',
        words: 'The storefront cannot open before all of this holds: The default currency is set.',
        details: { suggestion: 'Set defaultCurrency, in the same call if you like.' },
      });
      expect((await seller.get(PATH)).body).toEqual(before.body);
      const [entry] = await auditOf(server, seller, 'storefront_record_update');
      expect(entry).toMatchObject({ outcome: 'denied', error_code: 'CONFLICT' });
    });

    test('CONFLICT when somebody else writes in the meantime, whose change stays', async () => {
      between.next(() => seller.put(PATH, { name: 'First' }));

      const reply = await seller.put(PATH, { name: 'Second', isPaused: true });

      expectRefusal(reply, 409, {
        code: 'CONFLICT',
        words: 'The storefront was changed by somebody else in the meantime.',
      });
      expect((await seller.get(PATH)).body.data).toMatchObject({ name: 'First', isPaused: false });
    });
  });

  describe('of countries beside everywhere', () => {
    test('VALIDATION_ERROR where one call says both', async () => {
      const reply = await seller.put(PATH, { acceptedCountries: ['DE'], acceptsAllCountries: true });

      expectRefusal(reply, 400, {
        code: 'VALIDATION_ERROR',
        at: {
          acceptedCountries: 'Leave it out with acceptsAllCountries true, or give acceptsAllCountries false.',
        },
      });
    });

    test('VALIDATION_ERROR where the storefront sells everywhere, and goes on to', async () => {
      const before = done(await seller.put(PATH, { acceptsAllCountries: true }));

      const reply = await seller.put(PATH, { acceptedCountries: ['DE'] });

      expectRefusal(reply, 422, {
        code: 'VALIDATION_ERROR',
        at: { acceptedCountries: 'The storefront sells everywhere.' },
        details: { suggestion: 'Give acceptsAllCountries false with it.' },
      });
      expect(done(await seller.get(PATH))).toEqual(before);
    });
  });
});
