import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { done, flightDates, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

/** Earlier clients say of each campaign what type it is; later ones say nothing. */
describe('campaignType', () => {
  let server: TestServer;
  let buyer: Person;
  let advertiserId: string;
  beforeAll(async () => {
    server = await startTestServer();
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(() => server.stop());

  const create = (fields: object) =>
    buyer.post('/buyer/campaigns', {
      ...{ advertiserId, name: 'Winter', flightDates, budget: { total: 100 } },
      ...fields,
    });

  test.each(['DECISIONED', 'ROUTED'])(
    '%s is kept as it is given, and shown wherever the campaign is',
    async (campaignType) => {
      const { campaign } = done(await create({ campaignType }));
      const { campaignId } = campaign;
      done(await buyer.put(`/buyer/campaigns/${campaignId}`, { name: 'Later' }));

      const read = done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign;
      const { campaigns } = done(await buyer.get('/buyer/campaigns?take=1'));
      for (const shown of [campaign, read, campaigns[0]]) {
        expect(shown).toMatchObject({ campaignId, campaignType });
      }
    },
  );

  test('is asked of nobody, and not shown where nobody said', async () => {
    const { campaign } = done(await create({}));

    expect(campaign).not.toHaveProperty('campaignType');
  });

  test('is one of two words, and stays what it was', async () => {
    const other = await create({ campaignType: 'HOUSE' });
    const { campaign } = done(await create({ campaignType: 'ROUTED' }));
    const changed = await buyer.put(`/buyer/campaigns/${campaign.campaignId}`, {
      campaignType: 'DECISIONED',
    });

    const at = (words: RegExp) => ({ code: 'VALIDATION_ERROR' as const, at: { campaignType: words } });
    expectRefusal(other, 400, at(/DECISIONED, ROUTED/));
    expectRefusal(changed, 400, at(/Unknown field/));
  });
});
