import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { setSpendLimit } from '../../../tools/domain/approvals/limits.ts';
import { dropPricingRule, setPricingRule } from '../../../tools/domain/ledger/pricing-rules.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { takesChanges } from '../../support/sellers/changing-seller.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, draftCampaign, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

/** Two storefronts, North and South, of which each calls what it sells through Agent. */
describe('sellers that share a name', () => {
  let server: TestServer;
  let sellers: FarSeller[];
  let buyer: Person;
  let campaignId: string;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    sellers = [await farSeller(server, 'North'), await farSeller(server, 'South')];
  });
  afterAll(async () => {
    await server.stop();
    await Promise.all(sellers.map(({ agent }) => agent.stop()));
  });
  beforeEach(async () => {
    for (const seller of sellers) takesChanges(seller);
    buyer = await newPerson(server);
    const storefrontIds = sellers.map(({ storefrontId }) => storefrontId);
    const advertiserId = await newAdvertiser(buyer);
    ({ campaignId } = await draftCampaign(buyer, { advertiserId, storefrontIds }));
  });

  const execute = () => buyer.post(`/buyer/campaigns/${campaignId}/execute`);
  const BOTH = /Agent \((North|South)\), Agent \((?!\1)(?:North|South)\)/;

  test('are told apart where no pricing rule is about them, and once they hold orders', async () => {
    const { organizationId } = buyer;
    await dropPricingRule(server.operator, { organizationId });

    const refused = await execute();

    expectRefusal(refused, 409, { code: 'PRICING_NOT_CONFIGURED', words: BOTH });
    await setPricingRule(server.operator, { organizationId, feeBps: 0 });
    done(await execute());
    done(await buyer.post(`/buyer/campaigns/${campaignId}/pause`));
    await dropPricingRule(server.operator, { organizationId });
    const again = await buyer.post(`/buyer/campaigns/${campaignId}/reactivate`);
    const ids = again.body.error.details.salesAgentIds.map((id: string) => `Agent \\(${id}\\)`);
    expect(ids).toHaveLength(2);
    expectRefusal(again, 409, { code: 'PRICING_NOT_CONFIGURED', words: new RegExp(ids.join(', ')) });
  });

  test('are told apart to whoever decides on a spend', async () => {
    const { organizationId } = buyer;
    await setSpendLimit(server.operator, { organizationId, currency: 'USD', limitMinor: 5_000 });

    const held = await execute();

    const { approvalId } = held.body.data?.approval ?? held.body.error.details;
    const { sellerNames } = done(await buyer.get(`/buyer/spend-approvals/${approvalId}`));
    expect(sellerNames.sort()).toEqual(['Agent (North)', 'Agent (South)']);
  });

  test('are told apart where they take no orders', async () => {
    const ids = sellers.map(({ storefrontId }) => Number(storefrontId));
    const pause = (is_paused: 0 | 1) =>
      server.store.db
        .withoutPlugins()
        .updateTable('storefronts')
        .set({ is_paused })
        .where('id', 'in', ids)
        .execute();
    await pause(1);

    const refused = await execute();

    await pause(0);
    expectRefusal(refused, 409, { code: 'CONFLICT', words: BOTH });
  });
});
