import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { done, flightDates, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('everything that is wrong with an advertiser is told at once', () => {
  let server: TestServer;
  let buyer: Person;
  beforeAll(async () => {
    server = await startTestServer();
    buyer = await newPerson(server);
  });
  afterAll(() => server.stop());

  const linkedAccounts = [{ storefrontId: 999_999, sourceId: 'src_none', accountId: 'acc' }];
  const NO_BRAND = 'No brand is known at nobody.example.';
  const NO_STOREFRONT = 'No such storefront.';

  test('where it is made', async () => {
    const input = { name: 'Acme', brandDomain: 'nobody.example', primaryCurrency: 'USD', linkedAccounts };

    const refused = await buyer.post('/buyer/advertisers', input);

    expectRefusal(refused, 422, {
      code: 'VALIDATION_ERROR',
      at: { brandDomain: NO_BRAND, 'linkedAccounts.0.storefrontId': NO_STOREFRONT },
    });
    expect(refused.body.error.details.suggestion).toMatch(/saveBrand true/);
  });

  test('where it is changed, with the currency of its campaigns, and nothing of it is written', async () => {
    const id = await newAdvertiser(buyer);
    const campaign = { advertiserId: id, name: 'Winter', flightDates, budget: { total: 100 } };
    done(await buyer.post('/buyer/campaigns', campaign));
    const before = done(await buyer.get(`/buyer/advertisers/${id}`));

    const refused = await buyer.put(`/buyer/advertisers/${id}`, {
      name: 'Other',
      brand: 'nobody.example',
      primaryCurrency: 'EUR',
      linkedAccounts,
    });

    expectRefusal(refused, 422, {
      code: 'VALIDATION_ERROR',
      at: {
        primaryCurrency: 'The currency is USD since the first campaign and cannot change.',
        brand: NO_BRAND,
        'linkedAccounts.0.storefrontId': NO_STOREFRONT,
      },
    });
    expect(done(await buyer.get(`/buyer/advertisers/${id}`))).toEqual(before);
  });
});
