import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { faultsOf } from '../support/buying/ledger.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { type FarSeller, farSeller } from '../support/sellers/far-seller.ts';
import { done, draftCampaign, newAdvertiser } from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const SAME = { media_buy_id: 'SAME', status: 'active', packages: [] };

/** What one seller answers and shows is one media buy there: two orders cannot both be it. */
describe('a media buy of a seller that has its id by one order', () => {
  let server: TestServer;
  let far: FarSeller;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
  });
  beforeEach(async () => {
    far = await farSeller(server, 'Far');
    far.agent.on('create_media_buy', () => SAME);
    far.agent.on('update_media_buy', () => SAME);
    far.agent.on('get_media_buys', () => ({ media_buys: [SAME] }));
    far.agent.on('get_media_buy_delivery', () => ({
      media_buy_deliveries: [{ media_buy_id: 'SAME', totals: { impressions: 1_000, spend: 50, clicks: 1 } }],
    }));
  });
  afterEach(() => far.agent.stop());
  afterAll(() => server.stop());

  interface Ordered {
    readonly buyer: Person;
    readonly advertiserId: string;
    readonly campaignId: string;
  }
  const drafted = async (buyer: Person, advertiserId?: string): Promise<Ordered> => {
    const of = advertiserId ?? (await newAdvertiser(buyer));
    const { campaignId } = await draftCampaign(buyer, {
      advertiserId: of,
      storefrontIds: [far.storefrontId],
    });
    return { buyer, advertiserId: of, campaignId };
  };
  const execute = ({ buyer, campaignId }: Ordered) => buyer.post(`/buyer/campaigns/${campaignId}/execute`);
  async function ordered(buyer: Person, advertiserId?: string): Promise<Ordered> {
    const draft = await drafted(buyer, advertiserId);
    done(await execute(draft));
    return draft;
  }
  const told = async ({ buyer, campaignId }: Ordered) =>
    done(await buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`)).media_buys[0];
  async function read(one: Ordered) {
    const { media_buy_id } = await told(one);
    return done(await one.buyer.get(`/buyer/media-buys/${media_buy_id}?detail=full`)).mediaBuy;
  }
  const stored = ({ buyer, campaignId }: Ordered) =>
    server.store.db
      .selectFrom('media_buys')
      .select(['id', 'status', 'submission', 'adcp_media_buy_id', 'spend_minor', 'source_message'])
      .where('organization_id', '=', buyer.organizationId)
      .where('campaign_id', '=', campaignId)
      .executeTakeFirstOrThrow();
  const committed = async (buyer: Person) =>
    done(await buyer.get('/buyer/accounts/current')).credit.find(
      ({ currency }: { currency: string }) => currency === 'USD',
    ).committed;
  const notOurs = {
    status: 'FAILED',
    submission: 'unknown',
    adcp_media_buy_id: null,
    spend_minor: 0,
  };

  test('is not taken for another order of the advertiser, which is told of both and stays bound', async () => {
    const buyer = await newPerson(server);
    const first = await ordered(buyer);
    const second = await ordered(buyer, first.advertiserId);

    expect((await told(first)).internal_status).toBe('ACTIVE');
    const { id } = await stored(first);
    const now = await read(second);
    expect(await stored(second)).toMatchObject(notOurs);
    expect(await stored(first)).toMatchObject({ adcp_media_buy_id: 'SAME', spend_minor: 5_000 });
    expect(now.sourceMessage).toBe(
      `The seller answered the order with SAME, the media buy of another order: ${id}. It cannot be both, and was not taken for this one.`,
    );
    expect(now.explanation).toMatch(
      new RegExp(
        `^The seller answered .*: ${id}\\. .* Nobody knows whether Agent took the order\\. ` +
          'Ask the seller, naming sf:\\S+, which media buy this order is; then call campaign_execute again, which asks for the same order once more under its key\\. ' +
          'If it has no other answer, the operator of this installation can settle it\\.$',
      ),
    );
    expect(await committed(buyer)).toBe(200);
    expect(await faultsOf(server.store.db, buyer.organizationId)).toEqual([]);
  });

  test('goes on when the campaign of the other order is cancelled', async () => {
    const buyer = await newPerson(server);
    const first = await ordered(buyer);
    const second = await ordered(buyer, first.advertiserId);

    done(await buyer.post(`/buyer/campaigns/${second.campaignId}/cancel`));

    expect(far.agent.calls.filter(({ tool }) => tool === 'update_media_buy')).toEqual([]);
    expect(await stored(first)).toMatchObject({ status: 'ACTIVE' });
  });

  test('is the other order’s once its seller corrects itself under the same key', async () => {
    const buyer = await newPerson(server);
    const first = await ordered(buyer);
    const second = await ordered(buyer, first.advertiserId);
    const keys = () =>
      far.agent.calls
        .filter(({ tool }) => tool === 'create_media_buy')
        .map(({ args }) => args['idempotency_key']);

    done(await execute(second));
    expect(await stored(second)).toMatchObject(notOurs);
    far.agent.on('create_media_buy', () => ({ ...SAME, media_buy_id: 'OTHER' }));
    done(await execute(second));

    expect(await stored(second)).toMatchObject({ status: 'ACTIVE', adcp_media_buy_id: 'OTHER' });
    expect(new Set(keys().slice(1)).size).toBe(1);
    expect(await committed(buyer)).toBe(200);
  });

  test.each([
    ['a stranger', (_: Ordered) => newPerson(server)],
    ['another advertiser of its organization', async ({ buyer }: Ordered) => buyer],
  ])('is told to %s without the id that it has here', async (_, other) => {
    const first = await ordered(await newPerson(server));
    const second = await ordered(await other(first));

    const now = await read(second);

    expect(await stored(second)).toMatchObject(notOurs);
    expect(now.sourceMessage).toBe(
      'The seller answered the order with SAME, the media buy of another order. It cannot be both, and was not taken for this one.',
    );
    expect(JSON.stringify(now)).not.toContain((await stored(first)).id);
  });

  test('is not taken for an order whose task comes to it later', async () => {
    const buyer = await newPerson(server);
    const first = await ordered(buyer);
    far.agent.on('create_media_buy', () => ({ status: 'submitted', task_id: 'task_1' }));
    const second = await ordered(buyer, first.advertiserId);
    expect(await stored(second)).toMatchObject({ status: 'PENDING_APPROVAL', submission: 'answered' });
    far.agent.on('get_task_status', () => ({ task_id: 'task_1', status: 'completed', result: SAME }));
    far.agent.on('tasks_get', () => ({ task_id: 'task_1', status: 'completed', result: SAME }));

    await told(second);

    expect(await stored(second)).toMatchObject(notOurs);
    expect((await told(second)).source_message).toContain('The seller answered the order with SAME');
    expect(await committed(buyer)).toBe(200);
    expect(await faultsOf(server.store.db, buyer.organizationId)).toEqual([]);
  });

  test('is taken once of several orders that are answered with it at one moment', async () => {
    const buyers = await Promise.all([1, 2, 3, 4].map(() => newPerson(server)));
    const drafts = await Promise.all(buyers.map((buyer) => drafted(buyer)));

    await Promise.all(drafts.map(execute));

    const all = await Promise.all(drafts.map(stored));
    expect(all.filter(({ adcp_media_buy_id }) => adcp_media_buy_id === 'SAME')).toHaveLength(1);
    expect(all.filter(({ submission }) => submission === 'unknown')).toHaveLength(3);
  });

  test('of another source is no other order’s', async () => {
    const buyer = await newPerson(server);
    const first = await ordered(buyer);
    const last = far;
    far = await farSeller(server, 'Near');
    far.agent.on('create_media_buy', () => SAME);

    const second = await ordered(buyer, first.advertiserId);

    expect(await stored(second)).toMatchObject({ status: 'ACTIVE', adcp_media_buy_id: 'SAME' });
    await last.agent.stop();
  });
});
