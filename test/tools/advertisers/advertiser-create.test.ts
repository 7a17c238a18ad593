import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inAnotherAccount, keysAllowed, keysRefused, strangers } from '../../support/access.ts';
import { auditOf, pathsOf, refusalOf } from '../../support/answers.ts';
import { newPerson, type Person } from '../../support/people.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

const fields = { name: 'Acme', brand: 'acme.example', primaryCurrency: 'USD' };

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
      const { status, body } = await buyer.post('/buyer/advertisers', fields);

      expect(status).toBe(201);
      expect(body).toEqual({
        data: {
          ...fields,
          id: expect.stringMatching(/^[1-9]\d*$/),
          status: 'ACTIVE',
          sandbox: false,
          currencyLocked: false,
          optimizationApplyMode: 'MANUAL',
          createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          updatedAt: body.data.createdAt,
        },
        error: null,
      });
      const { body: again } = await buyer.get(`/buyer/advertisers/${body.data.id}`);
      expect(again.data).toEqual(body.data);
    });

    test('takes brandDomain for brand, and a URL for its domain', async () => {
      const { brand, ...others } = fields;
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
        await buyer.post('/buyer/advertisers', fields),
        await buyer.post('/buyer/advertisers', fields),
      ];

      expect(new Set(replies.map(({ body }) => body.data.id)).size).toBe(2);
    });

    test('makes it in the account that the key is bound to', async () => {
      const other = await inAnotherAccount(server, buyer, 'BUYER');

      const { body } = await other.post('/buyer/advertisers', fields);

      expect((await other.get(`/buyer/advertisers/${body.data.id}`)).status).toBe(200);
      expect((await buyer.get(`/buyer/advertisers/${body.data.id}`)).status).toBe(403);
    });

    test.each(keysAllowed('buyer:write'))('takes a key with $key', async ({ held }) => {
      const key = await buyer.withKey(held);

      expect((await key.post('/buyer/advertisers', fields)).status).toBe(201);
    });

    test('is in the audit log, in the transaction of the write', async () => {
      const { body } = await buyer.post('/buyer/advertisers', fields);

      const { body: audit } = await buyer.get('/buyer/audit-logs?take=1');
      expect(audit.data.logs[0]).toMatchObject({
        resourceType: 'ADVERTISER',
        resourceId: body.data.id,
        action: 'CREATE',
      });
    });
  });

  describe('400', () => {
    test('VALIDATION_ERROR names every problem with its path', async () => {
      const reply = await buyer.post('/buyer/advertisers', {
        name: '',
        primaryCurrency: 'dollars',
        description: 'x'.repeat(1_001),
        sandbox: 'yes',
        optimizationApplyMode: 'SOMETIMES',
        colour: 'red',
      });

      expect(refusalOf(reply)).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
      expect(pathsOf(reply)).toEqual([
        'brand',
        'colour',
        'description',
        'name',
        'optimizationApplyMode',
        'primaryCurrency',
        'sandbox',
      ]);
    });

    test('VALIDATION_ERROR names the field that an unknown one is nearest to', async () => {
      const { body } = await buyer.post('/buyer/advertisers', { ...fields, descripton: 'Shoes.' });

      expect(body.error).toMatchObject({
        field: 'descripton',
        message: expect.stringContaining('description'),
      });
    });

    test('VALIDATION_ERROR for a brand under two names with two values', async () => {
      const reply = await buyer.post('/buyer/advertisers', { ...fields, brandDomain: 'other.example' });

      expect(refusalOf(reply)).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
      expect(pathsOf(reply)).toEqual(['brandDomain']);
    });
  });

  describe('401', () => {
    test.each(strangers)('UNAUTHORIZED for $who', async ({ of }) => {
      const reply = await of(server).post('/buyer/advertisers', fields);

      expect(refusalOf(reply)).toEqual({ status: 401, code: 'UNAUTHORIZED' });
    });
  });

  describe('403', () => {
    test.each(keysRefused('buyer:write'))(
      'FORBIDDEN for a key with $key, and nothing is made',
      async ({ held }) => {
        const owner = await newPerson(server);
        const key = await owner.withKey(held);

        const reply = await key.post('/buyer/advertisers', fields);

        expect(refusalOf(reply)).toEqual({ status: 403, code: 'FORBIDDEN' });
        expect((await owner.get('/buyer/advertisers')).body.data.items).toEqual([]);
        const [entry] = await auditOf(server, owner, 'advertiser_create');
        expect(entry).toMatchObject({ outcome: 'denied', error_code: 'FORBIDDEN', parameters: null });
      },
    );

    test('FORBIDDEN for an organization that does not buy', async () => {
      const seller = await newPerson(server, { roles: ['SELLER'] });

      const reply = await seller.post('/buyer/advertisers', fields);

      expect(refusalOf(reply)).toEqual({ status: 403, code: 'FORBIDDEN' });
    });

    test('TOS_ACCEPTANCE_REQUIRED before the terms are accepted, and nothing is made', async () => {
      const hasty = await newPerson(server, { terms: false });

      const reply = await hasty.post('/buyer/advertisers', fields);

      expect(refusalOf(reply)).toEqual({ status: 403, code: 'TOS_ACCEPTANCE_REQUIRED' });
      expect((await hasty.get('/buyer/advertisers')).body.data.items).toEqual([]);
    });
  });
});
