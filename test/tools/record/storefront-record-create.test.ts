import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditOf } from '../../support/callers/answers.ts';
import { newPerson } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { done } from '../../support/sellers/market.ts';
import { writesBetween } from '../../support/server/between.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const PATH = '/storefront';
const fields = { name: 'Harbour News & Co.' };

const noCapabilities = {
  offersCreativeReview: false,
  offersCampaignApproval: false,
  offersProductComposition: false,
};

describe('storefront_record_create', () => {
  const between = writesBetween('storefront_record_create');
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ families: between.families });
  });
  afterAll(() => server.stop());

  describe('201', () => {
    test('makes the storefront of the account, closed for business at first', async () => {
      const seller = await newPerson(server);

      const { status, body } = await seller.post(PATH, fields);

      expect(status).toBe(201);
      expect(body).toEqual({
        data: {
          storefrontId: expect.stringMatching(/^[1-9]\d*$/),
          platformId: expect.stringMatching(/^harbour-news-co-[a-z0-9]+$/),
          name: fields.name,
          publisherDomain: null,
          operatorDomain: null,
          brandName: null,
          logoUrl: null,
          membershipStatus: null,
          description: null,
          website: null,
          demandContactName: null,
          demandContactEmail: null,
          adapterProviderType: null,
          adapterSourceKind: null,
          adapterCredentialMode: null,
          advertiseAsAgent: false,
          businessProfile: null,
          displayStatus: 'configuring',
          channels: [],
          acceptedCountries: null,
          acceptsAllCountries: false,
          regions: [],
          discoveryCard: {
            storefrontId: body.data.storefrontId,
            platformId: body.data.platformId,
            storefrontKind: 'managed',
            displayName: fields.name,
            logoUrl: null,
            logoBackground: null,
            brandColors: null,
            description: null,
            website: null,
            advertisingPolicies: null,
            channels: [],
            countries: [],
            acceptsAllCountries: false,
            coverageDeclarations: [],
            coverage: { channels: 'unknown', countries: 'unknown' },
            provenance: {
              identity: {
                displayName: 'operator',
                logoUrl: 'unknown',
                description: 'unknown',
                website: 'unknown',
                brandColors: 'unknown',
              },
              coverage: { channels: 'unknown', countries: 'unknown' },
              advertisingPolicies: 'unknown',
            },
          },
          operatorDomainVerified: false,
          defaultCurrency: null,
          plan: 'basic',
          advertisedChannels: [],
          advertisedCountries: [],
          advertisingPolicyDisclosure: [],
          capabilities: noCapabilities,
          configuredCapabilities: noCapabilities,
          capabilitiesLocked: false,
          creativeApproval: 'auto',
          mediaBuyApproval: 'auto',
          transacting: false,
          isPaused: false,
          archivedAt: null,
          createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          updatedAt: body.data.createdAt,
          revision: 1,
        },
        error: null,
      });
      expect((await seller.get(PATH)).body.data).toEqual(body.data);
    });

    test('keeps what is given, in its canonical form', async () => {
      const seller = await newPerson(server);

      const { body } = await seller.post(PATH, {
        name: '  Harbour  ',
        publisherDomain: 'https://Harbour-News.example/front',
        operatorDomain: 'operator.example',
        defaultCurrency: 'eur',
        acceptedCountries: ['DE', 'FR'],
        acceptsAllCountries: false,
      });

      expect(body.data).toMatchObject({
        name: 'Harbour',
        publisherDomain: 'harbour-news.example',
        operatorDomain: 'operator.example',
        defaultCurrency: 'EUR',
        acceptedCountries: ['DE', 'FR'],
        acceptsAllCountries: false,
      });
    });

    test('takes the one plan that there is, and refuses another by name', async () => {
      const seller = await newPerson(server);

      expect(done(await seller.post(PATH, { ...fields, plan: 'basic' })).plan).toBe('basic');
      expect((await seller.put(PATH, { plan: 'basic' })).status).toBe(200);
      expectRefusal(await seller.put(PATH, { plan: 'gold' }), 400, {
        code: 'VALIDATION_ERROR',
        at: { plan: 'Give one of: basic.' },
      });
    });

    test('gives storefronts of one name addresses of their own', async () => {
      const [one, other] = [await newPerson(server), await newPerson(server)];

      const ids = [done(await one.post(PATH, fields)), done(await other.post(PATH, fields))];

      expect(new Set(ids.map(({ platformId }) => platformId)).size).toBe(2);
    });
  });

  describe('200', () => {
    test('gives the storefront that is there, unchanged, whatever the second call asks for', async () => {
      const seller = await newPerson(server);
      const first = await seller.post(PATH, fields);

      const second = await seller.post(PATH, { name: 'Another', defaultCurrency: 'USD' });

      expect(second.status).toBe(200);
      const { message, ...storefront } = second.body.data;
      expect(storefront).toEqual(first.body.data);
      expect(message).toMatch(/nothing was changed/);
      expect((await seller.get(PATH)).body).toEqual(first.body);
      expect(await auditOf(server, seller, 'storefront_record_create')).toHaveLength(1);
    });

    test('gives the storefront that another call makes in the same moment', async () => {
      const seller = await newPerson(server);
      let first: object | undefined;
      between.next(async () => {
        first = done(await seller.post(PATH, fields));
      });

      const second = await seller.post(PATH, { name: 'Another' });

      expect(second.status).toBe(200);
      expect(second.body.data).toMatchObject(first ?? {});
      const entries = await auditOf(server, seller, 'storefront_record_create');
      expect(entries.map(({ outcome }) => outcome)).toEqual(['succeeded']);
    });
  });

  describe('409', () => {
    test('CONFLICT for If-Match, whether there is a storefront or not, because none is changed', async () => {
      const seller = await newPerson(server);
      const refused = async (match: string) => {
        const headers = { 'content-type': 'application/json', 'if-match': match };
        expectRefusal(
          await seller.send(PATH, { method: 'POST', headers, body: JSON.stringify(fields) }),
          409,
          {
            code: 'CONFLICT',
            at: {
              'If-Match':
                'Create own storefront changes nothing that has a version, so If-Match cannot hold.',
            },
          },
        );
      };

      await refused('*');
      expect((await seller.get(PATH)).status).toBe(404);
      await seller.post(PATH, fields);
      const tag = (await seller.get(PATH)).headers.get('etag');
      for (const match of ['*', '"0"', tag ?? '']) await refused(match);
    });
  });

  describe('400', () => {
    test('VALIDATION_ERROR for a storefront that is there, too', async () => {
      const seller = await newPerson(server);
      await seller.post(PATH, fields);

      const reply = await seller.post(PATH, {});

      expectRefusal(reply, 400, { code: 'VALIDATION_ERROR', at: { name: 'Required: give a string.' } });
      expect(reply.body.error.field).toBe('name');
    });
  });
});
