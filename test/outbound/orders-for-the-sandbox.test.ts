import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { recover } from '../../adapters/process/recovery.ts';
import { longestOrderMs } from '../../tools/domain/buying/orders/order-sending.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { expectRefusal } from '../support/callers/refusals.ts';
import { FailingWrites } from '../support/database/failing-writes.ts';
import { ScopeGuard } from '../support/database/scope-guard.ts';
import { eventually } from '../support/run/eventually.ts';
import { gate } from '../support/run/gate.ts';
import { type SkippingClock, skippingClock } from '../support/run/skipping-clock.ts';
import { draftOf } from '../support/sellers/discovery.ts';
import { declaresSandbox, type FarSeller, farSeller, NO_SANDBOX } from '../support/sellers/far-seller.ts';
import { done, newAdvertiser } from '../support/sellers/market.ts';
import { adcpProduct } from '../support/sellers/seller-agent.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const DECLARES = 'get_adcp_capabilities';
const declared = (sandbox: boolean) => ({ adcp: { major_versions: [3] }, account: { sandbox } });

/** An order of a sandbox advertiser goes to no seller that would take it for a real one. */
describe('an order for the sandbox', () => {
  const writes = new FailingWrites();
  let server: TestServer;
  let clock: SkippingClock;
  let buyer: Person;
  let advertiserId: string;
  const sellers: FarSeller[] = [];
  beforeAll(async () => {
    clock = skippingClock();
    server = await startTestServer({
      clock,
      store: { plugins: [new ScopeGuard(), writes] },
      settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' },
    });
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer, { sandbox: true });
  });
  afterEach(() => Promise.all(sellers.splice(0).map(({ agent }) => agent.stop())));
  afterAll(() => server.stop());

  /** A draft that is to buy of a seller, which keeps sandbox accounts when it is made. */
  async function drafted(): Promise<{ far: FarSeller; campaignId: string }> {
    const far = await farSeller(server, 'Far', [adcpProduct('far-1')]);
    sellers.push(far);
    declaresSandbox(far, true);
    return { far, campaignId: await draftOf(buyer, { ...far, advertiserId, productId: 'far-1' }) };
  }

  const execute = (campaignId: string) => buyer.post(`/buyer/campaigns/${campaignId}/execute`);
  const campaignOf = async (campaignId: string) =>
    done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign;
  const callsOf = ({ agent }: FarSeller, name: string) => agent.calls.filter(({ tool }) => tool === name);
  const ordersAt = (far: FarSeller) => callsOf(far, 'create_media_buy');
  const buyOf = (campaignId: string) =>
    server.store.db
      .selectFrom('media_buys')
      .select(['id', 'submission', 'status', 'error_code', 'error_owner', 'source_message'])
      .where('organization_id', '=', buyer.organizationId)
      .where('campaign_id', '=', campaignId)
      .executeTakeFirstOrThrow();
  const refused = { code: 'CAPABILITY_NOT_SUPPORTED', at: { 'account.sandbox': NO_SANDBOX } } as const;

  test('goes to a seller that declares sandbox accounts, in such an account', async () => {
    const { far, campaignId } = await drafted();

    expect(done(await execute(campaignId))).toMatchObject({ success: true, sandbox: true });

    expect(ordersAt(far)).toMatchObject([{ args: { account: { sandbox: true } } }]);
  });

  test('is refused before anything is changed where its seller declares none, and its draft warns of it', async () => {
    const { far, campaignId } = await drafted();
    expect((await campaignOf(campaignId)).warnings ?? []).toEqual([]);
    declaresSandbox(far, false);

    const reply = await execute(campaignId);

    expectRefusal(reply, 422, {
      ...refused,
      details: {
        unsupported: [{ productId: 'far-1', salesAgentId: far.agentId, field: 'account.sandbox' }],
      },
    });
    expect(reply.body.error.details.suggestion).toBe(
      'Choose products of another seller: drop the product with discovery_remove_products, and repeat the call. ' +
        'An advertiser that is no sandbox can buy there, with real money.',
    );
    expect(ordersAt(far)).toEqual([]);
    const warning = `Product far-1 of Agent cannot be bought for a sandbox advertiser: ${NO_SANDBOX}`;
    const after = await campaignOf(campaignId);
    expect(after).toMatchObject({ status: 'DRAFT', mediaBuys: [] });
    expect(after.warnings).toContain(warning);
    const choice = done(await buyer.get(`/buyer/discovery/${after.discoveryId}/products`));
    expect(choice.warnings).toContain(warning);
  });

  test('of a draft is no matter of a live advertiser, which buys there', async () => {
    const { far } = await drafted();
    declaresSandbox(far, false);
    const live = await newAdvertiser(buyer);
    const campaignId = await draftOf(buyer, { ...far, advertiserId: live, productId: 'far-1' });

    expect((await campaignOf(campaignId)).warnings ?? []).toEqual([]);
    expect(done(await execute(campaignId))).toMatchObject({ success: true, sandbox: false });
  });

  describe('whose seller withdraws its sandbox accounts once the order is stored', () => {
    /** Withdraws them after so many more questions: execute asks, and then the order that goes out. */
    function withdrawsAfter({ agent }: FarSeller, times: number): void {
      let left = times;
      agent.on(DECLARES, () => {
        left -= 1;
        return declared(left >= 0);
      });
    }

    test('is kept back and over, and goes out once they are declared again', async () => {
      const { far, campaignId } = await drafted();
      withdrawsAfter(far, 1);

      expect(done(await execute(campaignId))).toMatchObject({ success: false, mediaBuysExecuted: 0 });

      expect(ordersAt(far)).toEqual([]);
      expect(await buyOf(campaignId)).toMatchObject({
        ...{
          submission: 'unsent',
          status: 'FAILED',
          error_code: 'invalid_request',
          error_owner: 'buyer_input',
        },
        source_message: `The order was not sent: ${NO_SANDBOX} You: choose products of another seller in its place, or buy for an advertiser that is no sandbox, with real money.`,
      });
      expectRefusal(await execute(campaignId), 422, refused);
      declaresSandbox(far, true);
      expect(done(await execute(campaignId))).toMatchObject({ success: true, mediaBuysExecuted: 1 });
      expect(ordersAt(far)).toHaveLength(1);
    });

    test('is not sent once more where the answer to it was lost, and stays unknown until it can be', async () => {
      const { far, campaignId } = await drafted();
      far.agent.on('create_media_buy', () => ({ thanks: true }));
      expect(done(await execute(campaignId))).toMatchObject({ success: false });
      expect(await buyOf(campaignId)).toMatchObject({ submission: 'unknown' });
      const sent = ordersAt(far).length;
      declaresSandbox(far, false);

      expect(done(await execute(campaignId))).toMatchObject({ success: false, mediaBuysExecuted: 0 });

      expect(ordersAt(far)).toHaveLength(sent);
      const left = await buyOf(campaignId);
      expect(left).toMatchObject({ submission: 'unknown', status: 'FAILED' });
      expect(left.source_message).toBe(
        `The order was not sent again: ${NO_SANDBOX} It may have taken the order before: ask the seller, and have the operator of this service settle the order by its answer.`,
      );
      declaresSandbox(far, true);
      far.agent.on('create_media_buy', () => ({ media_buy_id: 'far_1', status: 'active', packages: [] }));
      expect(done(await execute(campaignId))).toMatchObject({ success: true, mediaBuysExecuted: 1 });
      expect(new Set(ordersAt(far).map(({ args }) => args['idempotency_key'])).size).toBe(1);
    });

    test('is not sent by the process that takes it over', async () => {
      const { far, campaignId } = await drafted();
      const failed = gate();
      far.agent.on('create_media_buy', () => {
        void writes.failNext().then(failed.open);
        return { media_buy_id: 'far_1', status: 'active', packages: [] };
      });
      await execute(campaignId);
      await failed.passed;
      expect(await buyOf(campaignId)).toMatchObject({ submission: 'sending' });
      const asked = callsOf(far, DECLARES).length;
      declaresSandbox(far, false);

      clock.skip(longestOrderMs(server.running.app.services.limits) + 60_000);
      await recover(server.running.app.services);
      await far.agent.called(DECLARES, asked + 1);
      await eventually(async () => expect(await buyOf(campaignId)).toMatchObject({ submission: 'unknown' }));

      expect(ordersAt(far)).toHaveLength(1);
      expect((await buyOf(campaignId)).source_message).toContain('The order was not sent again');
    });

    test('can be paused and called off where it runs', async () => {
      const { far, campaignId } = await drafted();
      far.agent.on('update_media_buy', ({ paused, canceled, media_buy_id }) => ({
        media_buy_id,
        status: canceled === true ? 'canceled' : paused === true ? 'paused' : 'active',
        packages: [],
      }));
      const { mediaBuys } = done(await execute(campaignId));
      const [{ mediaBuyId }] = mediaBuys;
      declaresSandbox(far, false);

      const paused = await buyer.post(`/buyer/media-buys/${mediaBuyId}/pause`);
      const raised = await buyer.put(`/buyer/campaigns/${campaignId}`, { budget: { total: 200 } });
      const canceled = await buyer.post(`/buyer/campaigns/${campaignId}/cancel`);

      for (const reply of [paused, raised, canceled]) expect(reply.status).toBe(200);
      expect(callsOf(far, 'update_media_buy').map(({ args }) => args)).toMatchObject([
        { paused: true },
        { canceled: true },
      ]);
    });
  });

  describe('whose seller does not say whether it keeps sandbox accounts', () => {
    test('is not sent where it refuses to, and can be ordered again', async () => {
      const { far, campaignId } = await drafted();
      far.agent.on(DECLARES, () => ({ errors: [{ code: 'INTERNAL_ERROR', message: 'Not now.' }] }));

      expect(done(await execute(campaignId))).toMatchObject({ success: false, mediaBuysExecuted: 0 });

      expect(ordersAt(far)).toEqual([]);
      expect(await buyOf(campaignId)).toMatchObject({
        ...{ submission: 'answered', status: 'FAILED', error_code: 'source_unavailable' },
        source_message: expect.stringContaining('refuses to say whether it keeps sandbox accounts'),
      });
      declaresSandbox(far, true);
      expect(done(await execute(campaignId))).toMatchObject({ success: true, mediaBuysExecuted: 1 });
    });

    test('is not sent where it is away, and nobody holds it', async () => {
      const { far, campaignId } = await drafted();
      await far.agent.stop();

      expect(done(await execute(campaignId))).toMatchObject({ success: false, mediaBuysExecuted: 0 });

      expect(await buyOf(campaignId)).toMatchObject({
        ...{ submission: 'answered', status: 'FAILED', error_code: 'source_unavailable' },
      });
    });
  });
});
