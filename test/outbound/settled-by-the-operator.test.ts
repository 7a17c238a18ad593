import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Actor } from '../../tools/core/context.ts';
import { settleOrder } from '../../tools/domain/buying/order-settling.ts';
import { operatorFor } from '../../tools/domain/organizations/operator.ts';
import { type FarSeller, farSeller } from '../support/far-seller.ts';
import { faultsOf } from '../support/ledger.ts';
import { done, draftCampaign, newAdvertiser } from '../support/market.ts';
import { newPerson, type Person } from '../support/people.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

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
  const settle = (takenAs: string | undefined, actor: Actor = operatorFor(services(), 'order settle')) =>
    settleOrder(services(), actor, { mediaBuyId, takenAs, reason: 'Asked.' });
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
    const both = await Promise.allSettled([settle(undefined), settle('far_1'), settle(undefined)]);

    const [won] = both.filter(({ status }) => status === 'fulfilled');
    const lost = both.filter(({ status }) => status === 'rejected');
    expect(won).toBeDefined();
    expect(lost).toHaveLength(2);
    for (const one of lost) {
      expect(String((one as PromiseRejectedResult).reason)).toMatch(
        /It is known what became of the order|was written by somebody else at the same moment/,
      );
    }
    expect(await committed()).toBe((await stands())[1] === 'FAILED' ? 0 : 100);
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
