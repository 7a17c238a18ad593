import { afterAll, beforeAll, expect, test } from 'vitest';
import { findNamedFailures } from '../../../tools/domain/buying/following/named-failures.ts';
import { faultsOf } from '../../support/buying/ledger.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { takesChanges } from '../../support/sellers/changing-seller.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, draftCampaign, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

let server: TestServer;
let far: FarSeller;
let buyer: Person;
beforeAll(async () => {
  server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
  far = await farSeller(server, 'Far');
  buyer = await newPerson(server);
});
afterAll(async () => {
  await server.stop();
  await far.agent.stop();
});

/** A draft whose one order failed; `named`: as it was kept where its seller had named it all the same. */
async function failed(named: string | null): Promise<string> {
  far.agent.on('create_media_buy', () => ({ errors: [{ code: 'BUDGET_TOO_LOW', message: 'More.' }] }));
  const draft = { advertiserId: await newAdvertiser(buyer), storefrontIds: [far.storefrontId] };
  const { campaignId } = await draftCampaign(buyer, draft);
  await buyer.post(`/buyer/campaigns/${campaignId}/execute`);
  await server.store.db
    .updateTable('media_buys')
    .set({ adcp_media_buy_id: named })
    .where('organization_id', '=', buyer.organizationId)
    .where('campaign_id', '=', campaignId)
    .execute();
  return `/buyer/campaigns/${campaignId}`;
}

async function committed(): Promise<number> {
  const { credit } = done(await buyer.get('/buyer/accounts/current'));
  return credit.find(({ currency }: { currency: string }) => currency === 'USD')?.committed ?? 0;
}

async function stands(campaign: string) {
  const { status, mediaBuys } = done(await buyer.get(campaign)).campaign;
  return [status, mediaBuys[0].status];
}

const housekept = async () => {
  while (await findNamedFailures(server.running.app.services));
};

test('an order that its seller had named is failed no longer, and its seller says what became of it', async () => {
  const campaign = await failed('far_1');
  expect(await stands(campaign)).toEqual(['DRAFT', 'FAILED']);
  const before = await committed();

  await housekept();

  expect(await stands(campaign)).toEqual(['ACTIVE', 'PENDING_APPROVAL']);
  expect((await committed()) - before).toBe(100);
  takesChanges(far);
  far.agent.on('get_media_buys', () => ({
    media_buys: [{ media_buy_id: 'far_1', status: 'active', packages: [] }],
  }));
  done(await buyer.get(`${campaign}/media-buy-status`));
  expect(await stands(campaign)).toEqual(['ACTIVE', 'ACTIVE']);
  expect(await faultsOf(server.store.db, buyer.organizationId)).toEqual([]);
});

test('one that its seller has ended releases its budget, and its campaign is a draft again', async () => {
  const campaign = await failed('far_2');
  const before = await committed();
  await housekept();
  far.agent.on('get_media_buys', () => ({
    media_buys: [{ media_buy_id: 'far_2', status: 'rejected', packages: [] }],
  }));

  done(await buyer.get(`${campaign}/media-buy-status`));

  expect(await stands(campaign)).toEqual(['DRAFT', 'REJECTED']);
  expect(await committed()).toBe(before);
  expect(await faultsOf(server.store.db, buyer.organizationId)).toEqual([]);
});

test('one that no seller named stays failed', async () => {
  const campaign = await failed(null);

  await housekept();

  expect(await stands(campaign)).toEqual(['DRAFT', 'FAILED']);
});
