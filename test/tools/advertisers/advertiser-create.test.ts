import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
      expect(body).toMatchObject({ error: null, data: { ...fields, status: 'ACTIVE', sandbox: false } });
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
      const { status, body } = await buyer.post('/buyer/advertisers', {
        name: '',
        primaryCurrency: 'dollars',
        colour: 'red',
      });

      expect(status).toBe(400);
      expect(body.error.code).toBe('VALIDATION_ERROR');
      const paths = body.error.details.issues.map(({ path }: { path: string }) => path);
      expect(paths.sort()).toEqual(['brand', 'colour', 'name', 'primaryCurrency']);
    });
  });

  describe('401', () => {
    test('UNAUTHORIZED without a key', async () => {
      const { status, body } = await buyer.send('/buyer/advertisers', {
        method: 'POST',
        headers: { authorization: '', 'content-type': 'application/json' },
        body: JSON.stringify(fields),
      });

      expect(status).toBe(401);
      expect(body.error.code).toBe('UNAUTHORIZED');
    });
  });

  describe('403', () => {
    test('FORBIDDEN for a key that only reads', async () => {
      const reader = await buyer.withKey(['buyer:read']);

      const { status, body } = await reader.post('/buyer/advertisers', fields);

      expect(status).toBe(403);
      expect(body.error.code).toBe('FORBIDDEN');
    });

    test('TOS_ACCEPTANCE_REQUIRED before the terms are accepted, and nothing is made', async () => {
      const hasty = await newPerson(server, { terms: false });

      const { status, body } = await hasty.post('/buyer/advertisers', fields);

      expect(status).toBe(403);
      expect(body.error.code).toBe('TOS_ACCEPTANCE_REQUIRED');
      const { body: list } = await hasty.get('/buyer/advertisers');
      expect(list.data.items).toEqual([]);
    });
  });
});
