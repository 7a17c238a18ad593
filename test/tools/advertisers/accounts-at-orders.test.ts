import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { recover } from '../../../adapters/process/recovery.ts';
import { longestOrderMs } from '../../../tools/domain/buying/orders/order-sending.ts';
import { verifyDomain } from '../../../tools/domain/organizations/domains.ts';
import { faultsOf } from '../../support/buying/ledger.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { FailingWrites } from '../../support/database/failing-writes.ts';
import { ScopeGuard } from '../../support/database/scope-guard.ts';
import { eventually } from '../../support/run/eventually.ts';
import { type SkippingClock, skippingClock } from '../../support/run/skipping-clock.ts';
import { draftOf } from '../../support/sellers/discovery.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { accountsAt } from '../../support/sellers/linked-accounts.ts';
import { done, draftCampaign, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const acme = { operator: 'agency.example', brand: { domain: 'acme.example' }, status: 'active' };
const TAKEN = { media_buy_id: 'far_1', status: 'active', packages: [] };
const DOWN = { errors: [{ code: 'INTERNAL_ERROR', message: 'Down.' }] };
const KEPT_BACK =
  'The order was kept back: Agent could not be asked for the account acc-1. INTERNAL_ERROR: Down. You: execute the campaign again later, or link another account there with account_link_create.';
const INSTEAD =
  'Link another account there with account_link_create (available_account_list shows them), or take this one away with account_link_delete';

/** What an account was when it was linked is not what it is when an order goes out under it. */
describe('the linked account that an order goes out under', () => {
  const writes = new FailingWrites();
  let server: TestServer;
  let clock: SkippingClock;
  let buyer: Person;
  let far: FarSeller;
  let id: string;
  let campaignId: string;
  let accounts: readonly object[];
  beforeAll(async () => {
    clock = skippingClock();
    server = await startTestServer({
      clock,
      store: { plugins: [new ScopeGuard(), writes] },
      settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' },
    });
    buyer = await newPerson(server);
    await verifyDomain(server.operator, { organizationId: buyer.organizationId, domain: 'agency.example' });
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    far = await farSeller(server, 'Far');
    accounts = [{ ...acme, account_id: 'acc-1' }];
    lists();
    far.agent.on('create_media_buy', () => TAKEN);
    far.agent.on('update_media_buy', () => TAKEN);
    const at = await accountsAt(buyer, far);
    id = await newAdvertiser(buyer, { linkedAccounts: [at('acc-1')] });
    campaignId = await draftOf(buyer, { ...far, advertiserId: id, productId: 'far-1' });
    return () => far.agent.stop();
  });

  function lists(): void {
    far.agent.on('list_accounts', () => ({ accounts }));
  }
  const execute = () => buyer.post(`/buyer/campaigns/${campaignId}/execute`);
  const campaign = async () => done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign;
  const orders = () => far.agent.calls.filter(({ tool }) => tool === 'create_media_buy');
  const asked = () => far.agent.calls.filter(({ tool }) => tool === 'list_accounts').length;
  const linked = async () => done(await buyer.get(`/buyer/advertisers/${id}`)).linkedAccounts;
  const explained = async () => {
    const [{ mediaBuyId }] = (await campaign()).mediaBuys;
    return done(await buyer.get(`/buyer/media-buys/${mediaBuyId}`)).mediaBuy;
  };
  const setLink = (set: object) =>
    server.store.db
      .updateTable('advertiser_accounts')
      .set(set)
      .where('organization_id', '=', buyer.organizationId)
      .where('advertiser_id', '=', Number(id))
      .execute();
  const refusedFor = (message: string) => ({
    code: 'VALIDATION_ERROR' as const,
    at: { linkedAccounts: message },
  });

  test.each(['suspended', 'closed', 'payment_required'])(
    'is refused with 422 once it is %s at its seller, which the link, the draft and the refusal say',
    async (status) => {
      accounts = [{ ...acme, account_id: 'acc-1', status }];
      clock.skip(1_000);
      const what = status === 'closed' ? 'closed, or named no more,' : status;
      const words = `The account acc-1 is ${what} at Agent: nothing is ordered under it.`;

      const reply = await execute();

      expectRefusal(reply, 422, refusedFor(words));
      expect(reply.body.error.details).toMatchObject({
        suggestion: `${INSTEAD}, and repeat the call.`,
        accounts: [{ accountId: 'acc-1', salesAgentId: far.agentId, status }],
      });
      expect(orders()).toEqual([]);
      const { status: stands, warnings, mediaBuys } = await campaign();
      expect({ stands, mediaBuys }).toEqual({ stands: 'DRAFT', mediaBuys: [] });
      expect(warnings).toContain(`linkedAccounts: ${words} ${INSTEAD}, and repeat the call.`);
      const [link] = await linked();
      expect(link).toMatchObject({ status });
      expect(link.updatedAt > link.createdAt).toBe(true);
      const found = done(await buyer.get(`/buyer/advertisers/${id}/accounts?status=${status}`));
      expect(found.accounts).toMatchObject([{ accountId: 'acc-1', status }]);
    },
  );

  test('is refused with 422 once its seller names it no more, until another is linked', async () => {
    accounts = [{ ...acme, account_id: 'acc-2' }];

    expectRefusal(
      await execute(),
      422,
      refusedFor(
        'Agent names no account acc-1 for this advertiser that is of a verified domain of your organization.',
      ),
    );

    expect(await linked()).toMatchObject([{ accountId: 'acc-1', status: 'closed' }]);
    const at = await accountsAt(buyer, far);
    done(await buyer.post(`/buyer/advertisers/${id}/accounts`, at('acc-2')));
    expect((await campaign()).warnings ?? []).not.toContainEqual(expect.stringContaining('acc-1'));
    expect(done(await execute())).toMatchObject({ success: true });
    expect(orders().map(({ args }) => args['account'])).toEqual([{ account_id: 'acc-2' }]);
  });

  test('runs again here once it does there', async () => {
    accounts = [{ ...acme, account_id: 'acc-1', status: 'suspended' }];
    expect((await execute()).status).toBe(422);
    accounts = [{ ...acme, account_id: 'acc-1' }];

    expect(done(await execute())).toMatchObject({ success: true });

    expect(await linked()).toMatchObject([{ status: 'active' }]);
  });

  test('is asked for once an order, whatever was said a moment ago, and not by a draft that is read', async () => {
    const before = asked();

    await campaign();
    expect(asked()).toBe(before);
    done(await execute());

    expect(asked()).toBe(before + 1);
  });

  test('stands where its seller named it and cannot be asked now, and is unreachable until it can', async () => {
    far.agent.on('list_accounts', () => DOWN);

    expect(done(await execute())).toMatchObject({ success: true });

    expect(await linked()).toMatchObject([{ status: 'unreachable' }]);
    expect(orders().map(({ args }) => args['account'])).toEqual([{ account_id: 'acc-1' }]);
  });

  test('stays refused where its seller took it back and cannot be asked now', async () => {
    accounts = [{ ...acme, account_id: 'acc-1', status: 'suspended' }];
    expect((await execute()).status).toBe(422);
    far.agent.on('list_accounts', () => DOWN);

    expectRefusal(
      await execute(),
      422,
      refusedFor('The account acc-1 is suspended at Agent: nothing is ordered under it.'),
    );
    expect(await linked()).toMatchObject([{ status: 'suspended' }]);
  });

  test('keeps its order back where its seller lists accounts, never named it, and cannot be asked now', async () => {
    await setLink({ status: 'unreachable', confirmed_at: null });
    far.agent.on('list_accounts', () => DOWN);

    const reply = done(await execute());

    expect(reply).toMatchObject({ success: false, newStatus: 'DRAFT' });
    expect(reply.errors).toMatchObject([{ salesAgentId: far.agentId, message: KEPT_BACK }]);
    expect(orders()).toEqual([]);
    expect(await explained()).toMatchObject({
      status: 'FAILED',
      errorCode: 'source_unavailable',
    });

    lists();
    expect(done(await execute())).toMatchObject({ success: true });
    expect(orders()).toHaveLength(1);
  });

  test('keeps no order of another seller back', async () => {
    const near = await farSeller(server, 'Near');
    near.agent.on('create_media_buy', () => ({ ...TAKEN, media_buy_id: 'near_1' }));
    const { campaignId: both } = await draftCampaign(buyer, {
      advertiserId: id,
      storefrontIds: [far.storefrontId, near.storefrontId],
      budget: 500,
    });
    await setLink({ status: 'unreachable', confirmed_at: null });
    far.agent.on('list_accounts', () => DOWN);
    campaignId = both;

    const reply = done(await execute());

    expect(reply).toMatchObject({ success: false, newStatus: 'ACTIVE' });
    expect(reply.errors).toMatchObject([{ salesAgentId: far.agentId, message: KEPT_BACK }]);
    expect(near.agent.calls.filter(({ tool }) => tool === 'create_media_buy')).toHaveLength(1);
    expect(await faultsOf(server.store.db, buyer.organizationId)).toEqual([]);

    lists();
    expect(done(await execute())).toMatchObject({ success: true });
    expect(orders()).toHaveLength(1);
    await near.agent.stop();
  });

  test('of an earlier version is checked with its first order', async () => {
    await setLink({ status: 'unreachable', confirmed_at: null });
    expect(done(await execute())).toMatchObject({ success: true });
    expect(await linked()).toMatchObject([{ status: 'active' }]);

    await setLink({ status: 'unreachable', confirmed_at: null });
    accounts = [];
    campaignId = await draftOf(buyer, { ...far, advertiserId: id, productId: 'far-1' });
    expect((await execute()).status).toBe(422);
    expect(await linked()).toMatchObject([{ status: 'closed' }]);
  });

  test('is held against its seller when a refused order is sent anew', async () => {
    far.agent.on('create_media_buy', () => ({ errors: [{ code: 'POLICY_VIOLATION', message: 'No.' }] }));
    expect(done(await execute())).toMatchObject({ success: false });
    far.agent.on('create_media_buy', () => TAKEN);
    accounts = [];
    const before = orders().length;

    expect((await execute()).status).toBe(422);

    expect(orders()).toHaveLength(before);
  });

  test('that does not run any more is told in the explanation of what runs under it', async () => {
    done(await execute());
    expect((await explained()).explanation).not.toContain('acc-1');

    const running = campaignId;
    accounts = [{ ...acme, account_id: 'acc-1', status: 'suspended' }];
    campaignId = await draftOf(buyer, { ...far, advertiserId: id, productId: 'far-1' });
    expect((await execute()).status).toBe(422);
    campaignId = running;

    expect((await explained()).explanation).toContain(
      'The account acc-1 that it is ordered under is suspended at Agent: ask there what becomes of it',
    );
  });

  describe('of packages that a media buy gets for added periods', () => {
    const period = (label: string, start: string, end: string) => ({ label, start, end, weight: 1 });
    const first = period('first', '2026-12-10', '2026-12-12');
    const second = period('second', '2026-12-20', '2026-12-21');
    const put = (periods: object[]) =>
      buyer.put(`/buyer/campaigns/${campaignId}`, { pacingPeriods: { mode: 'weight', periods } });
    const updates = () => far.agent.calls.filter(({ tool }) => tool === 'update_media_buy');
    beforeEach(async () => {
      done(await put([first]));
      done(await execute());
    });

    test.each([
      [
        'suspended there',
        () => {
          accounts = [{ ...acme, account_id: 'acc-1', status: 'suspended' }];
        },
        'The account acc-1 is suspended at Agent: nothing is ordered under it. You: ask Agent what becomes of the account, which is that of the media buy, and repeat the call then.',
      ],
      [
        'never named, and cannot be asked for',
        async () => {
          await setLink({ status: 'unreachable', confirmed_at: null });
          far.agent.on('list_accounts', () => DOWN);
        },
        'Agent could not be asked for the account acc-1. INTERNAL_ERROR: Down. You: repeat the call later.',
      ],
    ])('keeps them back where it is %s, until it may be ordered under', async (_, turns, words) => {
      await turns();
      const { mediaBuyResults } = done(
        await buyer.put(`/buyer/campaigns/${campaignId}`, {
          budget: { total: 9_000 },
          pacingPeriods: { mode: 'weight', periods: [first, second] },
        }),
      );
      expect(mediaBuyResults).toMatchObject([
        { success: false, error: `The packages were kept back: ${words}` },
      ]);
      expect(updates()).toEqual([]);
      expect(await faultsOf(server.store.db, buyer.organizationId)).toEqual([]);

      accounts = [{ ...acme, account_id: 'acc-1' }];
      lists();
      done(await put([first, second]));
      expect(updates()).toHaveLength(1);
    });
  });

  describe('of an order that a process left behind', () => {
    const recoverLater = async () => {
      clock.skip(longestOrderMs(server.running.app.services.limits) + 60_000);
      await recover(server.running.app.services);
    };
    async function lost(): Promise<void> {
      const failed = writes.failNext();
      await execute();
      await failed;
    }

    test('keeps the order back where it does not run any more, which stays unknown', async () => {
      await lost();
      accounts = [{ ...acme, account_id: 'acc-1', status: 'suspended' }];

      await recoverLater();

      await eventually(async () =>
        expect(await explained()).toMatchObject({
          status: 'FAILED',
          sourceMessage:
            'The order was kept back: The account acc-1 is suspended at Agent: nothing is ordered under it. Agent may have it from before: ask there. It is asked about again once the account may be ordered under.',
          explanation: expect.stringMatching(
            /^Nobody knows whether Agent took the order.* acc-1 .* suspended/,
          ),
        }),
      );
      expect(orders()).toHaveLength(1);
      expect(done(await execute())).toMatchObject({ success: false });
      expect(orders()).toHaveLength(1);

      accounts = [{ ...acme, account_id: 'acc-1' }];
      expect(done(await execute())).toMatchObject({ success: true });
      expect(new Set(orders().map(({ args }) => args['idempotency_key'])).size).toBe(1);
    });

    test('lets it go out again where it runs', async () => {
      await lost();

      await recoverLater();

      await eventually(async () => expect(await explained()).toMatchObject({ status: 'ACTIVE' }));
      expect(orders()).toHaveLength(2);
    });
  });
});
