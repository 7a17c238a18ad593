import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Actor } from '../../tools/core/context.ts';
import { settleOrder } from '../../tools/domain/buying/following/order-settling.ts';
import { operatorFor } from '../../tools/domain/organizations/operator.ts';
import { faultsOf } from '../support/buying/ledger.ts';
import { auditOf } from '../support/callers/answers.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { type FarSeller, farSeller } from '../support/sellers/far-seller.ts';
import { done, draftCampaign, newAdvertiser } from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

/** What test/process/operator-orders.test.ts shows of the command: here of the moment at which it writes. */
describe('an order that the operator settles while somebody else writes it', () => {
  let server: TestServer;
  let far: FarSeller;
  let buyer: Person;
  let campaignId: string;
  let mediaBuyId: string;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
  });
  beforeEach(async () => {
    far = await farSeller(server, 'Far');
    far.agent.on('create_media_buy', () => ({ thanks: true }));
    buyer = await newPerson(server);
    const draft = { advertiserId: await newAdvertiser(buyer), storefrontIds: [far.storefrontId] };
    ({ campaignId } = await draftCampaign(buyer, draft));
    await execute();
    [{ mediaBuyId }] = done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign.mediaBuys;
  });
  afterEach(() => far.agent.stop());
  afterAll(() => server.stop());

  const execute = () => buyer.post(`/buyer/campaigns/${campaignId}/execute`);
  const services = () => server.running.app.services;
  const settle = (
    takenAs: string | undefined,
    actor: Actor = operatorFor(services(), 'order settle'),
    id = mediaBuyId,
  ) => settleOrder(services(), actor, { mediaBuyId: id, takenAs, reason: 'Asked.' });
  /** The seller shows a media buy by this id. */
  const knows = (id: string) =>
    far.agent.on('get_media_buys', () => ({
      media_buys: [{ media_buy_id: id, status: 'active', packages: [] }],
    }));
  /** The seller says nothing that can be read. */
  function mute() {
    far.agent.on('get_media_buys', () => 'nothing');
    far.agent.on('get_media_buy_delivery', () => 'nothing');
  }
  /** Another order of which nobody knows, at the same seller. */
  async function secondOrder(): Promise<string> {
    const advertiserId = await newAdvertiser(buyer);
    const draft = await draftCampaign(buyer, { advertiserId, storefrontIds: [far.storefrontId] });
    await buyer.post(`/buyer/campaigns/${draft.campaignId}/execute`);
    return done(await buyer.get(`/buyer/campaigns/${draft.campaignId}`)).campaign.mediaBuys[0].mediaBuyId;
  }
  const committed = async () =>
    done(await buyer.get('/buyer/accounts/current')).credit.find(
      ({ currency }: { currency: string }) => currency === 'USD',
    ).committed;
  async function stands() {
    const { status, mediaBuys } = done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign;
    return [status, mediaBuys[0].status];
  }

  /** The operator, before whose transaction somebody else writes once. */
  function after(work: () => Promise<unknown>): Actor {
    const actor = operatorFor(services(), 'order settle');
    let isFirst = true;
    return {
      ...actor,
      write: async (inside, subject) => {
        if (isFirst) await work();
        isFirst = false;
        return actor.write(inside, subject);
      },
    };
  }

  test('stands as its seller took it, where a repeat was answered first', async () => {
    far.agent.on('create_media_buy', () => ({ media_buy_id: 'far_1', status: 'active', packages: [] }));

    await expect(settle(undefined, after(execute))).rejects.toThrow(
      `It is known what became of the order of ${mediaBuyId} at Agent, which is ACTIVE: nothing is to be settled.`,
    );

    expect(await stands()).toEqual(['ACTIVE', 'ACTIVE']);
    expect(await committed()).toBe(100);
    expect(await faultsOf(server.store.db, buyer.organizationId)).toEqual([]);
  });

  test('is settled once of two who settle it at once, and its money is released once', async () => {
    knows('far_1');
    const both = await Promise.allSettled([settle(undefined), settle('far_1'), settle(undefined)]);

    const [won] = both.filter(({ status }) => status === 'fulfilled');
    const lost = both.filter(({ status }) => status === 'rejected');
    expect(won).toBeDefined();
    expect(lost).toHaveLength(2);
    for (const one of lost) {
      expect(String((one as PromiseRejectedResult).reason)).toMatch(
        /It is known what became of the order|was written by somebody else at the same moment|Far_1 already/i,
      );
    }
    expect(await committed()).toBe((await stands())[1] === 'FAILED' ? 0 : 100);
    expect(await faultsOf(server.store.db, buyer.organizationId)).toEqual([]);
  });

  test('is not settled by an id of which its seller says that it has none, in its words', async () => {
    far.agent.on('get_media_buys', () => ({
      errors: [{ code: 'MEDIA_BUY_NOT_FOUND', message: 'Never heard of it.' }],
    }));

    await expect(settle('ord_777')).rejects.toThrow(
      'Agent was asked for ord_777, and says: MEDIA_BUY_NOT_FOUND: Never heard of it.',
    );

    expect((await stands())[1]).toBe('FAILED');
    await settle(undefined);
    expect(await committed()).toBe(0);
  });

  test.each([
    ['corrected', 'far_1'],
    ['not taken', undefined],
  ] as const)('can be settled anew, %s, as long as its seller tells nothing of it', async (_, takenAs) => {
    mute();
    await settle('ord_777');
    done(await buyer.patch(`/buyer/media-buys/${mediaBuyId}`, { name: 'Renamed' }));

    await expect(settle('ord_777')).rejects.toThrow('is settled as taken as ord_777 already');
    await settle(takenAs);
    knows('far_1');
    done(await buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`));

    expect((await stands())[1]).toBe(takenAs === undefined ? 'FAILED' : 'ACTIVE');
    expect(await committed()).toBe(takenAs === undefined ? 0 : 100);
    expect(await faultsOf(server.store.db, buyer.organizationId)).toEqual([]);
  });

  test('is not settled anew once its seller knows it, though nobody has asked it since', async () => {
    knows('far_1');
    await settle('far_1');

    await expect(settle(undefined)).rejects.toThrow(
      `Agent knows ${mediaBuyId} as far_1: it is known what became of its order, and nothing is to be settled.`,
    );

    expect(await committed()).toBe(100);
  });

  test('has an id alone of two orders that are settled by it at one moment', async () => {
    const other = await secondOrder();
    knows('far_1');

    const both = await Promise.allSettled([settle('far_1'), settle('far_1', undefined, other)]);

    const lost = both.filter(({ status }) => status === 'rejected');
    expect(lost).toHaveLength(1);
    expect(String((lost[0] as PromiseRejectedResult).reason)).toContain(
      'Agent calls another media buy far_1',
    );
  });

  test('counts again where it was settled as not taken by mistake, and its campaign runs with it', async () => {
    await settle(undefined);
    expect([await stands(), await committed()]).toEqual([['DRAFT', 'FAILED'], 0]);
    await expect(settle(undefined)).rejects.toThrow('It is known what became of the order');
    knows('far_1');

    expect(await settle('far_1')).toMatchObject({ campaign: 'ACTIVE', buy: { status: 'PENDING_APPROVAL' } });

    expect([await stands(), await committed()]).toEqual([['ACTIVE', 'PENDING_APPROVAL'], 100]);
    const logged = (await auditOf(server, buyer, 'order_settle')).slice(0, 2);
    expect(logged.map(({ changes }) => JSON.parse(changes ?? 'null'))).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ status: { from: 'FAILED', to: 'PENDING_APPROVAL' } }),
        expect.objectContaining({ status: { from: 'DRAFT', to: 'ACTIVE' } }),
      ]),
    );
    done(await buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`));
    expect(await stands()).toEqual(['ACTIVE', 'ACTIVE']);
    expect(await faultsOf(server.store.db, buyer.organizationId)).toEqual([]);
  });

  test('stays as not taken where it was ordered anew, or where there is no room for it', async () => {
    await settle(undefined);
    knows('far_1');
    done(await buyer.put(`/buyer/campaigns/${campaignId}`, { budget: { total: 50 } }));

    await expect(settle('far_1')).rejects.toThrow(
      'The campaign has 50.00 USD (budget.total); with this change the media buys take 100.00 USD.',
    );
    expect([await stands(), await committed()]).toEqual([['DRAFT', 'FAILED'], 0]);
    done(await buyer.put(`/buyer/campaigns/${campaignId}`, { budget: { total: 1_000 } }));
    far.agent.on('create_media_buy', () => ({ media_buy_id: 'far_2', status: 'active', packages: [] }));
    await execute();

    await expect(settle('far_1')).rejects.toThrow('It is known what became of the order');
    expect([await stands(), await committed()]).toEqual([['ACTIVE', 'ACTIVE'], 100]);
    expect(await faultsOf(server.store.db, buyer.organizationId)).toEqual([]);
  });

  test('is another order for an execute that comes a moment later', async () => {
    await settle(undefined);
    far.agent.on('create_media_buy', () => ({ media_buy_id: 'far_2', status: 'active', packages: [] }));

    await execute();

    expect(await stands()).toEqual(['ACTIVE', 'ACTIVE']);
    expect(await committed()).toBe(100);
    expect(await faultsOf(server.store.db, buyer.organizationId)).toEqual([]);
  });
});
