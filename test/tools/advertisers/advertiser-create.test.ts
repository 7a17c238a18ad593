import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeKnown } from '../../../tools/domain/brands/operating.ts';
import { inAnotherAccount } from '../../support/buying/access.ts';
import { defaultTags } from '../../support/buying/default-tags.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const fields = { name: 'Acme', brand: 'acme.example', primaryCurrency: 'USD' };
const confirmed = { ...fields, saveBrand: true };

describe('advertiser_create', () => {
  let server: TestServer;
  let buyer: Person;
  beforeAll(async () => {
    server = await startTestServer();
    buyer = await newPerson(server);
  });
  afterAll(() => server.stop());

  describe('201', () => {
    test('makes an active advertiser of the account, with the defaults of the fields left out', async () => {
      const { status, body } = await buyer.post('/buyer/advertisers', confirmed);

      expect(status).toBe(201);
      expect(body).toEqual({
        data: {
          ...fields,
          id: expect.stringMatching(/^[1-9]\d*$/),
          linkedBrand: {
            id: expect.stringMatching(/^brand_\w+$/),
            name: 'Acme',
            domain: 'acme.example',
            manifest: { name: 'Acme', url: 'https://acme.example/' },
          },
          status: 'ACTIVE',
          sandbox: false,
          currencyLocked: false,
          optimizationApplyMode: 'MANUAL',
          utmConfig: defaultTags,
          createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          updatedAt: body.data.createdAt,
          revision: 1,
        },
        error: null,
      });
      const { body: again } = await buyer.get(`/buyer/advertisers/${body.data.id}`);
      expect(again.data).toEqual(body.data);
    });

    test('takes brandDomain for brand, and a URL for its domain', async () => {
      const { brand, ...others } = confirmed;
      const { body } = await buyer.post('/buyer/advertisers', {
        ...others,
        brandDomain: `https://www.${brand}/shoes`,
      });

      expect(body.data.brand).toBe(`www.${brand}`);
    });

    test('keeps what is given, in its canonical form', async () => {
      const { body } = await buyer.post('/buyer/advertisers', {
        name: '  Acme  ',
        brand: 'ACME.example',
        saveBrand: true,
        primaryCurrency: 'eur',
        description: ' Shoes. ',
        sandbox: true,
        optimizationApplyMode: 'AUTO',
      });

      expect(body.data).toMatchObject({
        name: 'Acme',
        brand: 'acme.example',
        primaryCurrency: 'EUR',
        description: 'Shoes.',
        sandbox: true,
        optimizationApplyMode: 'AUTO',
      });
    });

    test('makes two of what is asked for twice: creations are not deduplicated', async () => {
      const replies = [
        await buyer.post('/buyer/advertisers', confirmed),
        await buyer.post('/buyer/advertisers', confirmed),
      ];

      expect(new Set(replies.map(({ body }) => body.data.id)).size).toBe(2);
    });

    test('makes it in the account that the key is bound to', async () => {
      const other = await inAnotherAccount(server, buyer, 'BUYER');

      const { body } = await other.post('/buyer/advertisers', confirmed);

      expect((await other.get(`/buyer/advertisers/${body.data.id}`)).status).toBe(200);
      expect((await buyer.get(`/buyer/advertisers/${body.data.id}`)).status).toBe(403);
    });

    test('keeps how landing pages are tagged and how often one sees the ads', async () => {
      const utmConfig = [
        { paramKey: 'utm_source', paramValue: 'acme' },
        { paramKey: 'utm_campaign', paramValue: '{CAMPAIGN_ID}' },
      ];
      const cap = { max_impressions: 3, window: { interval: 1, unit: 'days' } };

      const { body } = await buyer.post('/buyer/advertisers', {
        ...confirmed,
        utmConfig,
        frequencyCaps: [cap],
      });

      expect(body.data.utmConfig).toEqual(utmConfig.map((one) => ({ ...one, source: 'advertiser' })));
      expect(body.data.frequencyCaps).toEqual([
        {
          ...cap,
          id: expect.stringMatching(/^fcap_\w+$/),
          targetLevel: 'ADVERTISER',
          targetId: body.data.id,
          createdAt: body.data.createdAt,
          updatedAt: body.data.createdAt,
        },
      ]);
      expect((await buyer.get(`/buyer/advertisers/${body.data.id}`)).body.data).toEqual(body.data);
    });
  });

  describe('a brand', () => {
    const known = (domain: string, isRegistered: boolean) =>
      makeKnown(server.operator, {
        domain,
        manifest: { name: 'Known', tagline: 'Heard of.', logos: [{ url: 'https://known.example/a.png' }] },
        isRegistered,
      });

    test('that is registered is linked, whoever registered it', async () => {
      await known('registered.example', true);

      const { status, body } = await buyer.post('/buyer/advertisers', {
        ...fields,
        brand: 'registered.example',
      });

      expect(status).toBe(201);
      expect(body.data).not.toHaveProperty('brandWarning');
      expect(body.data.linkedBrand).toMatchObject({
        name: 'Known',
        domain: 'registered.example',
        logoUrl: 'https://known.example/a.png',
        tagline: 'Heard of.',
      });
    });

    test('that was only heard of carries a warning, until it is saved', async () => {
      await known('heard.example', false);
      const heard = { ...fields, brand: 'heard.example' };

      const { status, body } = await buyer.post('/buyer/advertisers', heard);

      expect(status).toBe(201);
      expect(body.data).not.toHaveProperty('linkedBrand');
      expect(body.data.brandWarning).toBe(
        'What is known of heard.example comes from other sources than the brand. ' +
          'Register it with advertiser_update and saveBrand true.',
      );
      await buyer.put(`/buyer/advertisers/${body.data.id}`, { saveBrand: true });
      const { body: after } = await buyer.get(`/buyer/advertisers/${body.data.id}`);
      expect(after.data).not.toHaveProperty('brandWarning');
      expect(after.data.linkedBrand).toMatchObject({ name: 'Known', tagline: 'Heard of.' });
    });

    test('that nobody knows is refused with 422, makes nothing, and is taken once it is confirmed', async () => {
      const person = await newPerson(server);

      const refused = await person.post('/buyer/advertisers', fields);

      expectRefusal(refused, 422, {
        code: 'VALIDATION_ERROR',
        at: { brand: 'No brand is known at acme.example.' },
      });
      expect(refused.body.error.field).toBe('brand');
      expect(refused.body.error.details.suggestion).toContain('saveBrand');
      expect((await person.get('/buyer/advertisers')).body.data.items).toEqual([]);
      expect((await person.post('/buyer/advertisers', confirmed)).status).toBe(201);
      expect((await person.post('/buyer/advertisers', fields)).status).toBe(201);
    });

    test('that one organization registered is unknown to another', async () => {
      await buyer.post('/buyer/advertisers', { ...confirmed, brand: 'ours.example' });
      const stranger = await newPerson(server);

      const refused = await stranger.post('/buyer/advertisers', { ...fields, brand: 'ours.example' });

      expect(refused.status).toBe(422);
    });
  });

  describe('400', () => {
    test('VALIDATION_ERROR for a parameter that is named twice, and for caps of nothing', async () => {
      const twice = { paramKey: 'utm_source', paramValue: 'a' };

      const reply = await buyer.post('/buyer/advertisers', {
        ...confirmed,
        utmConfig: [twice, twice],
        frequencyCaps: [{ max_impressions: 0, window: { interval: 0, unit: 'weeks' } }],
      });

      expectRefusal(reply, 400, {
        code: 'VALIDATION_ERROR',
        at: {
          utmConfig: 'Give each paramKey once.',
          'frequencyCaps.0.max_impressions': '1 at the least.',
          'frequencyCaps.0.window.interval': '1 at the least.',
          'frequencyCaps.0.window.unit': 'Give one of: seconds, minutes, hours, days, campaign.',
        },
      });
    });
  });

  describe('409', () => {
    test('CONFLICT for more advertisers than an account may have, or brands than an organization registers', async () => {
      const settings = { ADVERTISERS_PER_ACCOUNT: '2', BRANDS_PER_ORGANIZATION: '1' };
      const narrow = await startTestServer({ settings });
      const person = await newPerson(narrow);
      const create = (brand: string) => person.post('/buyer/advertisers', { ...confirmed, brand });
      expect((await create('acme.example')).status).toBe(201);

      expectRefusal(await create('other.example'), 409, {
        code: 'CONFLICT',
        words: 'The organization has 1 registered brand, which is the most it may have.',
      });
      expect((await create('acme.example')).status).toBe(201);
      expectRefusal(await create('acme.example'), 409, {
        code: 'CONFLICT',
        words: 'The account has 2 advertisers, which is the most it may have.',
      });
      await narrow.stop();
    });
  });

  describe('501', () => {
    test('NOT_IMPLEMENTED for a second cap, which no seller would keep', async () => {
      const person = await newPerson(server);
      const cap = { max_impressions: 3, window: { interval: 1, unit: 'days' } };

      const reply = await person.post('/buyer/advertisers', { ...confirmed, frequencyCaps: [cap, cap] });

      expectRefusal(reply, 501, {
        code: 'NOT_IMPLEMENTED',
        at: { 'frequencyCaps.1': 'Documented, and not built yet.' },
      });
      expect(reply.body.error.field).toBe('frequencyCaps.1');
      const wrong = { ...cap, max_impressions: 0 };
      const many = await person.post('/buyer/advertisers', {
        ...confirmed,
        frequencyCaps: [wrong, cap, cap],
      });
      expectRefusal(many, 501, {
        code: 'NOT_IMPLEMENTED',
        at: { 'frequencyCaps.1': 'Documented, and not built yet.' },
      });
      expect((await person.get('/buyer/advertisers')).body.data.items).toEqual([]);
      const { body } = await person.post('/buyer/brands/resolve', { domain: fields.brand });
      expect(body.data.resolved).toBe(false);
    });

    test.each([['dataDelivery', { outputs: [] }]])(
      'NOT_IMPLEMENTED for %s, and nothing is made',
      async (field, value) => {
        const person = await newPerson(server);

        const reply = await person.post('/buyer/advertisers', { ...confirmed, [field]: value });

        expectRefusal(reply, 501, {
          code: 'NOT_IMPLEMENTED',
          at: { dataDelivery: 'Documented, and not built yet.' },
        });
        expect(reply.body.error.field).toBe(field);
        expect((await person.get('/buyer/advertisers')).body.data.items).toEqual([]);
      },
    );
  });
});
