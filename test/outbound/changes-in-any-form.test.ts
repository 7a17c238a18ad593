import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../support/callers/people.ts';
import { draftOf } from '../support/sellers/discovery.ts';
import { type FarSeller, farSeller } from '../support/sellers/far-seller.ts';
import { done, executed, newAdvertiser } from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const NAMED = { media_buy_id: 'far_1' };
const NO = [{ code: 'POLICY_VIOLATION', message: 'No.' }];

describe('a change whose answer names the buy and says that it came to nothing', () => {
  let server: TestServer;
  let buyer: Person;
  let far: FarSeller;
  let campaignId: string;
  let mediaBuyId: string;
  /** What the seller's own list says of the package. */
  let budget: number;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    buyer = await newPerson(server);
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    far = await farSeller(server, 'Far');
    budget = 100;
    const shown = () => ({ ...NAMED, status: 'active', packages: [{ package_id: 'p', budget }] });
    far.agent.on('create_media_buy', shown);
    far.agent.on('get_media_buys', () => ({ media_buys: [shown()] }));
    const advertiserId = await newAdvertiser(buyer);
    campaignId = await draftOf(buyer, { ...far, advertiserId, productId: 'far-1' });
    done(await buyer.put(`/buyer/campaigns/${campaignId}`, { budget: { total: 1_000 } }));
    mediaBuyId = await executed(buyer, campaignId);
    return () => far.agent.stop();
  });

  const raise = () =>
    buyer.patch(`/buyer/media-buys/${mediaBuyId}`, { packages: [{ packageId: 'p', budget: 150 }] });
  const last = async () =>
    done(await buyer.get(`/buyer/media-buys/${mediaBuyId}?detail=full`)).mediaBuy.changes[0];
  const refresh = async () => done(await buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`));
  const keys = () =>
    far.agent.calls
      .filter(({ tool }) => tool === 'update_media_buy')
      .map(({ args }) => args['idempotency_key']);

  describe.each([
    ['errors', { ...NAMED, errors: NO }],
    ['an error', { ...NAMED, adcp_error: NO[0] }],
    ['a task that failed', { ...NAMED, status: 'failed', error: NO[0] }],
    ['a task that was rejected around it', { status: 'rejected', result: NAMED, error: NO[0] }],
  ])('by %s', (_what, answer) => {
    test('was carried out where the buy reads so', async () => {
      far.agent.on('update_media_buy', () => {
        budget = 150;
        return answer;
      });

      done(await raise());

      expect(await last()).toMatchObject({ state: 'confirmed' });
      expect((await refresh()).media_buys).toMatchObject([{ internal_status: 'ACTIVE' }]);
    });

    test('was refused where the buy reads as before, in the words of its seller', async () => {
      far.agent.on('update_media_buy', () => answer);

      done(await raise());

      expect(await last()).toMatchObject({ state: 'refused', message: 'POLICY_VIOLATION: No.' });
    });

    test('is unknown where the buy cannot be read, until it can be', async () => {
      far.agent.on('update_media_buy', () => answer);
      far.agent.on('get_media_buys', () => ({ errors: [{ code: 'SERVICE_UNAVAILABLE' }] }));

      done(await raise());

      expect(await last()).toMatchObject({ state: 'unknown', message: 'POLICY_VIOLATION: No.' });
      far.agent.on('get_media_buys', () => ({
        media_buys: [{ ...NAMED, status: 'active', packages: [{ package_id: 'p', budget: 150 }] }],
      }));
      await refresh();
      expect(await last()).toMatchObject({ state: 'confirmed' });
      expect(new Set(keys()).size).toBe(1);
    });
  });

  test('is done where its task is completed beside warnings, and refused where that ended', async () => {
    far.agent.on('update_media_buy', () => ({ status: 'submitted', task_id: 't' }));
    done(await raise());
    far.agent.on('tasks_get', () => ({ status: 'completed', result: { ...NAMED, errors: NO } }));
    budget = 150;
    await refresh();
    expect(await last()).toMatchObject({ state: 'confirmed' });

    budget = 150;
    done(
      await buyer.patch(`/buyer/media-buys/${mediaBuyId}`, { packages: [{ packageId: 'p', budget: 190 }] }),
    );
    far.agent.on('tasks_get', () => ({ ...NAMED, status: 'rejected', error: NO[0] }));
    await refresh();
    expect(await last()).toMatchObject({ state: 'refused', message: 'No.' });
  });

  test.each([
    { status: 'failed', errors: NO },
    { status: 'rejected', adcp_error: NO[0] },
    { status: 'completed', errors: NO },
  ])('is refused where its task ended with %j', async (ended) => {
    far.agent.on('update_media_buy', () => ({ status: 'submitted', task_id: 't' }));
    done(await raise());
    far.agent.on('tasks_get', () => ({ task_id: 't', ...ended }));
    await refresh();
    expect(await last()).toMatchObject({ state: 'refused', message: 'No.' });
  });
});
