import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { grantedOnly } from '../../support/buying/access.ts';
import { auditOf } from '../../support/callers/answers.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { draftOf } from '../../support/sellers/discovery.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { type AccountGiven, accountsAt } from '../../support/sellers/linked-accounts.ts';
import { done, newAdvertiser } from '../../support/sellers/market.ts';
import { writesBetween } from '../../support/server/between.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('account_link_delete', () => {
  const between = writesBetween('account_link_delete');
  let server: TestServer;
  let buyer: Person;
  let far: FarSeller;
  let at: (accountId: string) => AccountGiven;
  beforeAll(async () => {
    const settings = { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' };
    server = await startTestServer({ settings, families: between.families });
    far = await farSeller(server, 'Far');
    buyer = await newPerson(server);
    at = await accountsAt(buyer, far);
  });
  afterAll(async () => {
    await server.stop();
    await far.agent.stop();
  });

  /** An advertiser with these accounts, and the path of each link. */
  async function linked(...accountIds: string[]) {
    const id = await newAdvertiser(buyer, { linkedAccounts: accountIds.map(at) });
    const { accounts } = done(await buyer.get(`/buyer/advertisers/${id}/accounts`));
    const paths = accounts.map(
      ({ linkId }: { linkId: string }) => `/buyer/advertisers/${id}/accounts/${linkId}`,
    ) as string[];
    return { id, paths, first: paths[0] ?? '', last: paths.at(-1) ?? '' };
  }
  const left = async (id: string) => {
    const { accounts } = done(await buyer.get(`/buyer/advertisers/${id}/accounts`));
    return accounts.map(({ accountId }: { accountId: string }) => accountId);
  };
  const counted = async (id: string) => {
    const { items } = done(await buyer.get('/buyer/advertisers'));
    return items.find((one: { id: string }) => one.id === id).linkedAccountCount;
  };

  test('409 CONFLICT on another answer than is given now, which it shows, and 200 on that', async () => {
    const { id, first } = await linked('kept');
    const now = await buyer.get(first);
    const etag = now.headers.get('etag') ?? '';
    const remove = (match: string) => buyer.send(first, { method: 'DELETE', headers: { 'if-match': match } });

    const reply = await remove('"-00000000000000000000000000000000"');

    expectRefusal(reply, 409, {
      code: 'CONFLICT',
      at: { 'If-Match': 'The account link was changed by somebody else in the meantime.' },
    });
    expect(reply.body.error.details).toMatchObject({ current: now.body.data, etag });
    expect(await left(id)).toEqual(['kept']);
    expect((await remove(etag)).status).toBe(200);
  });

  test('200 takes it away, counts the others, and is logged under the advertiser', async () => {
    const { id, first } = await linked('wrong', 'right');

    const reply = await buyer.delete(first);

    const linkId = first.split('/').at(-1);
    expect(reply.status).toBe(200);
    expect(reply.body.data).toEqual({ unlinked: true, linkId });
    expect(await left(id)).toEqual(['right']);
    expect(await counted(id)).toBe(1);
    const [entry] = await auditOf(server, buyer, 'account_link_delete');
    expect(entry).toMatchObject({
      action: 'DELETE',
      resource_type: 'ACCOUNT_LINK',
      resource_id: linkId,
      resource_name: 'wrong',
      advertiser_id: Number(id),
    });
  });

  test('leaves later orders to the one linked before it, and then to none', async () => {
    const { id: advertiserId, first, last } = await linked('right', 'wrong');
    const told = async () => {
      const campaignId = await draftOf(buyer, { ...far, advertiserId, productId: 'far-1' });
      done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
      return ['get_products', 'create_media_buy'].map(
        (tool) => far.agent.calls.filter((call) => call.tool === tool).at(-1)?.args['account'],
      );
    };
    expect(await told()).toEqual([{ account_id: 'wrong' }, { account_id: 'wrong' }]);

    done(await buyer.delete(last));
    expect(await told()).toEqual([{ account_id: 'right' }, { account_id: 'right' }]);

    done(await buyer.delete(first));
    const brand = { brand: { domain: 'acme.example' } };
    expect(await told()).toMatchObject([brand, brand]);
  });

  test('404 NOT_FOUND of a link of another advertiser, and of one that is gone', async () => {
    const one = await linked('a');
    const other = await linked('b');
    const crossed = `/buyer/advertisers/${one.id}/accounts/${other.first.split('/').at(-1)}`;

    expectRefusal(await buyer.delete(crossed), 404, { code: 'NOT_FOUND', words: 'No such account link.' });
    expect(await left(other.id)).toEqual(['b']);
    done(await buyer.delete(one.first));
    expectRefusal(await buyer.delete(one.first), 404, { code: 'NOT_FOUND', words: 'No such account link.' });
    expect(await counted(one.id)).toBe(0);
  });

  test('404 NOT_FOUND to whoever takes it away second at the same time: it is counted once', async () => {
    const { id, first } = await linked('a', 'b');
    between.next(() => buyer.delete(first));

    expectRefusal(await buyer.delete(first), 404, { code: 'NOT_FOUND', words: 'No such account link.' });

    expect(await counted(id)).toBe(1);
  });

  test('takes several away at once, each counted', async () => {
    const { id, paths } = await linked('a', 'b', 'c', 'd');

    const replies = await Promise.all(paths.slice(1).map((path) => buyer.delete(path)));

    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await left(id)).toEqual(['a']);
    expect(await counted(id)).toBe(1);
  });

  test('keeps count of what an update links meanwhile', async () => {
    const { id, first } = await linked('a');
    between.next(() => buyer.put(`/buyer/advertisers/${id}`, { linkedAccounts: [at('b'), at('c')] }));

    done(await buyer.delete(first));

    expect(await left(id)).toEqual(['b', 'c']);
    expect(await counted(id)).toBe(2);
  });

  test('200 to a key whose grants reach the advertiser, 403 ACCESS_DENIED to one whose reach another', async () => {
    const { id, first, last } = await linked('a', 'b');
    const granted = await grantedOnly(server, buyer, id);
    const elsewhere = await grantedOnly(server, buyer, await newAdvertiser(buyer));

    expectRefusal(await elsewhere.delete(first), 403, {
      code: 'ACCESS_DENIED',
      words: 'This advertiser belongs to an account or advertiser beyond your grants.',
    });
    expect((await granted.delete(last)).status).toBe(200);
    expect(await left(id)).toEqual(['a']);
  });
});
