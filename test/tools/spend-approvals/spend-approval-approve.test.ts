import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { setCreditLimit } from '../../../tools/domain/ledger/operating.ts';
import { faultsOf } from '../../support/buying/ledger.ts';
import { limitSpend } from '../../support/buying/spend-limits.ts';
import { newBrowser } from '../../support/callers/browsers.ts';
import { clientFor } from '../../support/callers/client.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { declaresSandbox, type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, draftCampaign, newAdvertiser, openStorefront } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const accepted = () => ({ media_buy_id: 'far_1', status: 'active', packages: [] });

describe('spend_approval_approve', () => {
  let server: TestServer;
  let far: FarSeller;
  let nearId: string;
  let buyer: Person;
  let advertiserId: string;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    far = await farSeller(server, 'Far');
    declaresSandbox(far, true);
    nearId = (await openStorefront(await newPerson(server))).storefrontId;
  });
  beforeEach(async () => {
    far.agent.on('create_media_buy', accepted);
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
    await limitSpend(server, buyer, 500);
  });
  afterEach(async () => {
    expect(await faultsOf(server.store.db, buyer.organizationId)).toEqual([]);
  });
  afterAll(async () => {
    await server.stop();
    await far.agent.stop();
  });

  const draft = async (each: number, changes: object = {}) => {
    const asked = { advertiserId, each, budget: 2_000, storefrontIds: [nearId], ...changes };
    return draftCampaign(buyer, asked);
  };
  const execute = async (campaignId: string, by: { post: Person['post'] } = buyer) =>
    done(await by.post(`/buyer/campaigns/${campaignId}/execute`));
  const campaignOf = async (id: string) => done(await buyer.get(`/buyer/campaigns/${id}`)).campaign;
  const approvalOf = async (id: string) => done(await buyer.get(`/buyer/spend-approvals/${id}`));
  const approve = (id: string, by: { post: Person['post'] }) =>
    by.post(`/buyer/spend-approvals/${id}/approve`);
  const another = async () => clientFor(server.url, await buyer.browser());
  const committed = async () => {
    const { credit } = done(await buyer.get('/buyer/accounts/current'));
    return credit.find(({ currency }: { currency: string }) => currency === 'USD').committed;
  };
  /** A campaign that waits for another person before it is executed. */
  const waiting = async (each = 900, changes: object = {}) => {
    const { campaignId } = await draft(each, changes);
    const { approval } = await execute(campaignId);
    return { campaignId, approvalId: approval.approvalId as string };
  };
  /** A buy of 400 that runs. */
  const running = async () => {
    const { campaignId } = await draft(400);
    await execute(campaignId);
    const { mediaBuys } = await campaignOf(campaignId);
    return { campaignId, mediaBuyId: mediaBuys[0].mediaBuyId as string };
  };
  const raise = async (mediaBuyId: string, budget: number) => {
    const { packages } = done(await buyer.get(`/buyer/media-buys/${mediaBuyId}/packages`));
    const [{ package_id, packageId = package_id }] = packages;
    return done(await buyer.patch(`/buyer/media-buys/${mediaBuyId}`, { packages: [{ packageId, budget }] }));
  };

  describe('200', () => {
    test('does what was asked, which had done nothing until then, and at the limit nobody is asked', async () => {
      const { campaignId } = await draft(501, { storefrontIds: [far.storefrontId] });
      const orders = () => far.agent.calls.filter(({ tool }) => tool === 'create_media_buy').length;
      const before = orders();
      const asked = await execute(campaignId);
      expect(asked).toMatchObject({
        previousStatus: 'DRAFT',
        newStatus: 'DRAFT',
        success: false,
        mediaBuysExecuted: 0,
        mediaBuys: [],
        reason: 'approval_needed',
        approval: { amount: 501, limit: 500, currency: 'USD' },
      });
      expect((await campaignOf(campaignId)).status).toBe('DRAFT');
      expect([orders() - before, await committed()]).toEqual([0, 0]);

      const { status, body } = await approve(asked.approval.approvalId, await another());

      expect(status).toBe(200);
      expect(body.data).toMatchObject({ status: 'approved', askedBy: 'Test', operation: 'campaign_execute' });
      expect((await campaignOf(campaignId)).status).toBe('ACTIVE');
      expect([orders() - before, await committed()]).toEqual([1, 501]);

      const { campaignId: within } = await draft(500);
      expect(await execute(within)).toMatchObject({ newStatus: 'ACTIVE', mediaBuysExecuted: 1 });
    });

    test('is one deed, whoever approves it how often and at once', async () => {
      const { campaignId, approvalId } = await waiting(900, { storefrontIds: [far.storefrontId] });
      const before = far.agent.calls.length;
      const people = [await another(), await another()];
      const third = clientFor(server.url, (await newBrowser(server, buyer.organizationId)).credential);

      const ends = await Promise.all([...people, third].map((person) => approve(approvalId, person)));

      expect(ends.map(({ status }) => status)).toContain(200);
      for (const { status } of ends) expect([200, 409]).toContain(status);
      const orders = far.agent.calls.slice(before).filter(({ tool }) => tool === 'create_media_buy');
      // A line that breaks has an order sent again, under its key (decision 0010): one order all the same.
      expect(new Set(orders.map(({ args }) => args['idempotency_key'])).size).toBe(1);
      expect(await committed()).toBe(900);
      expect(await approve(approvalId, third)).toMatchObject({ status: 200 });
      expect((await campaignOf(campaignId)).mediaBuys).toHaveLength(1);
      const entries = await server.store.db
        .selectFrom('audit_logs')
        .select(['tool', 'outcome', 'changes'])
        .where('organization_id', '=', buyer.organizationId)
        .where('resource_id', '=', approvalId)
        .where('outcome', '=', 'succeeded')
        .orderBy('id')
        .execute();
      expect(entries.map(({ tool }) => tool)).toEqual(['campaign_execute', 'spend_approval_approve']);
      expect(entries[1]?.changes).toContain('api_key:');
    });

    test('raises a running buy, by media_buy_update and by campaign_update', async () => {
      const { campaignId, mediaBuyId } = await running();
      const asked = await raise(mediaBuyId, 600);
      expect(asked).toMatchObject({ success: false, approval: { amount: 600, limit: 500 } });
      expect(await committed()).toBe(400);

      await approve(asked.approval.approvalId, await another());
      expect(await committed()).toBe(600);

      const { packages } = done(await buyer.get(`/buyer/media-buys/${mediaBuyId}/packages`));
      const packageId = packages[0].package_id ?? packages[0].packageId;
      const mediaBuys = [{ mediaBuyId, packages: [{ packageId, budget: 700 }] }];
      const updated = done(
        await buyer.put(`/buyer/campaigns/${campaignId}`, { name: 'Spring', mediaBuys, reason: 'It sells.' }),
      );
      expect(updated).toMatchObject({
        campaign: { name: 'Winter' },
        success: false,
        warnings: [expect.stringMatching(/^Nothing was done yet: .* do not call again meanwhile\.$/)],
        approval: { amount: 700 },
      });

      await approve(updated.approval.approvalId, await another());
      expect(await committed()).toBe(700);
      expect((await campaignOf(campaignId)).name).toBe('Spring');
      expect(await approvalOf(updated.approval.approvalId)).toMatchObject({ reason: 'It sells.' });
    });

    test('lets what was paused go on: a campaign, and a media buy', async () => {
      const { campaignId, approvalId } = await waiting();
      await approve(approvalId, await another());
      done(await buyer.post(`/buyer/campaigns/${campaignId}/pause`, {}));

      const asked = done(await buyer.post(`/buyer/campaigns/${campaignId}/reactivate`, {}));
      expect(asked).toMatchObject({
        newStatus: 'PAUSED',
        totalMediaBuys: 0,
        success: false,
        warnings: [expect.stringMatching(/^Nothing was done yet: /)],
        approval: { amount: 900, limit: 500 },
      });
      await approve(asked.approval.approvalId, await another());
      const { status, mediaBuys } = await campaignOf(campaignId);
      expect([status, mediaBuys[0].status]).toEqual(['ACTIVE', 'ACTIVE']);

      const { mediaBuyId } = mediaBuys[0];
      done(await buyer.post(`/buyer/media-buys/${mediaBuyId}/pause`, {}));
      const again = done(await buyer.post(`/buyer/media-buys/${mediaBuyId}/reactivate`, {}));
      expect(again).toMatchObject({ newStatus: 'PAUSED', success: false });
      await approve(again.approval.approvalId, await another());
      expect((await campaignOf(campaignId)).mediaBuys[0].status).toBe('ACTIVE');
      expect(await committed()).toBe(900);
    });

    test('in the sandbox, and in another currency, nobody is asked', async () => {
      const sandbox = await newAdvertiser(buyer, { sandbox: true });
      const { campaignId } = await draft(900, { advertiserId: sandbox });
      expect(await execute(campaignId)).toMatchObject({ mediaBuysExecuted: 1 });
      await limitSpend(server, buyer);
      const { campaignId: free } = await draft(900);
      expect(await execute(free)).toMatchObject({ mediaBuysExecuted: 1 });
    });

    test('asked twice it is one question, and with another choice another one that takes its place', async () => {
      const { campaignId, discoveryId, products } = await draft(900);
      const [first, second] = [await execute(campaignId), await execute(campaignId)];
      expect(second.approval).toEqual(first.approval);

      const chosen = products.map((product: object) => ({ ...product, budget: 800 }));
      done(await buyer.post(`/buyer/discovery/${discoveryId}/products`, { products: chosen }));
      const third = await execute(campaignId);

      expect(third.approval).toMatchObject({ amount: 800 });
      expect(await approvalOf(first.approval.approvalId)).toMatchObject({ status: 'withdrawn' });
      const { items } = done(await buyer.get(`/buyer/spend-approvals?campaignId=${campaignId}`));
      expect(items.map(({ status }: { status: string }) => status)).toEqual(['pending', 'withdrawn']);
    });

    test('a repeat under the key of the asking call is answered with the approval, before and after', async () => {
      const { campaignId } = await draft(900);
      const send = () =>
        buyer.send(`/buyer/campaigns/${campaignId}/execute`, {
          method: 'POST',
          headers: { 'Idempotency-Key': 'ask-once' },
        });
      const [first, second] = [await send(), await send()];
      expect(second.body.data).toEqual(first.body.data);

      await approve(first.body.data.approval.approvalId, await another());
      expect((await send()).body.data).toEqual(first.body.data);
      expect(await committed()).toBe(900);
    });
  });

  describe('refused', () => {
    test('403 FORBIDDEN to who asked, to whose key asked, and to every credential that is no browser', async () => {
      const admin = await newBrowser(server, buyer.organizationId);
      const own = clientFor(server.url, admin.credential);
      const { campaignId } = await draft(900);
      const byPerson = await execute(campaignId, own);
      expectRefusal(await approve(byPerson.approval.approvalId, own), 403, {
        code: 'FORBIDDEN',
        words: 'You asked for it, or your key did: another person has to decide.',
      });

      const made = done(
        await own.post('/org-api-keys', { name: 'Nightly', permissions: ['buyer:write', 'buyer:read'] }),
      );
      const { campaignId: other } = await draft(900);
      const byKey = await execute(other, clientFor(server.url, made.apiKey.value));
      expect(await approve(byKey.approval.approvalId, own)).toMatchObject({ status: 403 });
      expect(await approve(byKey.approval.approvalId, buyer)).toMatchObject({ status: 403 });
      const member = await newBrowser(server, buyer.organizationId, 'MEMBER');
      expect(
        await approve(byKey.approval.approvalId, clientFor(server.url, member.credential)),
      ).toMatchObject({ status: 403 });
      expect(await committed()).toBe(0);
      expect(await approve(byKey.approval.approvalId, await another())).toMatchObject({ status: 200 });
    });

    test('403 FORBIDDEN to whoever made a secret of the application that asked', async () => {
      const [maker, other] = [
        await newBrowser(server, buyer.organizationId),
        await newBrowser(server, buyer.organizationId),
      ];
      const [one, two] = [maker, other].map(({ credential }) => clientFor(server.url, credential));
      const { application, clientSecret } = done(
        await (one as NonNullable<typeof one>).post('/m2m-applications', {
          name: 'Desk',
          permissions: ['buyer:write'],
        }),
      );
      done(await (two as NonNullable<typeof two>).post(`/m2m-applications/${application.id}/secrets`, {}));
      const response = await fetch(`${server.url}/auth/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: application.clientId,
          client_secret: clientSecret,
        }),
      });
      const { access_token: token } = JSON.parse(await response.text());
      const { campaignId } = await draft(900);
      const { approval } = await execute(campaignId, clientFor(server.url, token));

      for (const person of [one, two]) {
        expect(await approve(approval.approvalId, person as NonNullable<typeof person>)).toMatchObject({
          status: 403,
        });
      }
      expect(await approve(approval.approvalId, await another())).toMatchObject({ status: 200 });
    });

    test('409 CONFLICT where another choice would be bought than was asked for', async () => {
      const { campaignId, discoveryId, products } = await draft(900);
      const { approval } = await execute(campaignId);
      const chosen = products.map((product: object) => ({ ...product, budget: 901 }));
      done(await buyer.post(`/buyer/discovery/${discoveryId}/products`, { products: chosen }));

      expectRefusal(await approve(approval.approvalId, await another()), 409, {
        code: 'CONFLICT',
        words: 'What it would spend, or buy, is not what was asked for any more: nothing was done.',
      });
      expect(await approvalOf(approval.approvalId)).toMatchObject({ status: 'pending' });
      expect(await committed()).toBe(0);
    });

    test('409 CONFLICT once it was rejected, done otherwise, or its time is over', async () => {
      const rejected = await waiting();
      done(await (await another()).post(`/buyer/spend-approvals/${rejected.approvalId}/reject`, {}));
      expect(await approve(rejected.approvalId, await another())).toMatchObject({ status: 409 });

      const otherwise = await waiting();
      await limitSpend(server, buyer);
      await execute(otherwise.campaignId);
      expectRefusal(await approve(otherwise.approvalId, await another()), 409, {
        code: 'CONFLICT',
        words: 'The approval is withdrawn: there is nothing to decide any more.',
      });
      expect(await committed()).toBe(900);

      await limitSpend(server, buyer, 500);
      const late = await waiting();
      await server.store.db
        .updateTable('spend_approvals')
        .set({ expires_at: server.operator.now })
        .where('organization_id', '=', buyer.organizationId)
        .where('id', '=', late.approvalId)
        .execute();
      expect(await approve(late.approvalId, await another())).toMatchObject({ status: 409 });
      expect(await approvalOf(late.approvalId)).toMatchObject({ status: 'expired' });
      expect((await execute(late.campaignId)).approval.approvalId).not.toBe(late.approvalId);
    });

    test('402 CREDIT_LIMIT_EXCEEDED leaves it to be decided, with nothing done', async () => {
      const poor = await newPerson(server, { funds: false });
      const credit = (limitMinor: number) =>
        setCreditLimit(server.operator, {
          organizationId: poor.organizationId,
          currency: 'USD',
          limitMinor,
        });
      await limitSpend(server, poor, 10);
      await credit(10_000);
      const { campaignId } = await draftCampaign(poor, {
        advertiserId: await newAdvertiser(poor),
        storefrontIds: [nearId],
      });
      const { approval } = await execute(campaignId, poor);
      await credit(0);
      const reply = await approve(approval.approvalId, clientFor(server.url, await poor.browser()));
      expectRefusal(reply, 402, {
        code: 'CREDIT_LIMIT_EXCEEDED',
        words:
          'This would commit 100.00 USD; the account has 0.00 USD available, 100.00 USD too little. Nothing was done.',
      });
      expect(done(await poor.get(`/buyer/spend-approvals/${approval.approvalId}`)).status).toBe('pending');
    });

    test('409 PRICING_NOT_CONFIGURED reaches who approves, and nothing is done', async () => {
      const { campaignId, approvalId } = await waiting();
      await server.store.db
        .updateTable('pricing_rules')
        .set({ ended_at: server.operator.now })
        .where('organization_id', '=', buyer.organizationId)
        .execute();
      const reply = await approve(approvalId, await another());
      expectRefusal(reply, 409, {
        code: 'PRICING_NOT_CONFIGURED',
        words: 'The advertiser has no pricing rule for Shelf.',
      });
      expect((await campaignOf(campaignId)).status).toBe('DRAFT');
    });
  });
});
