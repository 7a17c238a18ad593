import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forget, knownBrands, makeKnown } from '../../../tools/domain/brands/operating.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { done, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('brand_resolve', () => {
  let server: TestServer;
  let buyer: Person;
  beforeAll(async () => {
    server = await startTestServer({ own: true });
    buyer = await newPerson(server);
  });
  afterAll(() => server.stop());

  const resolve = async (domain: string) => done(await buyer.post('/buyer/brands/resolve', { domain }));
  const manifest = {
    name: 'Lamps',
    logos: [{ url: 'https://lamps.example/logo.png', background: 'dark-bg' }],
    tone: 'Warm.',
  };

  describe('200', () => {
    test('tells what a brand is that the operator registered, from a URL of its site as well', async () => {
      await makeKnown(server.operator, { domain: 'lamps.example', manifest, isRegistered: true });

      const found = await resolve('https://Lamps.example/floor');

      expect(found).toEqual({
        resolved: true,
        domain: 'lamps.example',
        brandName: 'Lamps',
        logoUrl: 'https://lamps.example/logo.png',
        logoBackground: 'dark-bg',
        manifest,
        registryEntry: { id: expect.stringMatching(/^brand_/), source: 'installation' },
      });
    });

    test('warns of a brand that was only heard of', async () => {
      await makeKnown(server.operator, {
        domain: 'heard.example',
        manifest: { name: 'Heard' },
        isRegistered: false,
      });

      const found = await resolve('heard.example');

      expect(found).toMatchObject({ resolved: true, logoUrl: null, registryEntry: null });
      expect(found.warning).toBe(
        'What is known of heard.example comes from other sources than the brand. ' +
          'Give saveBrand true with the advertiser to register it.',
      );
    });

    test('says of an unknown one what to do, and of one that the organization registered that it did', async () => {
      const before = await resolve('acme.example');

      await newAdvertiser(buyer);

      expect(before).toMatchObject({ resolved: false, registryEntry: null });
      expect(before.error).toContain('saveBrand');
      expect((await resolve('acme.example')).registryEntry).toMatchObject({ source: 'organization' });
    });

    test('follows what the operator says anew, under the same id, and forgets what it forgets', async () => {
      const id = async () => (await resolve('lamps.example')).registryEntry?.id;
      const before = await id();

      await makeKnown(server.operator, {
        domain: 'lamps.example',
        manifest: { name: 'Lights' },
        isRegistered: true,
      });

      expect((await resolve('lamps.example')).brandName).toBe('Lights');
      expect(await id()).toBe(before);
      expect(await forget(server.operator, 'lamps.example')).toBe(true);
      expect((await resolve('lamps.example')).resolved).toBe(false);
      expect(await forget(server.operator, 'lamps.example')).toBe(false);
      expect((await knownBrands(server.operator)).map(({ domain }) => domain)).toEqual(['heard.example']);
    });

    test('leaves no advertiser in the dark whose brand the operator took back', async () => {
      await makeKnown(server.operator, { domain: 'gone.example', manifest, isRegistered: true });
      const fields = { name: 'Gone', brand: 'gone.example', primaryCurrency: 'USD' };
      const { id } = done(await buyer.post('/buyer/advertisers', fields));
      await forget(server.operator, 'gone.example');

      const shown = done(await buyer.get(`/buyer/advertisers/${id}`));
      const { items } = done(await buyer.get('/buyer/advertisers?includeBrand=true&take=100'));

      const brandWarning =
        'No brand is known at gone.example any more. Register it with advertiser_update and saveBrand true.';
      expect(shown).toMatchObject({ brandWarning });
      expect(shown.linkedBrand).toBeUndefined();
      expect(items.find((one: { id: string }) => one.id === id)).toMatchObject({ brandWarning });
      const saved = { brand: 'gone.example', saveBrand: true };
      expect(done(await buyer.put(`/buyer/advertisers/${id}`, saved)).brandWarning).toBeUndefined();
    });
  });
});
