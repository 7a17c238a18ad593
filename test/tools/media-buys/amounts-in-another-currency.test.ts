import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { faultsOf } from '../../support/buying/ledger.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, draftCampaign, executed, newAdvertiser } from '../../support/sellers/market.ts';
import { adcpProduct } from '../../support/sellers/seller-agent.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const AUCTION = { pricing_option_id: 'auction', pricing_model: 'cpm', currency: 'USD', floor_price: 1 };

/** A buy of 100 USD, at a seller that takes every order and change, and tells of it in a currency of its own. */
describe('what a seller shows in another currency than that of its order', () => {
  let server: TestServer;
  let buyer: Person;
  let far: FarSeller;
  let campaignId: string;
  let mediaBuyId: string;
  let kept: { budget: number; bid_price?: number };
  /** What its answers name: of the buy, and of its package. */
  let named: { buy?: string; part?: string };
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    far = await farSeller(server, 'Far', [adcpProduct('far-1', { pricing_options: [AUCTION] })]);
    [kept, named] = [{ budget: 100 }, {}];
    far.agent.on('create_media_buy', shown);
    far.agent.on('get_media_buys', () => ({ media_buys: [shown()] }));
    far.agent.on('get_media_buy_delivery', () => ({ media_buy_deliveries: [] }));
    far.agent.on('update_media_buy', ({ packages }) => {
      const [asked = {}] = packages as object[];
      kept = { ...kept, ...asked };
      return shown();
    });
    return () => far.agent.stop();
  });

  function shown() {
    const packages = [{ package_id: 'pkg_1', product_id: 'far-1', ...kept, ...inCurrency(named.part) }];
    return { media_buy_id: 'far_buy', status: 'active', ...inCurrency(named.buy), packages };
  }
  const inCurrency = (currency: string | undefined) => (currency === undefined ? {} : { currency });
  async function bought(): Promise<void> {
    buyer = await newPerson(server);
    const advertiserId = await newAdvertiser(buyer);
    const storefrontIds = [far.storefrontId];
    ({ campaignId } = await draftCampaign(buyer, { advertiserId, storefrontIds, budget: 500, bidPrice: 5 }));
    mediaBuyId = await executed(buyer, campaignId);
  }
  const path = () => `/buyer/media-buys/${mediaBuyId}`;
  const change = (fields: object) =>
    buyer.patch(path(), { packages: [{ packageId: 'pkg_1', ...fields }] }).then(done);
  const read = async () => done(await buyer.get(`${path()}?detail=full`)).mediaBuy;
  const refresh = async () =>
    done(await buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`)).media_buys[0];
  async function bound(): Promise<number> {
    expect(await faultsOf(server.store.db, buyer.organizationId)).toEqual([]);
    const { credit } = done(await buyer.get('/buyer/accounts/current'));
    return credit.find(({ currency }: { currency: string }) => currency === 'USD').committed;
  }
  const NAMED =
    /^Agent shows pkg_1 in EUR, of a buy in USD: no amount of that was taken, and 100\.00 USD stay bound\. Ask the seller, naming sf:\S+, to show it in USD\.$/;

  test.each([
    { of: 'the buy', names: { buy: 'EUR' } },
    { of: 'its package, in small letters', names: { buy: 'USD', part: 'eur' } },
  ])('is named in words where it is that of $of, from the answer to the order on', async ({ names }) => {
    [kept, named] = [{ budget: 80 }, names];

    await bought();

    const { explanation, packages } = await read();
    expect(explanation).toMatch(/^It runs\. Agent shows pkg_1 in EUR, /);
    expect(packages).toMatchObject([{ packageId: 'pkg_1', budget: null }]);
    expect((await refresh()).source_message).toMatch(NAMED);
    named = { buy: 'USD' };
    kept.budget = 100;
    expect((await refresh()).source_message).toBeUndefined();
    expect((await read()).explanation).toBe('It runs: nothing is to be done.');
    expect(await bound()).toBe(100);
  });

  test('changes no budget that was shown before in the currency of the order', async () => {
    await bought();
    named = { buy: 'EUR' };
    kept.budget = 4_000;

    expect((await refresh()).source_message).toMatch(NAMED);
    expect(await read()).toMatchObject({ budget: 100, packages: [{ budget: 100 }] });
    expect(await bound()).toBe(100);
  });

  test.each([
    { what: 'raise', asked: { budget: 150 }, says: 'has a budget of 150 EUR', binds: 150 },
    { what: 'smaller budget', asked: { budget: 60 }, says: 'has a budget of 60 EUR', binds: 100 },
  ])('confirms no $what, which stays bound until it is shown', async ({ asked, says, binds }) => {
    await bought();
    named = { buy: 'EUR' };

    await change(asked);

    expect(await read()).toMatchObject({ budget: 100, changes: [{ state: 'waiting' }] });
    expect((await read()).explanation).toContain(
      `The seller took the change, and does not show it yet: package pkg_1 ${says}. Ask the seller,`,
    );
    await refresh();
    expect((await read()).changes[0].state).toBe('waiting');
    expect(await bound()).toBe(binds);
    named = {};
    await refresh();
    expect(await read()).toMatchObject({ budget: asked.budget, changes: [{ state: 'confirmed' }] });
    expect(await bound()).toBe(asked.budget);
  });

  test('confirms no bid', async () => {
    await bought();
    named = { part: 'EUR' };

    await change({ bidPrice: 7 });

    expect((await read()).changes).toMatchObject([{ state: 'waiting' }]);
    expect((await read()).explanation).toContain('package pkg_1 bids 7 EUR');
  });

  test('confirms no raise in the answer to it where the seller lists no media buys', async () => {
    await bought();
    named = { buy: 'EUR' };
    far.agent.on('get_media_buys', () => ({ media_buys: [{ media_buy_id: 'far_buy', status: 'active' }] }));

    await change({ budget: 150 });

    expect(await read()).toMatchObject({ budget: 100, changes: [{ state: 'waiting' }] });
    await refresh();
    expect(await read()).toMatchObject({ budget: 100, changes: [{ state: 'waiting' }] });
    expect(await bound()).toBe(150);
    named = {};
    await change({ budget: 120 });
    expect(await read()).toMatchObject({ budget: 120, changes: [{ state: 'confirmed' }, expect.anything()] });
  });
});
