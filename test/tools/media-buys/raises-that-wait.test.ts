import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fundAccount } from '../../../tools/domain/ledger/operating.ts';
import { faultsOf } from '../../support/buying/ledger.ts';
import { limitSpend } from '../../support/buying/spend-limits.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { gate } from '../../support/run/gate.ts';
import { draftOf } from '../../support/sellers/discovery.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';
import { oneBehindTheOther } from '../../support/server/under-way.ts';

/** An account with 150 USD, of which a buy of 100 runs at a seller whose people look at each change. */
describe('the budget of a media buy, changed while its seller has yet to decide', () => {
  let server: TestServer;
  let buyer: Person;
  let far: FarSeller;
  let campaignId: string;
  let mediaBuyId: string;
  let advertiserId: string;
  /** What the seller's own list says of the buy. */
  let shown: { media_buy_id: string; status: string; packages: object[]; valid_actions?: string[] };
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    buyer = await newPerson(server, { funds: false });
    const { organizationId } = buyer;
    await fundAccount(server.operator, { organizationId, currency: 'USD', amountMinor: 15_000 });
    advertiserId = await newAdvertiser(buyer);
    far = await farSeller(server, 'Far');
    shown = { media_buy_id: 'far_1', status: 'active', packages: [partOf(100)] };
    far.agent.on('create_media_buy', () => shown);
    far.agent.on('get_media_buys', () => ({ media_buys: [shown] }));
    far.agent.on('update_media_buy', () => ({ status: 'submitted', task_id: 'task_1' }));
    far.agent.on('get_task_status', () => ({ task_id: 'task_1', status: 'working' }));
    campaignId = await draftOf(buyer, { ...far, advertiserId, productId: 'far-1' });
    done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
    done(await buyer.put(path(), { budget: { total: 1_000 } }));
    mediaBuyId = done(await buyer.get(path())).campaign.mediaBuys[0].mediaBuyId;
    return () => far.agent.stop();
  });

  const partOf = (budget: number) => ({ package_id: 'pkg_1', product_id: 'far-1', budget });
  const path = () => `/buyer/campaigns/${campaignId}`;
  const ask = (budget: number) =>
    buyer.patch(`/buyer/media-buys/${mediaBuyId}`, { packages: [{ packageId: 'pkg_1', budget }] });
  const committed = async () => done(await buyer.get('/buyer/accounts/current')).credit[0].committed;
  const decides = async (answer: object) => {
    far.agent.on('get_task_status', () => ({ task_id: 'task_1', ...answer }));
    done(await buyer.get(`${path()}/media-buy-status`));
  };

  test('counts whole from the moment a raise is asked for: what it takes, nothing else is bought with', async () => {
    done(await ask(140));

    expect(await committed()).toBe(140);
    const other = await draftOf(buyer, { ...far, advertiserId, productId: 'far-1' });
    const refused = await buyer.post(`/buyer/campaigns/${other}/execute`);
    expectRefusal(refused, 402, {
      code: 'CREDIT_LIMIT_EXCEEDED',
      words:
        'This would commit 100.00 USD; the account has 10.00 USD available, 90.00 USD too little. Nothing was done.',
    });
    expect(refused.body.error.details).toMatchObject({ availableMinor: '1000', committedMinor: '14000' });
    expectRefusal(await buyer.put(path(), { budget: { total: 120 } }), 409, {
      code: 'INSUFFICIENT_MEDIA_BUDGET',
      at: { 'budget.total': 'A total of 120.00 USD is less than the 140.00 USD that its media buys take.' },
    });
  });

  test('lets so much be reported as spent as a raise has bound, whatever becomes of the raise', async () => {
    const { organizationId } = buyer;
    await fundAccount(server.operator, { organizationId, currency: 'USD', amountMinor: 30_000 });
    done(await ask(300));
    const totals = { impressions: 1_000, spend: 250, clicks: 1 };
    far.agent.on('get_media_buy_delivery', () => ({
      media_buy_deliveries: [{ media_buy_id: 'far_1', totals, by_package: [] }],
    }));
    const read = async () => done(await buyer.get(`/buyer/media-buys/${mediaBuyId}?detail=full`)).mediaBuy;

    await decides({ status: 'working' });

    expect((await read()).performance).toMatchObject({ spend: 250, impressions: 1_000 });
    totals.spend = 260;
    await decides({ status: 'rejected', error: { code: 'POLICY_VIOLATION', message: 'No.' } });
    const { performance, explanation } = await read();
    expect(performance).toMatchObject({ spend: 260 });
    expect(explanation).not.toContain('not taken');
  });

  test('is counted once where the seller takes the raise', async () => {
    done(await ask(140));
    shown = { ...shown, packages: [partOf(140)] };

    await decides({ status: 'completed', result: {} });

    expect(await committed()).toBe(140);
  });

  test('counts as before where the seller refuses the raise', async () => {
    done(await ask(140));

    await decides({ status: 'rejected', error: { code: 'POLICY_VIOLATION', message: 'No.' } });

    expect(await committed()).toBe(100);
  });

  test('is raised where other news of its seller are stored at the same moment', async () => {
    const answer = gate();
    far.agent.on('update_media_buy', async () => {
      await answer.passed;
      return { media_buy_id: 'far_1', status: 'active' };
    });
    const asked = ask(140);
    await far.agent.called('update_media_buy');
    shown = { ...shown, packages: [partOf(140)], valid_actions: ['pause'] };

    const [, reply] = await oneBehindTheOther(server, [
      () => buyer.get(`${path()}/media-buy-status`),
      () => {
        answer.open();
        return asked;
      },
    ]);

    done(reply);
    const { budget, validActions } = done(await buyer.get(path())).campaign.mediaBuys[0];
    expect({ budget, validActions }).toEqual({ budget: 140, validActions: ['pause'] });
    expect(await committed()).toBe(140);
    expect(await faultsOf(server.store.db, buyer.organizationId)).toEqual([]);
  });

  test('is refused by what its seller allows where it stands, until it stands elsewhere', async () => {
    shown = { ...shown, valid_actions: ['pause'] };
    await decides({ status: 'working' });
    const { valid_actions: _, ...silent } = shown;
    shown = { ...silent, media_buy_id: 'far_1', status: 'active', packages: [partOf(100)] };
    await decides({ status: 'working' });
    expectRefusal(await ask(140), 422, {
      code: 'CAPABILITY_NOT_SUPPORTED',
      at: { packages: 'The seller allows only this of the buy now: pause.' },
    });

    shown = { ...shown, status: 'paused' };
    await decides({ status: 'working' });

    done(await ask(140));
    expect(await committed()).toBe(140);
  });

  test('counts as before until the seller has lowered it', async () => {
    done(await ask(80));
    expect(await committed()).toBe(100);
    shown = { ...shown, packages: [partOf(80)] };

    await decides({ status: 'completed', result: {} });

    expect(await committed()).toBe(80);
    expect(await faultsOf(server.store.db, buyer.organizationId)).toEqual([]);
  });

  test('asks nobody to allow a raise that the account cannot pay for', async () => {
    await limitSpend(server, buyer, 120);

    expectRefusal(await ask(200), 402, {
      code: 'CREDIT_LIMIT_EXCEEDED',
      words:
        'This would commit 100.00 USD; the account has 50.00 USD available, 50.00 USD too little. Nothing was done.',
    });

    expect(done(await buyer.get('/buyer/spend-approvals')).total).toBe(0);
    done(await ask(140));
    expect(done(await buyer.get('/buyer/spend-approvals')).total).toBe(1);
    expect(await committed()).toBe(100);
  });
});
