import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { setPricingRule } from '../../../tools/domain/ledger/pricing-rules.ts';
import { faultsOf } from '../../support/buying/ledger.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { decidesLater } from '../../support/sellers/changing-seller.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, draftCampaign, executed, newAdvertiser } from '../../support/sellers/market.ts';
import { adcpProduct } from '../../support/sellers/seller-agent.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

/** A buy of 100 and 100 with a fee of 12.34 %, of which the first is raised to 200. */
describe('a media buy that ends while its raise is not confirmed here', () => {
  let server: TestServer;
  let buyer: Person;
  let far: FarSeller;
  let campaignId: string;
  let mediaBuyId: string;
  /** What the seller shows of the buy. */
  let status: string;
  let first: number | null;
  let spend: number;
  /** Whether its list has the buy with its packages. */
  let lists: boolean;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    [status, first, spend, lists] = ['active', 87.66, 0, true];
    far = await farSeller(server, 'Far', [adcpProduct('far-1'), adcpProduct('far-2')]);
    const { agent } = far;
    const part = (id: string, budget: number | null) => ({
      package_id: `p_${id}`,
      product_id: `far-${id}`,
      ...(budget === null ? {} : { budget }),
    });
    const shown = () => ({
      media_buy_id: 'far_buy',
      status,
      packages: lists ? [part('1', first), part('2', first === null ? null : 87.66)] : [],
    });
    agent.on('create_media_buy', shown);
    agent.on('get_media_buys', () => ({ media_buys: [shown()] }));
    agent.on('get_media_buy_delivery', () => ({
      notification_type: 'final',
      media_buy_deliveries: [
        { media_buy_id: 'far_buy', totals: { impressions: 1_000, spend, clicks: 1 }, by_package: [] },
      ],
    }));
    buyer = await newPerson(server);
    await setPricingRule(server.operator, { organizationId: buyer.organizationId, feeBps: 1_234 });
    return () => agent.stop();
  });

  const path = () => `/buyer/campaigns/${campaignId}`;
  async function buys(): Promise<void> {
    const advertiserId = await newAdvertiser(buyer);
    const storefrontIds = [far.storefrontId];
    ({ campaignId } = await draftCampaign(buyer, { advertiserId, storefrontIds, budget: 500 }));
    mediaBuyId = await executed(buyer, campaignId);
  }
  const raise = (budget = 200) =>
    buyer.patch(`/buyer/media-buys/${mediaBuyId}`, { packages: [{ packageId: 'p_1', budget }] });
  const read = async () => done(await buyer.get(`/buyer/media-buys/${mediaBuyId}?detail=full`)).mediaBuy;
  const refresh = async () => done(await buyer.get(`${path()}/media-buy-status`));
  const committed = async () =>
    done(await buyer.get('/buyer/accounts/current')).credit.find(
      ({ currency }: { currency: string }) => currency === 'USD',
    ).committed;
  const shows = (changed: { status?: string; first?: number | null; spend?: number }) => {
    status = changed.status ?? status;
    first = changed.first === undefined ? first : changed.first;
    spend = changed.spend ?? spend;
  };
  const takesTheEnd = () =>
    far.agent.on('update_media_buy', () => {
      status = 'canceled';
      return { media_buy_id: 'far_buy', status };
    });
  const losesAnswers = () =>
    far.agent.on('update_media_buy', () => {
      throw new Error('out of order');
    });

  /** The ways to the end, once the raise is asked for. */
  const ENDS = {
    'it is called off': async () => {
      takesTheEnd();
      done(await buyer.post(`${path()}/cancel`));
    },
    'its cancellation was lost and its seller shows it over': async () => {
      losesAnswers();
      await buyer.post(`${path()}/cancel`);
      status = 'canceled';
      await refresh();
    },
    'its seller completes it': async () => {
      status = 'completed';
      await refresh();
    },
    'its seller ends it': async () => {
      status = 'canceled';
      await refresh();
    },
  };
  const ends = Object.entries(ENDS);

  async function holds(sums: { budget: number; kept: number }): Promise<void> {
    expect(await read()).toMatchObject({ budget: sums.budget });
    expect(await committed()).toBe(sums.kept);
    expect(done(await buyer.get(path())).campaign).toMatchObject({ allocatedBudget: sums.kept });
    expect(await faultsOf(server.store.db, buyer.organizationId)).toEqual([]);
  }

  test.each(ends)('holds what was delivered of a raise that its seller took, where %s', async (_, end) => {
    await buys();
    decidesLater(far).decides({ status: 'working' });
    done(await raise());
    expect(await committed()).toBe(300);
    shows({ first: 175.32, spend: 245 });

    await end();

    await holds({ budget: 300, kept: 279.49 });
  });

  test.each(ends)('holds the same where the answer to the raise was lost, and %s', async (_, end) => {
    await buys();
    losesAnswers();
    await raise();
    shows({ first: 175.32, spend: 245 });

    await end();

    await holds({ budget: 300, kept: 279.49 });
  });

  test.each([
    { what: 'took a part of it', shown: 131.49, spent: 215, budget: 250, kept: 245.27 },
    { what: 'took none of it', shown: 87.66, spent: 180, budget: 200, kept: 200 },
    { what: 'shows more than was asked for', shown: 257.04, spent: 245, budget: 300, kept: 279.49 },
    { what: 'rounds it', shown: 175.33, spent: 245, budget: 300, kept: 279.49 },
  ])('is owed no more than its seller showed and was asked for, where the seller $what', async (one) => {
    await buys();
    decidesLater(far);
    done(await raise());
    shows({ first: one.shown, spend: one.spent });

    takesTheEnd();
    done(await buyer.post(`${path()}/cancel`));

    await holds(one);
  });

  test('holds what was delivered where its seller shows no budgets and has spent the raise', async () => {
    shows({ first: null });
    await buys();
    losesAnswers();
    await raise();
    shows({ spend: 245 });

    await ENDS['it is called off']();

    await holds({ budget: 300, kept: 279.49 });
  });

  test('holds what was delivered where its seller lists no packages of what is over', async () => {
    await buys();
    losesAnswers();
    await raise();
    lists = false;
    shows({ spend: 245 });

    await ENDS['it is called off']();

    await holds({ budget: 300, kept: 279.49 });
  });

  test('has the raise confirmed where the end and the raise are heard of at once', async () => {
    await buys();
    decidesLater(far);
    done(await raise());
    shows({ first: 175.32, spend: 245, status: 'completed' });

    await refresh();

    const { changes, packages } = await read();
    expect(changes.map(({ state }: { state: string }) => state)).toEqual(['confirmed']);
    expect(packages).toMatchObject([{ budget: 200 }, { budget: 100 }]);
  });

  test('says of what is over that no more is owed than was ordered, with both sums', async () => {
    await buys();
    shows({ spend: 245, status: 'completed' });

    await refresh();

    await holds({ budget: 200, kept: 200 });
    expect((await read()).explanation).toMatch(
      /^It is over: nothing is to be done\. Agent called its figures final: 200\.00 USD are bound\. .* Agent delivered for 279\.49 USD, where 200\.00 USD were ordered: no more than 200\.00 USD is owed\.$/,
    );
  });
});
