import { afterAll, beforeAll, expect, test } from 'vitest';
import { suspendOrganization } from '../../../tools/domain/organizations/operator-decisions.ts';
import { storeOperator } from '../../support/callers/operator.ts';
import { newPerson } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { done, flightDates, newAdvertiser, openStorefront } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ own: true });
});
afterAll(() => server.stop());

test('discover_products says of a campaign whose storefront is gone that it is limited to it', async () => {
  const [buyer, seller] = [await newPerson(server), await newPerson(server)];
  const { storefrontId } = await openStorefront(seller, { name: 'Corner Media' });
  const advertiserId = await newAdvertiser(buyer);
  const fields = { advertiserId, name: 'Winter', flightDates, budget: { total: 100 } };
  const draft = await buyer.post('/buyer/campaigns', { ...fields, storefrontIds: [storefrontId] });
  const { campaignId } = done(draft).campaign;
  const { organizationId } = seller;
  await suspendOrganization(storeOperator(server.store), { organizationId, isSuspended: true });

  const reply = await buyer.post('/buyer/discovery/discover-products', { campaignId, waitSeconds: 30 });

  expectRefusal(reply, 422, {
    code: 'VALIDATION_ERROR',
    at: { campaignId: `Storefronts that it is limited to are not there any more: ${storefrontId}.` },
  });
  const named = { campaignId, storefrontIds: [storefrontId] };
  expectRefusal(await buyer.post('/buyer/discovery/discover-products', named), 400, {
    code: 'VALIDATION_ERROR',
    at: { 'storefrontIds.0': 'No such storefront.' },
  });
  const freed = await buyer.put(`/buyer/campaigns/${campaignId}`, { storefrontIds: [] });
  expect(freed.status).toBe(200);
  const again = { campaignId, waitSeconds: 30 };
  expect((await buyer.post('/buyer/discovery/discover-products', again)).status).toBe(200);
});
