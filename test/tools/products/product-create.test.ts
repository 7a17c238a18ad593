import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inAnotherAccount, keysAllowed, keysRefused, strangers } from '../../support/access.ts';
import { auditOf, pathsOf, refusalOf } from '../../support/answers.ts';
import { done, newAdvertiser, openStorefront, productFields } from '../../support/market.ts';
import { newPerson, type Person } from '../../support/people.ts';
import { beforeTerms, newSeller, newShelf } from '../../support/selling.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

const PATH = '/storefront/products';
const fields = productFields();

describe('product_create', () => {
  let server: TestServer;
  let seller: Person;
  beforeAll(async () => {
    server = await startTestServer();
    seller = await withShelf();
  });
  afterAll(() => server.stop());

  async function withShelf(): Promise<Person> {
    const person = await newSeller(server);
    await newShelf(person);
    return person;
  }

  describe('201', () => {
    test('adds a product to the embedded seller', async () => {
      const { status, body } = await seller.post(PATH, {
        ...fields,
        publisherDomain: 'https://News.example/front',
      });

      expect(status).toBe(201);
      expect(body).toEqual({
        data: {
          productId: expect.stringMatching(/^prd_/),
          sourceId: 'shelf',
          name: fields.name,
          description: fields.description,
          status: 'ACTIVE',
          channels: ['display'],
          publisherDomain: 'news.example',
          creativeFormatIds: ['display_300x250'],
          createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          updatedAt: body.data.createdAt,
        },
        error: null,
      });
      const { body: list } = await seller.get(PATH);
      expect(list.data.items).toContainEqual(body.data);
    });

    test('goes to the embedded seller that is named, where there are several', async () => {
      const owner = await withShelf();
      await newShelf(owner, 'cellar');

      const { status, body } = await owner.post(PATH, { ...fields, sourceId: 'cellar' });

      expect(status).toBe(201);
      expect(body.data.sourceId).toBe('cellar');
    });

    test('is offered from the next discovery on, at the price that was given', async () => {
      const vendor = await newPerson(server);
      const { storefrontId } = await openStorefront(vendor, { name: 'Night Media', products: [] });
      const pricingOptions = [{ pricingModel: 'cpc', currency: 'usd', floorPrice: 0.25, minSpend: 50 }];
      const { productId } = done(await vendor.post(PATH, { ...fields, pricingOptions }));

      const buyer = await newPerson(server);
      const found = done(
        await buyer.post('/buyer/discovery/discover-products', {
          advertiserId: await newAdvertiser(buyer),
          brief: 'Everybody at night',
          storefrontIds: [Number(storefrontId)],
          waitSeconds: 30,
        }),
      );
      expect(JSON.stringify(found.productGroups)).toContain(productId);
      const row = await server.store.db
        .selectFrom('embedded_products')
        .select('product')
        .where('organization_id', '=', vendor.organizationId)
        .executeTakeFirstOrThrow();
      expect(JSON.parse(row.product).pricing_options).toEqual([
        expect.objectContaining({
          pricing_model: 'cpc',
          currency: 'USD',
          floor_price: 0.25,
          min_spend_per_package: 50,
        }),
      ]);
    });

    test.each(keysAllowed('buyer:write'))('takes a key with $key', async ({ held }) => {
      const key = await seller.withKey(held);

      expect((await key.post(PATH, fields)).status).toBe(201);
    });

    test('is in the audit log', async () => {
      const owner = await withShelf();
      const { productId } = done(await owner.post(PATH, fields));

      const [entry] = await auditOf(server, owner, 'product_create');
      expect(entry).toMatchObject({
        customer_id: owner.accounts.SELLER,
        action: 'CREATE',
        outcome: 'succeeded',
        resource_type: 'PRODUCT',
        resource_id: productId,
        resource_name: fields.name,
      });
    });
  });

  describe('400', () => {
    test('VALIDATION_ERROR names every problem with its path', async () => {
      const reply = await seller.post(PATH, {
        name: ' ',
        publisherDomain: 'not a domain',
        channels: ['display', 'skywriting'],
        countries: ['usa'],
        deliveryType: 'perhaps',
        pricingOptions: [
          { pricingModel: 'cpx', currency: 'XXXX', fixedPrice: 0 },
          { pricingModel: 'cpm', currency: 'USD', fixedPrice: 1, floorPrice: 1, tip: 2 },
        ],
        formats: [],
        estimatedExposures: 0.5,
        colour: 'red',
      });

      expect(refusalOf(reply)).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
      expect(pathsOf(reply)).toEqual([
        'channels.1',
        'colour',
        'countries.0',
        'deliveryType',
        'description',
        'estimatedExposures',
        'formats',
        'name',
        'pricingOptions.0.currency',
        'pricingOptions.0.fixedPrice',
        'pricingOptions.0.pricingModel',
        'pricingOptions.1.floorPrice',
        'pricingOptions.1.tip',
        'publisherDomain',
      ]);
    });
  });

  describe('401', () => {
    test.each(strangers)('UNAUTHORIZED for $who', async ({ of }) => {
      expect(refusalOf(await of(server).post(PATH, fields))).toEqual({ status: 401, code: 'UNAUTHORIZED' });
    });
  });

  describe('403', () => {
    test.each(keysRefused('buyer:write'))(
      'FORBIDDEN for a key with $key, and nothing is made',
      async ({ held }) => {
        const owner = await withShelf();
        const key = await owner.withKey(held);

        expect(refusalOf(await key.post(PATH, fields))).toEqual({ status: 403, code: 'FORBIDDEN' });
        expect((await owner.get(PATH)).body.data.total).toBe(0);
        const [entry] = await auditOf(server, owner, 'product_create');
        expect(entry).toMatchObject({ outcome: 'denied', error_code: 'FORBIDDEN', parameters: null });
      },
    );

    test('FORBIDDEN for an organization that does not sell', async () => {
      const buyer = await newPerson(server, { roles: ['BUYER'] });

      expect(refusalOf(await buyer.post(PATH, fields))).toEqual({ status: 403, code: 'FORBIDDEN' });
    });

    test('TOS_ACCEPTANCE_REQUIRED before the terms are accepted, and nothing is made', async () => {
      const hasty = await beforeTerms(server, await withShelf());

      expect(refusalOf(await hasty.post(PATH, fields))).toEqual({
        status: 403,
        code: 'TOS_ACCEPTANCE_REQUIRED',
      });
      expect((await hasty.get(PATH)).body.data.total).toBe(0);
    });
  });

  describe('404', () => {
    test('NOT_FOUND before there is an embedded seller', async () => {
      const early = await newSeller(server);

      expect(refusalOf(await early.post(PATH, fields))).toEqual({ status: 404, code: 'NOT_FOUND' });
    });

    test('NOT_FOUND for an agent at a URL, which keeps its own products', async () => {
      const owner = await withShelf();
      done(
        await owner.post('/storefront/inventory-sources', {
          name: 'far',
          endpointUrl: 'https://ads.example/mcp',
        }),
      );

      const reply = await owner.post(PATH, { ...fields, sourceId: 'far' });

      expect(refusalOf(reply)).toEqual({ status: 404, code: 'NOT_FOUND' });
      const [entry] = await auditOf(server, owner, 'product_create');
      expect(entry).toMatchObject({ outcome: 'denied', error_code: 'NOT_FOUND', resource_id: null });
    });

    test('NOT_FOUND in the same words for a stranger’s embedded seller and for one nobody has', async () => {
      const owner = await newSeller(server);
      await newShelf(owner, 'only-here');

      for (const other of [seller, await inAnotherAccount(server, owner, 'SELLER')]) {
        const foreign = await other.post(PATH, { ...fields, sourceId: 'only-here' });
        expect(refusalOf(foreign)).toEqual({ status: 404, code: 'NOT_FOUND' });
        expect((await other.post(PATH, { ...fields, sourceId: 'nobodys' })).body).toEqual(foreign.body);
      }
    });
  });

  describe('422', () => {
    test('VALIDATION_ERROR where several embedded sellers are there and none is named', async () => {
      const owner = await withShelf();
      await newShelf(owner, 'cellar');

      const reply = await owner.post(PATH, fields);

      expect(refusalOf(reply)).toEqual({ status: 422, code: 'VALIDATION_ERROR' });
      expect(reply.body.error).toMatchObject({
        field: 'sourceId',
        message: expect.stringContaining('shelf, cellar'),
      });
    });
  });
});
