import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultTags } from '../../support/buying/default-tags.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

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
          linkedBrand: expect.objectContaining({ name: 'Acme', domain: 'acme.example' }),
          status: 'ACTIVE',
          sandbox: true,
          primaryCurrency: 'USD',
          currencyLocked: false,
          optimizationApplyMode: 'MANUAL',
          utmConfig: defaultTags,
          createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          updatedAt: body.data.createdAt,
          revision: 1,
        },
        error: null,
      });
    });

    test('has tags of its own in place of the default ones, until it has none again', async () => {
      const utm = { paramKey: 'utm_source', paramValue: 'acme' };
      const tagged = `${ADVERTISERS}/${await newAdvertiser(buyer, { utmConfig: [utm] })}`;
      const tagsNow = async () => (await buyer.get(tagged)).body.data.utmConfig;
      expect(await tagsNow()).toEqual([{ ...utm, source: 'advertiser' }]);

      await buyer.put(tagged, { utmConfig: [] });

      expect(await tagsNow()).toEqual(defaultTags);
      const { body } = await buyer.get(`${ADVERTISERS}?limit=100`);
      for (const one of body.data.items) expect(one).not.toHaveProperty('utmConfig');
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
  });
});
