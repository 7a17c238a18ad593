import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { faultsOf } from '../../support/buying/ledger.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, draftCampaign, executed, newAdvertiser } from '../../support/sellers/market.ts';
import { adcpProduct } from '../../support/sellers/seller-agent.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

/** A buy of 100 USD, at a seller that takes every order and change. */
describe('a list of media buys', () => {
  let server: TestServer;
  let buyer: Person;
  let far: FarSeller;
  let campaignId: string;
  let mediaBuyId: string;
  /** What it shows of the buy. */
  let told: object;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    far = await farSeller(server, 'Far', [adcpProduct('far-1')]);
    told = { packages: [part()] };
    far.agent.on('create_media_buy', shown);
    far.agent.on('get_media_buys', () => ({ media_buys: [shown()] }));
    far.agent.on('get_media_buy_delivery', () => ({ media_buy_deliveries: [] }));
    far.agent.on('update_media_buy', shown);
    return () => far.agent.stop();
  });

  const shown = () => ({ media_buy_id: 'far_buy', status: 'active', ...told });
  const part = (fields: object = {}) => ({
    ...{ package_id: 'pkg_1', product_id: 'far-1', budget: 100 },
    ...fields,
  });
  async function bought(): Promise<void> {
    buyer = await newPerson(server);
    const advertiserId = await newAdvertiser(buyer);
    ({ campaignId } = await draftCampaign(buyer, {
      advertiserId,
      storefrontIds: [far.storefrontId],
      budget: 500,
    }));
    mediaBuyId = await executed(buyer, campaignId);
  }
  const path = () => `/buyer/media-buys/${mediaBuyId}`;
  const raise = (budget: number) =>
    buyer.patch(path(), { packages: [{ packageId: 'pkg_1', budget }] }).then(done);
  const read = async () => done(await buyer.get(`${path()}?detail=full`)).mediaBuy;
  const refresh = async () =>
    done(await buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`)).media_buys[0];
  async function bound(): Promise<number> {
    expect(await faultsOf(server.store.db, buyer.organizationId)).toEqual([]);
    const { credit } = done(await buyer.get('/buyer/accounts/current'));
    return credit.find(({ currency }: { currency: string }) => currency === 'USD').committed;
  }

  describe('that has a package twice', () => {
    test.each([
      { fields: 'budget', other: { budget: 400 } },
      { fields: 'budget, currency', other: { budget: 100, currency: 'EUR' } },
      { fields: 'paused', other: { paused: true } },
      { fields: 'canceled', other: { canceled: true } },
    ])('with another $fields changes nothing by it, and says so', async ({ fields, other }) => {
      await bought();
      told = { packages: [part(), part(other)] };

      expect((await refresh()).source_message).toMatch(
        new RegExp(
          `^Agent lists pkg_1 more than once, each time with another ${fields}: nothing of that was taken, and 100\\.00 USD stay bound\\. Ask the seller, naming sf:\\S+, to list each package once\\.$`,
        ),
      );

      const now = await read();
      expect(now).toMatchObject({ status: 'ACTIVE', budget: 100, packages: [{ budget: 100 }] });
      expect(now.packages[0]).not.toHaveProperty('canceled', true);
      expect(await bound()).toBe(100);
      told = { packages: [part()] };
      expect((await refresh()).source_message).toBeUndefined();
      expect((await read()).explanation).toBe('It runs: nothing is to be done.');
    });

    test('and the same of both has it once', async () => {
      told = { packages: [part(), part()] };

      await bought();

      expect((await read()).packages).toHaveLength(1);
      expect((await read()).explanation).toBe('It runs: nothing is to be done.');
    });

    test('confirms no budget while the entries differ in it', async () => {
      await bought();
      told = { packages: [part(), part({ budget: 150 })] };

      await raise(150);

      expect(await read()).toMatchObject({ budget: 100, changes: [{ state: 'waiting' }] });
      expect((await read()).explanation).toContain(
        'package pkg_1 is listed more than once, with another budget',
      );
      expect(await bound()).toBe(150);
      told = { packages: [part({ budget: 150 })] };
      await refresh();
      expect(await read()).toMatchObject({ budget: 150, changes: [{ state: 'confirmed' }] });
      expect(await bound()).toBe(150);
    });
  });

  describe('that has no packages, and a total', () => {
    test.each([
      { what: 'with its currency', total: { total_budget: 90, currency: 'EUR' } },
      { what: 'as an object', total: { total_budget: { amount: 4_000, currency: 'EUR' } } },
      { what: 'that is none, in a currency', total: { currency: 'EUR' } },
    ])('$what, in another currency than that of the order counts nothing, and says so', async ({ total }) => {
      await bought();
      told = total;

      expect((await refresh()).source_message).toMatch(
        /^Agent shows far_buy in EUR, of a buy in USD: no amount of that was taken, and 100\.00 USD stay bound\. Ask the seller, /,
      );

      expect((await read()).explanation).toMatch(/^It runs\. Agent shows far_buy in EUR, /);
      expect(await read()).toMatchObject({ budget: 100, packages: [{ budget: 100 }] });
      expect(await bound()).toBe(100);
      told = { packages: [part()] };
      expect((await refresh()).source_message).toBeUndefined();
    });

    test('in another currency is named from the answer to the order on', async () => {
      told = { total_budget: 100, currency: 'EUR' };

      await bought();

      expect((await read()).explanation).toMatch(/^It runs\. Agent shows far_buy in EUR, of a buy in USD/);
    });

    test('in another currency confirms no raise, and one in that of the order does', async () => {
      await bought();
      told = { total_budget: 150, currency: 'EUR' };

      await raise(150);

      expect(await read()).toMatchObject({ budget: 100, changes: [{ state: 'waiting' }] });
      expect((await read()).explanation).toContain('all of it is shown in EUR');
      told = { total_budget: 150, currency: 'USD' };
      await refresh();
      expect(await bound()).toBe(150);
    });

    test('far above what was ordered is named', async () => {
      await bought();
      told = { total_budget: 400, currency: 'USD' };

      expect((await refresh()).source_message).toMatch(
        /^Agent shows 400\.00 USD for all of it, where 100\.00 USD were ordered: no more than 100\.00 USD is owed\. Ask the seller, /,
      );
      expect(await bound()).toBe(100);
    });
  });
});
