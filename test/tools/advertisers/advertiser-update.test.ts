import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeKnown } from '../../../tools/domain/brands/operating.ts';
import { defaultTags } from '../../support/buying/default-tags.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { done, flightDates, newAdvertiser } from '../../support/sellers/market.ts';
import { writesBetween } from '../../support/server/between.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const ADVERTISERS = '/buyer/advertisers';

describe('advertiser_update', () => {
  const between = writesBetween('advertiser_update');
  let server: TestServer;
  let buyer: Person;
  let id: string;
  let path: string;
  beforeAll(async () => {
    server = await startTestServer({ families: between.families });
  });
  beforeEach(async () => {
    buyer = await newPerson(server);
    id = await newAdvertiser(buyer);
    path = `${ADVERTISERS}/${id}`;
  });
  afterAll(() => server.stop());

  function startCampaign() {
    const fields = { advertiserId: id, name: 'Winter', flightDates, budget: { total: 100 } };
    return buyer.post('/buyer/campaigns', fields).then(done);
  }

  describe('200', () => {
    test('changes what is given and leaves the rest', async () => {
      const before = done(await buyer.get(path));
      const change = {
        name: 'Acme Hats',
        description: 'Hats.',
        brand: 'hats.example',
        primaryCurrency: 'EUR',
        optimizationApplyMode: 'AUTO',
      };

      const { status, body } = await buyer.put(path, { ...change, saveBrand: true });

      expect(status).toBe(200);
      const linkedBrand = expect.objectContaining({ name: 'Acme Hats', domain: 'hats.example' });
      const updatedAt = expect.any(String);
      expect(body).toEqual({
        data: { ...before, ...change, linkedBrand, revision: 2, updatedAt },
        error: null,
      });
      const { body: renamed } = await buyer.put(path, { name: 'Again' });
      expect(renamed.data).toEqual({
        ...body.data,
        name: 'Again',
        revision: 3,
        updatedAt: expect.any(String),
      });
      expect((await buyer.get(path)).body).toEqual(renamed);
    });

    test('takes brandDomain for brand, and a URL for its domain', async () => {
      const { body } = await buyer.put(path, {
        brandDomain: 'https://Hats.example/summer',
        saveBrand: true,
      });

      expect(body.data.brand).toBe('hats.example');
    });

    test('retires an advertiser and brings it back', async () => {
      expect((await buyer.put(path, { status: 'ARCHIVED' })).body.data.status).toBe('ARCHIVED');
      expect((await buyer.put(path, { status: 'ACTIVE' })).body.data.status).toBe('ACTIVE');
    });

    test('takes the currency again that is fixed since the first campaign', async () => {
      await startCampaign();

      const { status, body } = await buyer.put(path, { primaryCurrency: 'usd' });

      expect(status).toBe(200);
      expect(body.data).toMatchObject({ primaryCurrency: 'USD', currencyLocked: true });
    });

    test('replaces parameters and caps, keeps a cap that is given again, and clears with []', async () => {
      const cap = { max_impressions: 3, window: { interval: 1, unit: 'days' } };
      const weekly = { max_impressions: 10, window: { interval: 7, unit: 'days' } };
      const utmConfig = [{ paramKey: 'utm_source', paramValue: 'acme' }];
      const first = done(await buyer.put(path, { utmConfig, frequencyCaps: [cap] }));

      const second = done(await buyer.put(path, { name: 'Again', frequencyCaps: [cap] }));

      expect(second.utmConfig).toEqual([{ ...utmConfig[0], source: 'advertiser' }]);
      expect(second.frequencyCaps).toEqual(first.frequencyCaps);
      const [other] = done(await buyer.put(path, { frequencyCaps: [weekly] })).frequencyCaps;
      expect(other).toMatchObject(weekly);
      expect(other.id).not.toBe(first.frequencyCaps[0].id);
      const cleared = done(await buyer.put(path, { utmConfig: [], frequencyCaps: [] }));
      expect(cleared.utmConfig).toEqual(defaultTags);
      expect(cleared).not.toHaveProperty('frequencyCaps');
    });

    test('registers the brand it has already, and logs that', async () => {
      await makeKnown(server.operator, {
        domain: 'rumour.example',
        manifest: { name: 'Rumour' },
        isRegistered: false,
      });
      expect(done(await buyer.put(path, { brand: 'rumour.example' })).brandWarning).toContain('rumour');

      const saved = done(await buyer.put(path, { saveBrand: true }));

      expect(saved.linkedBrand).toMatchObject({ name: 'Rumour' });
      expect(saved).not.toHaveProperty('brandWarning');
      const { body } = await buyer.get('/buyer/audit-logs?take=1&detail=full');
      expect(body.data.logs[0]).toMatchObject({
        tool: 'advertiser_update',
        parameters: { saveBrand: true },
      });
    });

    test('is in the audit log, field by field', async () => {
      await buyer.put(path, { name: 'Acme Hats', description: 'Hats.' });

      const { body } = await buyer.get('/buyer/audit-logs?take=1');
      expect(body.data.logs[0]).toMatchObject({
        tool: 'advertiser_update',
        action: 'UPDATE',
        outcome: 'succeeded',
        resourceType: 'ADVERTISER',
        resourceId: id,
        resourceName: 'Acme Hats',
        advertiserId: Number(id),
        changes: { name: { from: 'Acme', to: 'Acme Hats' }, description: { from: null, to: 'Hats.' } },
      });
    });
  });

  describe('400', () => {
    test('VALIDATION_ERROR names every problem with its path, sandbox among them, which never changes', async () => {
      const reply = await buyer.put(path, {
        name: ' ',
        description: 'x'.repeat(1001),
        brandDomain: 'not a domain',
        primaryCurrency: 'dollars',
        optimizationApplyMode: 'SOMETIMES',
        status: 'GONE',
        sandbox: true,
      });

      expectRefusal(reply, 400, {
        code: 'VALIDATION_ERROR',
        at: {
          name: '1 character at the least.',
          description: '1000 characters at the most.',
          brandDomain: 'Give a domain such as acme.example.',
          primaryCurrency: 'Give an ISO 4217 currency code, such as USD.',
          optimizationApplyMode: 'Give one of: AUTO, MANUAL.',
          status: 'Give one of: ACTIVE, ARCHIVED.',
          sandbox: 'It stays as it was made: make another advertiser with advertiser_create.',
        },
      });
    });
  });

  describe('409', () => {
    test('CONFLICT when somebody else writes in the meantime, whose change stays', async () => {
      between.next(() => buyer.put(path, { name: 'First' }));

      const reply = await buyer.put(path, { name: 'Second', status: 'ARCHIVED' });

      expectRefusal(reply, 409, {
        code: 'CONFLICT',
        words: 'The advertiser was changed by somebody else in the meantime.',
      });
      expect((await buyer.get(path)).body.data).toMatchObject({ name: 'First', status: 'ACTIVE' });
    });

    test('CONFLICT when the first campaign fixes the currency in the meantime', async () => {
      between.next(startCampaign);

      const reply = await buyer.put(path, { primaryCurrency: 'EUR' });

      expectRefusal(reply, 409, {
        code: 'CONFLICT',
        words: 'The advertiser was changed by somebody else in the meantime.',
      });
      expect((await buyer.get(path)).body.data).toMatchObject({
        primaryCurrency: 'USD',
        currencyLocked: true,
      });
    });
  });

  describe('422', () => {
    test('VALIDATION_ERROR for a brand that nobody knows, and nothing changes', async () => {
      const reply = await buyer.put(path, { name: 'Renamed', brand: 'nobody.example' });

      expectRefusal(reply, 422, {
        code: 'VALIDATION_ERROR',
        at: { brand: 'No brand is known at nobody.example.' },
      });
      expect(reply.body.error.field).toBe('brand');
      expect((await buyer.get(path)).body.data).toMatchObject({ name: 'Acme', brand: 'acme.example' });
    });

    test('VALIDATION_ERROR for another currency since the first campaign, and nothing changes', async () => {
      await startCampaign();

      const reply = await buyer.put(path, { name: 'Renamed', primaryCurrency: 'EUR' });

      expectRefusal(reply, 422, {
        code: 'VALIDATION_ERROR',
        at: { primaryCurrency: 'The currency is USD since the first campaign and cannot change.' },
      });
      expect(reply.body.error.field).toBe('primaryCurrency');
      expect((await buyer.get(path)).body.data).toMatchObject({ name: 'Acme', primaryCurrency: 'USD' });
    });
  });
});
