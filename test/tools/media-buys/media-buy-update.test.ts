import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fundAccount } from '../../../tools/domain/ledger/operating.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { draftOf } from '../../support/sellers/discovery.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, executed, newAdvertiser } from '../../support/sellers/market.ts';
import { setNamesFree } from '../../support/sellers/names-set-free.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

/** A buy at a seller far away: what the seller takes, refuses, leaves open and does not declare. */
describe('media_buy_update of a buy at an AdCP agent', () => {
  let server: TestServer;
  let buyer: Person;
  let advertiserId: string;
  let far: FarSeller;
  let campaignId: string;
  let mediaBuyId: string;
  /** What the seller's own list says of the buy. */
  let shown: Record<string, unknown>;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    far = await farSeller(server, 'Far');
    far.agent.on('create_media_buy', () => {
      shown = {
        media_buy_id: 'far_1',
        status: 'active',
        packages: [{ package_id: 'pkg_1', product_id: 'far-1', budget: 100 }],
      };
      return shown;
    });
    far.agent.on('get_media_buys', () => ({ media_buys: [shown] }));
    far.agent.on('update_media_buy', () => ({ media_buy_id: 'far_1' }));
    campaignId = await draftOf(buyer, { ...far, advertiserId, productId: 'far-1' });
    mediaBuyId = await executed(buyer, campaignId);
    return () => far.agent.stop();
  });

  const path = () => `/buyer/media-buys/${mediaBuyId}`;
  const buy = async () => done(await buyer.get(path())).mediaBuy;
  const updates = () => far.agent.calls.filter(({ tool }) => tool === 'update_media_buy');
  const refresh = async () => done(await buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`));

  test('is paused and goes on by update_media_buy, each with a key of its own, and is read back', async () => {
    far.agent.on('update_media_buy', ({ paused }) => {
      shown = { ...shown, status: paused ? 'paused' : 'active' };
      return { media_buy_id: 'far_1', status: shown['status'] };
    });

    const paused = await buyer.post(`${path()}/pause`, { reason: 'Out of stock.' });
    expect(paused.body.data).toEqual({
      mediaBuyId,
      name: 'Winter – Agent',
      previousStatus: 'ACTIVE',
      newStatus: 'PAUSED',
      sandbox: false,
      success: true,
    });
    expect(updates()[0]?.args).toEqual({
      adcp_major_version: 3,
      idempotency_key: expect.stringMatching(/^[A-Za-z0-9_.:-]{16,255}$/),
      account: { brand: { domain: 'acme.example' }, operator: expect.any(String) },
      media_buy_id: 'far_1',
      paused: true,
    });
    const resumed = await buyer.post(`${path()}/reactivate`, {});
    expect(resumed.body.data).toMatchObject({ previousStatus: 'PAUSED', newStatus: 'ACTIVE', success: true });
    const keys = updates().map(({ args }) => args['idempotency_key']);
    expect(new Set(keys).size).toBe(2);
    const reads = far.agent.calls.filter(({ tool }) => tool === 'get_media_buys');
    expect(reads).toHaveLength(2);
    expect((await buy()).history.map(({ status }: { status: string }) => status)).toEqual([
      'ACTIVE',
      'PAUSED',
      'ACTIVE',
      'DRAFT',
    ]);
    expect((await buy()).history[1]).toMatchObject({ updated_reason: 'Out of stock.' });
  });

  test('stays ACTIVE while its seller says yes and shows no pause, until it shows it', async () => {
    const { body } = await buyer.post(`${path()}/pause`, {});

    expect(body.data).toMatchObject({
      newStatus: 'ACTIVE',
      success: true,
      error: 'The seller took the change, and does not show it yet: it is active.',
    });
    expect(await buy()).toMatchObject({
      status: 'ACTIVE',
      pendingChange: { status: 'PAUSED', pendingAt: 'salesagent' },
      explanation: expect.stringContaining(
        'does not show it yet: it is active. You: if it is still to be held',
      ),
    });

    shown = { ...shown, status: 'paused' };
    await refresh();

    const after = await buy();
    expect(after).toMatchObject({ status: 'PAUSED', changes: [{ action: 'pause', state: 'confirmed' }] });
    expect(after).not.toHaveProperty('pendingChange');
    expect(updates()).toHaveLength(1);
  });

  test('keeps what was agreed while a change waits for a task, and takes the new version when that is done (200)', async () => {
    far.agent.on('update_media_buy', () => ({
      status: 'submitted',
      task_id: 'task_9',
      message: 'A person looks.',
    }));
    far.agent.on('get_task_status', () => ({ task_id: 'task_9', status: 'working' }));
    const before = await buy();

    const answer = await buyer.patch(path(), {
      packages: [{ packageId: 'pkg_1', budget: 80 }],
      updated_reason: 'Less.',
    });
    expect(answer.body.data).toMatchObject({
      success: true,
      warnings: ['A person looks.'],
      mediaBuy: {
        history: before.history,
        pendingChange: { status: 'PENDING_APPROVAL', differences: { budget: { live: 100, proposed: 80 } } },
      },
    });
    const { versionHash } = answer.body.data.mediaBuy;
    expect(versionHash).not.toBe(before.versionHash);
    await refresh();
    expect(await buy()).toMatchObject({ versionHash, history: before.history });

    far.agent.on('get_task_status', () => ({ task_id: 'task_9', status: 'completed', result: {} }));
    shown = { ...shown, packages: [{ package_id: 'pkg_1', product_id: 'far-1', budget: 80 }] };
    await refresh();

    const after = await buy();
    expect(after.versionHash).not.toBe(versionHash);
    expect(after.history[0]).toMatchObject({
      budget: 80,
      updated_reason: 'Less.',
      updated_by: expect.stringMatching(/^api_key:/),
    });
    expect(after.changes).toMatchObject([{ action: 'update', state: 'confirmed' }]);
  });

  test('keeps with the version which suggestion it comes from, whichever call it is made by', async () => {
    far.agent.on('update_media_buy', ({ packages }) => {
      shown = { ...shown, packages: [{ product_id: 'far-1', ...Object(Object(packages)[0]) }] };
      return { media_buy_id: 'far_1', status: 'active' };
    });
    const packages = (budget: number) => [{ packageId: 'pkg_1', budget }];

    done(await buyer.patch(path(), { packages: packages(90), suggestion_id: 'sug_1' }));
    const mediaBuys = [{ mediaBuyId, packages: packages(80), suggestion_id: 'sug_2' }];
    done(await buyer.put(`/buyer/campaigns/${campaignId}`, { mediaBuys }));
    done(await buyer.patch(path(), { packages: packages(70) }));

    const versions = (await buy()).history.map(({ budget, suggestion_id }: Record<string, unknown>) => [
      budget,
      suggestion_id,
    ]);
    expect(versions.slice(0, 4)).toEqual([
      [70, undefined],
      [80, 'sug_2'],
      [90, 'sug_1'],
      [100, undefined],
    ]);
  });

  test('asks its seller once what it can do: the next change is the change and its reading, and no more', async () => {
    const asked = () => far.agent.calls.filter(({ tool }) => tool === 'get_adcp_capabilities').length;
    far.agent.on('get_adcp_capabilities', () => ({ adcp: { major_versions: [3] } }));
    done(await buyer.patch(path(), { end_time: '2026-12-20T00:00:00Z' }));
    const [before, requests] = [asked(), far.agent.requests];

    done(await buyer.patch(path(), { end_time: '2026-12-21T00:00:00Z' }));

    expect([before, asked()]).toEqual([1, 1]);
    const next = ['update_media_buy', 'get_media_buys', 'get_media_buy_delivery'];
    expect(far.agent.calls.slice(-3).map(({ tool }) => tool)).toEqual(next);
    expect(far.agent.requests - requests).toBe(next.length);
  });

  test('stays as it is where its seller refuses, and says who has to do what', async () => {
    far.agent.on('update_media_buy', () => ({
      errors: [{ code: 'BUDGET_TOO_LOW', message: 'At least 90.', recovery: 'correctable' }],
    }));

    const { body } = await buyer.patch(path(), { packages: [{ packageId: 'pkg_1', budget: 50 }] });

    expect(body.data).toMatchObject({ success: false, warnings: ['BUDGET_TOO_LOW: At least 90.'] });
    expect(body.data.mediaBuy).toMatchObject({
      status: 'ACTIVE',
      errorCode: 'invalid_request',
      errorOwner: 'buyer_input',
      explanation: expect.stringContaining('was refused: change what sourceMessage names'),
    });
  });

  test('is refused upfront what the seller does not declare, field by field, with nothing changed', async () => {
    far.agent.declares('update_media_buy', {
      media_buy_id: {},
      packages: { items: { properties: { package_id: {}, budget: {} } } },
    });

    const reply = await buyer.patch(path(), {
      end_time: '2026-12-20T00:00:00Z',
      packages: [{ packageId: 'pkg_1', bidPrice: 4 }],
    });

    expectRefusal(reply, 422, {
      code: 'CAPABILITY_NOT_SUPPORTED',
      at: {
        end_time: 'The seller declares no “end_time” for changes of a media buy.',
        'packages.0.bidPrice':
          'The seller declares no “packages.bid_price” for changes of a media buy. This option has a fixed price; leave the bid out.',
      },
    });
    expect(reply.body.error.details.unsupported).toEqual([
      {
        mediaBuyId,
        salesAgentId: far.agentId,
        field: 'end_time',
        reason: expect.stringContaining('end_time'),
      },
      {
        mediaBuyId,
        salesAgentId: far.agentId,
        field: 'packages.0.bidPrice',
        reason: expect.stringContaining('bid_price'),
      },
    ]);
    expect(updates()).toHaveLength(0);
    expect((await buy()).changes).toEqual([]);
  });

  test('is refused upfront where the seller speaks another major version alone; a smaller gap is made up for', async () => {
    far.agent.on('get_adcp_capabilities', () => ({ adcp: { major_versions: [2] } }));
    const refused = await buyer.patch(path(), { end_time: '2026-12-20T00:00:00Z' });
    expectRefusal(refused, 422, {
      code: 'VERSION_UNSUPPORTED',
      words:
        'The seller of this media buy speaks another major version of the protocol. Nothing was changed.',
    });
    expect(updates()).toHaveLength(0);
  });

  test('is asked in the release that the seller advertises', async () => {
    far.agent.on('get_adcp_capabilities', () => ({
      adcp: { supported_versions: ['3.0', '3.1', '3.2-beta.4'] },
    }));
    far.agent.on('update_media_buy', () => ({
      media_buy_id: 'far_1',
      status: 'completed',
      media_buy_status: 'active',
    }));

    const { body } = await buyer.patch(path(), { end_time: '2026-12-20T00:00:00Z' });

    expect(body.data).toMatchObject({
      success: true,
      mediaBuy: { endTime: '2026-12-20T00:00:00.000Z', status: 'ACTIVE' },
    });
    expect(updates()[0]?.args).toMatchObject({ adcp_version: '3.1', end_time: '2026-12-20T00:00:00.000Z' });
  });

  test('is refused a second pause with 409: it stands there already', async () => {
    far.agent.on('update_media_buy', () => {
      shown = { ...shown, status: 'paused' };
      return { media_buy_id: 'far_1', status: 'paused' };
    });
    done(await buyer.post(`${path()}/pause`, {}));

    const again = await buyer.post(`${path()}/pause`, {});

    expectRefusal(again, 409, {
      code: 'CONFLICT',
      at: {
        media_buy_id: 'Winter – Agent is PAUSED: only one that runs, or waits for its seller, can be paused.',
      },
    });
    expect(updates()).toHaveLength(1);
  });

  test('says where it is paused and called off, to whoever asks for it here', async () => {
    const packages = [{ packageId: 'pkg_1', canceled: true, paused: true }];
    const asked = { canceled: true, paused: true, status: 'CANCELED', toString: true, packages };

    expectRefusal(await buyer.patch(path(), asked), 400, {
      code: 'VALIDATION_ERROR',
      at: {
        canceled: /^To cancel it call campaign_update with mediaBuys/,
        paused: /^To pause it call media_buy_pause/,
        status: /^To pause it call media_buy_pause.*; to cancel it call campaign_update/,
        'packages.0.canceled': /campaign_update .*action cancel, and packageIds\.$/,
        'packages.0.paused': /^A package is not paused alone/,
        // A name that every object has is no field either.
        toString: /^Unknown field/,
      },
    });
    expect(updates()).toHaveLength(0);
  });

  test('says which field takes what whoever knows campaigns or AdCP gives here', async () => {
    const dates = { startDate: '2026-12-11', end_date: '2026-12-12' };
    const packages = [{ packageId: 'pkg_1', endDate: '2026-12-12' }];
    const asked = { budget: 5_000, bid_price: 2, pacing: 'even', targeting: {}, ...dates, packages };

    const part = (field: string) => new RegExp(`^Give packages\\[\\]\\.${field}, with packageId`);
    expectRefusal(await buyer.patch(path(), asked), 400, {
      code: 'VALIDATION_ERROR',
      at: {
        budget: part('budget'),
        bid_price: part('bidPrice'),
        pacing: part('pacing'),
        targeting: part('targetingOverlay'),
        startDate: 'Give start_time and end_time.',
        end_date: 'Give end_time.',
        'packages.0.endDate': 'Give packages[].endTime.',
      },
    });
    expect(updates()).toHaveLength(0);
  });

  test('is refused a change that was made on a version which holds no more, with the one that does', async () => {
    const { versionHash } = await buy();
    const { status, body } = await buyer.patch(path(), { name: 'New', version_hash: 'stale' });
    expect([status, body.error.details.currentVersion]).toEqual([409, versionHash]);
    expect(body.error.field).toBe('version_hash');
    const camel = await buyer.patch(path(), { name: 'New', versionHash: 'stale' });
    expect([camel.status, camel.body.error.field]).toEqual([409, 'versionHash']);
    const named = await buyer.patch(path(), { name: 'New', version_hash: versionHash });
    expect(named.body.data.mediaBuy).toMatchObject({ name: 'New' });
    expect(updates()).toHaveLength(0);
  });

  const FIXED = 'This option has a fixed price; leave the bid out.';
  test.each([
    {
      what: 'takes bids',
      fields: { package_id: {}, bid_price: {} },
      code: 'VALIDATION_ERROR' as const,
      words: FIXED,
    },
    {
      what: 'declares none',
      fields: { package_id: {} },
      code: 'CAPABILITY_NOT_SUPPORTED' as const,
      words: `The seller declares no “packages.bid_price” for changes of a media buy. ${FIXED}`,
    },
  ])('is refused a bid on a fixed price, each problem at its place, by a seller that $what', async (one) => {
    far.agent.declares('update_media_buy', { packages: { items: { properties: one.fields } } });
    const packages = [
      { packageId: 'pkg_1', bidPrice: 3 },
      { packageId: 'nowhere', bidPrice: 3 },
    ];
    const reply = await buyer.patch(path(), { packages });

    expectRefusal(reply, 422, {
      code: one.code,
      at: {
        'packages.0.bidPrice': one.words,
        'packages.1.packageId': 'The media buy has no such package. It has: pkg_1.',
      },
    });
    expect(updates()).toHaveLength(0);
  });

  test('is not raised beyond the budget of its campaign', async () => {
    const reply = await buyer.patch(path(), { packages: [{ packageId: 'pkg_1', budget: 5_000 }] });
    expectRefusal(reply, 409, {
      code: 'INSUFFICIENT_MEDIA_BUDGET',
      at: {
        'budget.total':
          'The campaign has 100.00 USD (budget.total); with this change the media buys take 5000.00 USD.',
      },
    });
    expect(updates()).toHaveLength(0);
  });

  test('is refused a raise that the account cannot pay, 402 CREDIT_LIMIT_EXCEEDED, before the seller hears of it', async () => {
    const poor = await newPerson(server, { funds: false });
    const { organizationId } = poor;
    await fundAccount(server.operator, { organizationId, currency: 'USD', amountMinor: 10_000 });
    const own = await newAdvertiser(poor);
    const campaign = await draftOf(poor, { ...far, advertiserId: own, productId: 'far-1' });
    await setNamesFree(server);
    const id = await executed(poor, campaign);
    await widen(server, organizationId);

    const refused = await poor.patch(`/buyer/media-buys/${id}`, {
      packages: [{ packageId: 'pkg_1', budget: 101 }],
    });

    expectRefusal(refused, 402, {
      code: 'CREDIT_LIMIT_EXCEEDED',
      words:
        'This would commit 1.00 USD; the account has 0.00 USD available, 1.00 USD too little. Nothing was done.',
    });
    expect(updates()).toHaveLength(0);
    expect(done(await poor.get(`/buyer/media-buys/${id}`)).mediaBuy.changes).toEqual([]);

    await server.store.db.deleteFrom('pricing_rules').where('organization_id', '=', organizationId).execute();
    const unpriced = await poor.patch(`/buyer/media-buys/${id}`, {
      packages: [{ packageId: 'pkg_1', budget: 101 }],
    });
    expectRefusal(unpriced, 409, {
      code: 'PRICING_NOT_CONFIGURED',
      words: 'The advertiser has no pricing rule for Agent.',
    });
    expect(unpriced.body.error.details.unpricedBuyIds).toEqual([id]);
  });
});

/** Room in the campaigns of an organization for larger buys. */
async function widen({ store }: TestServer, organizationId: number): Promise<void> {
  await store.db
    .updateTable('campaigns')
    .set({ budget_minor: 100_000 })
    .where('organization_id', '=', organizationId)
    .execute();
}
