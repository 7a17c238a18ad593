import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { type AccountGiven, accountsAt } from '../../support/sellers/linked-accounts.ts';
import { done, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('account_link_list', () => {
  let server: TestServer;
  let buyer: Person;
  let far: FarSeller;
  let other: FarSeller;
  let atFar: (accountId: string) => AccountGiven;
  let atOther: (accountId: string) => AccountGiven;
  let path: string;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    far = await farSeller(server, 'Far');
    other = await farSeller(server, 'Other');
    buyer = await newPerson(server);
    atFar = await accountsAt(buyer, far);
    atOther = await accountsAt(buyer, other);
    const linkedAccounts = [atFar('a'), atOther('b'), atFar('c')];
    path = `/buyer/advertisers/${await newAdvertiser(buyer, { linkedAccounts })}/accounts`;
    await newAdvertiser(buyer, { linkedAccounts: [atFar('of another')] });
  });
  afterAll(async () => {
    await server.stop();
    await Promise.all([far.agent.stop(), other.agent.stop()]);
  });

  const found = async (query: string) => {
    const { accounts, total } = done(await buyer.get(`${path}?${query}`));
    return { total, ids: accounts.map(({ accountId }: { accountId: string }) => accountId) };
  };

  test('200 with the links of this advertiser alone, in the order in which they were made', async () => {
    const reply = await buyer.get(path);

    expect(reply.status).toBe(200);
    expect(reply.body.data).toMatchObject({ total: 3, hasMore: false, nextOffset: null });
    const advertiserId = path.split('/')[3];
    const advertiser = done(await buyer.get(`/buyer/advertisers/${advertiserId}`));
    expect(reply.body.data.accounts).toEqual(
      advertiser.linkedAccounts.map((link: object) => ({ ...link, advertiserId })),
    );
    expect(await found('')).toEqual({ total: 3, ids: ['a', 'b', 'c'] });
  });

  test('narrows to a storefront, to a source and to a state', async () => {
    expect(await found(`storefrontId=${far.storefrontId}`)).toEqual({ total: 2, ids: ['a', 'c'] });
    expect(
      await found(`sourceId=${encodeURIComponent(atOther('').sourceId)}&storefrontId=${other.storefrontId}`),
    ).toEqual({
      total: 1,
      ids: ['b'],
    });
    expect(await found('sourceId=nowhere')).toEqual({ total: 0, ids: [] });
    expect((await found('status=unreachable')).total).toBe(3);
    expect(await found('status=active')).toEqual({ total: 0, ids: [] });
    expect(await found('status=suspended')).toEqual({ total: 0, ids: [] });
  });

  test('turns pages', async () => {
    const { accounts, ...counters } = done(await buyer.get(`${path}?take=1&skip=1`));

    expect(accounts).toMatchObject([{ accountId: 'b' }]);
    expect(counters).toEqual({ total: 3, hasMore: true, nextOffset: 2 });
  });

  test('is empty for an advertiser without any', async () => {
    const id = await newAdvertiser(buyer);

    expect(done(await buyer.get(`/buyer/advertisers/${id}/accounts`))).toMatchObject({
      accounts: [],
      total: 0,
    });
  });

  test('404 NOT_FOUND of an advertiser that another organization has, or nobody', async () => {
    const stranger = await newPerson(server);

    expectRefusal(await stranger.get(path), 404, { code: 'NOT_FOUND', words: 'No such advertiser.' });
    expectRefusal(await buyer.get('/buyer/advertisers/999999/accounts'), 404, {
      code: 'NOT_FOUND',
      words: 'No such advertiser.',
    });
  });
});
