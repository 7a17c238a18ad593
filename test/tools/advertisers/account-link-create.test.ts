import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { grantedOnly } from '../../support/buying/access.ts';
import { auditOf } from '../../support/callers/answers.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { type AccountGiven, accountsAt } from '../../support/sellers/linked-accounts.ts';
import { done, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('account_link_create', () => {
  let server: TestServer;
  let buyer: Person;
  let far: FarSeller;
  let at: (accountId: string) => AccountGiven;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    far = await farSeller(server, 'Far');
    buyer = await newPerson(server);
    at = await accountsAt(buyer, far);
  });
  afterAll(async () => {
    await server.stop();
    await far.agent.stop();
  });

  const pathOf = (id: string) => `/buyer/advertisers/${id}/accounts`;
  const linksOf = async (id: string) => done(await buyer.get(pathOf(id))).accounts;

  test('201 with the link, which the advertiser shows and counts, and is logged', async () => {
    const id = await newAdvertiser(buyer);

    const reply = await buyer.post(pathOf(id), at('acct_1'));

    expect(reply.status).toBe(201);
    const { account } = reply.body.data;
    expect(account).toMatchObject({ accountId: 'acct_1', advertiserId: id, status: 'unreachable' });
    expect(await linksOf(id)).toEqual([account]);
    const shown = done(await buyer.get(`/buyer/advertisers/${id}`));
    expect(shown.linkedAccounts).toMatchObject([{ linkId: account.linkId }]);
    expect(done(await buyer.get('/buyer/advertisers')).items.at(-1)).toMatchObject({ linkedAccountCount: 1 });
    const [entry] = await auditOf(server, buyer, 'account_link_create');
    expect(entry).toMatchObject({
      action: 'CREATE',
      resource_type: 'ACCOUNT_LINK',
      resource_id: account.linkId,
      resource_name: 'acct_1',
      advertiser_id: Number(id),
    });
  });

  test('400 VALIDATION_ERROR of an unknown storefront, or of a source that is not behind it', async () => {
    const id = await newAdvertiser(buyer);

    const nobodys = await buyer.post(pathOf(id), { ...at('a'), storefrontId: 999_999 });
    expectRefusal(nobodys, 400, {
      code: 'VALIDATION_ERROR',
      at: { storefrontId: 'No such storefront.' },
    });
    const nowhere = await buyer.post(pathOf(id), { ...at('a'), sourceId: 'nowhere' });
    expectRefusal(nowhere, 400, {
      code: 'VALIDATION_ERROR',
      at: { sourceId: 'No such source behind this storefront.' },
    });
    expect(await linksOf(id)).toEqual([]);
  });

  test('422 VALIDATION_ERROR of a sandbox advertiser, whose orders would be real under it', async () => {
    const id = await newAdvertiser(buyer, { sandbox: true });

    const reply = await buyer.post(pathOf(id), at('acct_1'));

    expectRefusal(reply, 422, {
      code: 'VALIDATION_ERROR',
      at: {
        advertiserId: 'A sandbox advertiser has no accounts at sellers: orders under one would be real.',
      },
    });
    expect(await linksOf(id)).toEqual([]);
  });

  test('409 CONFLICT of one that is linked already, however many ask at once', async () => {
    const id = await newAdvertiser(buyer);

    const replies = await Promise.all([1, 2, 3].map(() => buyer.post(pathOf(id), at('acct_1'))));

    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expectRefusal(await buyer.post(pathOf(id), at('acct_1')), 409, {
      code: 'CONFLICT',
      words: /^The account is linked already: its linkId is \d+\.$/,
    });
    expect(await linksOf(id)).toHaveLength(1);
    const { items } = done(await buyer.get('/buyer/advertisers'));
    expect(items.at(-1)).toMatchObject({ id, linkedAccountCount: 1 });
  });

  test('links several at once, each counted', async () => {
    const id = await newAdvertiser(buyer);

    const replies = await Promise.all(['a', 'b', 'c'].map((name) => buyer.post(pathOf(id), at(name))));

    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(done(await buyer.get('/buyer/advertisers')).items.at(-1)).toMatchObject({ linkedAccountCount: 3 });
  });

  test('409 CONFLICT beyond 100 of one advertiser', async () => {
    const many = (from: number) => Array.from({ length: 50 }, (_, index) => at(`acct_${from + index}`));
    const id = await newAdvertiser(buyer, { linkedAccounts: many(0) });
    done(await buyer.put(`/buyer/advertisers/${id}`, { linkedAccounts: many(50) }));

    expectRefusal(await buyer.post(pathOf(id), at('one more')), 409, {
      code: 'CONFLICT',
      words: 'An advertiser has 100 accounts at the most.',
    });

    expect(done(await buyer.get(`${pathOf(id)}?take=250`)).total).toBe(100);
  });

  test('404 NOT_FOUND of an advertiser that another organization has', async () => {
    const id = await newAdvertiser(buyer);
    const stranger = await newPerson(server);

    expectRefusal(await stranger.post(pathOf(id), at('a')), 404, {
      code: 'NOT_FOUND',
      words: 'No such advertiser.',
    });
    expect(await linksOf(id)).toEqual([]);
  });

  test('201 to a key whose grants reach the advertiser, 403 ACCESS_DENIED to one whose reach another', async () => {
    const id = await newAdvertiser(buyer);
    const granted = await grantedOnly(server, buyer, id);
    const elsewhere = await grantedOnly(server, buyer, await newAdvertiser(buyer));

    expectRefusal(await elsewhere.post(pathOf(id), at('a')), 403, {
      code: 'ACCESS_DENIED',
      words: 'This advertiser belongs to an account or advertiser beyond your grants.',
    });
    expect((await granted.post(pathOf(id), at('b'))).status).toBe(201);
    expect(await linksOf(id)).toMatchObject([{ accountId: 'b' }]);
  });

  test.each(['credentialId', 'billingType'])('501 NOT_IMPLEMENTED with %s', async (field) => {
    const id = await newAdvertiser(buyer);

    const reply = await buyer.post(pathOf(id), { ...at('a'), [field]: 'x' });

    expectRefusal(reply, 501, {
      code: 'NOT_IMPLEMENTED',
      at: { [field]: 'Documented, and not built yet.' },
    });
    expect(await linksOf(id)).toEqual([]);
  });
});
