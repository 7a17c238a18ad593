import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inAnotherAccount } from '../../support/access.ts';
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
  });
});
