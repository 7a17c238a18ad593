import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditOf } from '../../support/callers/answers.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { done, newAdvertiser, openStorefront, productFields } from '../../support/sellers/market.ts';
import { newSeller, newShelf } from '../../support/sellers/selling.ts';
import { writesBetween } from '../../support/server/between.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const PATH = '/storefront/products';
const fields = productFields();

describe('product_create', () => {
  const between = writesBetween('product_create');
  let server: TestServer;
  let seller: Person;
  beforeAll(async () => {
    server = await startTestServer({ families: between.families });
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
          countries: fields.countries,
          pricingOptions: [
            { pricingOptionId: 'cpm_usd_1', pricingModel: 'cpm', currency: 'USD', fixedPrice: 10 },
          ],
          publisherDomain: 'news.example',
          creativeFormatIds: ['display_300x250'],
          deliveryType: 'non_guaranteed',
          adUnitNames: [],
          createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          updatedAt: body.data.createdAt,
          revision: 1,
        },
        error: null,
      });
      const { body: list } = await seller.get(PATH);
      expect(list.data).toContainEqual(body.data);
    });

    test('takes audio and video for the channels that they mean', async () => {
      const made = done(await seller.post(PATH, { ...fields, channels: ['audio', 'video'] }));

      expect(made.channels).toEqual(['streaming_audio', 'olv']);
    });

    test('keeps a channel and a format once, however often they are given', async () => {
      const { body } = await seller.post(PATH, {
        ...fields,
        channels: ['video', 'olv', 'ctv'],
        formats: ['display_300x250', 'display_300x250'],
      });

      expect(body.data).toMatchObject({
        channels: ['olv', 'ctv'],
        creativeFormatIds: ['display_300x250'],
      });
      const storefront = { channels: ['ctv', 'display', 'ctv'] };
      expect((await seller.put('/storefront', storefront)).body.data.channels).toEqual(['ctv', 'display']);
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
  });

  describe('400', () => {
    test('VALIDATION_ERROR for an option without any price', async () => {
      const reply = await seller.post(PATH, {
        ...fields,
        pricingOptions: [{ pricingModel: 'cpm', currency: 'USD' }],
      });

      expectRefusal(reply, 400, {
        code: 'VALIDATION_ERROR',
        at: { 'pricingOptions.0.fixedPrice': 'Give a fixed price, or the floor price of an auction.' },
      });
    });

    test('VALIDATION_ERROR for a product that cannot be bought in any way', async () => {
      const reply = await seller.post(PATH, { ...fields, pricingOptions: [] });

      expectRefusal(reply, 400, {
        code: 'VALIDATION_ERROR',
        at: { pricingOptions: '1 entry at the least.' },
      });
    });

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

      expectRefusal(reply, 400, {
        code: 'VALIDATION_ERROR',
        at: {
          name: '1 character at the least.',
          description: 'Required: give a string.',
          publisherDomain: 'Give a domain such as acme.example.',
          'channels.1':
            'Give one of: display, olv, social, search, ctv, linear_tv, radio, streaming_audio, podcast, dooh, ooh, print, cinema, email, gaming, retail_media, influencer, affiliate, product_placement, sponsored_intelligence, video, audio.',
          'countries.0': 'Give a two-letter country code of ISO 3166, such as US.',
          deliveryType: 'Give one of: guaranteed, non_guaranteed.',
          'pricingOptions.0.pricingModel':
            'Give one of: cpm, vcpm, cpc, cpcv, cpv, cpp, cpa, flat_rate, time.',
          'pricingOptions.0.currency': 'Give an ISO 4217 currency code, such as USD.',
          'pricingOptions.0.fixedPrice': 'More than 0.',
          'pricingOptions.1.tip':
            'Unknown field. Known here: pricingModel, currency, fixedPrice, floorPrice, minSpend.',
          'pricingOptions.1.floorPrice': 'Give a fixed price or a floor price, not both.',
          formats: '1 entry at the least.',
          estimatedExposures: 'Give a whole number.',
          colour:
            'Unknown field. Known here: sourceId, name, description, publisherDomain, channels, countries, deliveryType, pricingOptions, formats, estimatedExposures.',
        },
      });
    });
  });

  describe('404', () => {
    test('NOT_FOUND before there is an embedded seller', async () => {
      const early = await newSeller(server);

      expectRefusal(await early.post(PATH, fields), 404, {
        code: 'NOT_FOUND',
        words: 'No such embedded seller.',
      });
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

      expectRefusal(reply, 404, { code: 'NOT_FOUND', words: 'No such embedded seller.' });
      const [entry] = await auditOf(server, owner, 'product_create');
      expect(entry).toMatchObject({ outcome: 'denied', error_code: 'NOT_FOUND', resource_id: null });
    });

    test('NOT_FOUND where the embedded seller is deleted meanwhile', async () => {
      const owner = await withShelf();
      between.next(() => owner.delete('/storefront/inventory-sources/shelf'));

      const reply = await owner.post(PATH, fields);

      expectRefusal(reply, 404, { code: 'NOT_FOUND', words: 'No such embedded seller.' });
      expect((await owner.get(PATH)).body.data).toEqual([]);
    });
  });

  describe('409', () => {
    test('CONFLICT where the storefront has as many products as it may', async () => {
      const small = await startTestServer({ settings: { PRODUCTS_PER_STOREFRONT: '1' } });
      const owner = await newSeller(small);
      await newShelf(owner);
      done(await owner.post(PATH, fields));

      const reply = await owner.post(PATH, fields);

      expectRefusal(reply, 409, {
        code: 'CONFLICT',
        words: 'The storefront has 1 product on the market, which is the limit.',
      });
      expect((await owner.get(PATH)).body.data).toHaveLength(1);
      await small.stop();
    });
  });

  describe('422', () => {
    test('VALIDATION_ERROR where several embedded sellers are there and none is named', async () => {
      const owner = await withShelf();
      await newShelf(owner, 'cellar');

      const reply = await owner.post(PATH, fields);

      expectRefusal(reply, 422, {
        code: 'VALIDATION_ERROR',
        at: { sourceId: 'There are several embedded sellers. Give one of: shelf, cellar.' },
      });
      expect(reply.body.error).toMatchObject({
        field: 'sourceId',
        message: expect.stringContaining('shelf, cellar'),
      });
    });
  });
});
