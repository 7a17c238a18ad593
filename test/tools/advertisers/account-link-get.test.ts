import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { type AccountGiven, accountsAt } from '../../support/sellers/linked-accounts.ts';
import { done, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('account_link_get', () => {
  let server: TestServer;
  let buyer: Person;
  let far: FarSeller;
  let other: FarSeller;
  let atFar: (accountId: string) => AccountGiven;
  let atOther: (accountId: string) => AccountGiven;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    far = await farSeller(server, 'Far');
    other = await farSeller(server, 'Other');
    buyer = await newPerson(server);
    atFar = await accountsAt(buyer, far);
    atOther = await accountsAt(buyer, other);
  });
  afterAll(async () => {
    await server.stop();
    await Promise.all([far.agent.stop(), other.agent.stop()]);
  });

  async function linked(...linkedAccounts: AccountGiven[]) {
    const path = `/buyer/advertisers/${await newAdvertiser(buyer, { linkedAccounts })}/accounts`;
    return { path, links: done(await buyer.get(path)).accounts };
  }

  test('200 with the link by its id, and what no seller was asked for as null', async () => {
    const { path, links } = await linked(atFar('a'), atFar('b'));

    const reply = await buyer.get(`${path}/${links[1].linkId}`);

    expect(reply.status).toBe(200);
    const untold = { advertiser: null, billingProxy: null, house: null, billing: null };
    expect(reply.body.data).toEqual({ ...links[1], ...untold });
    expect(reply.body.data.accountId).toBe('b');
  });

  test('200 by what the seller calls the account: of several called so the one linked last', async () => {
    const { path, links } = await linked(atFar('same/ü'), atOther('same/ü'), atFar('available'));

    const shown = done(await buyer.get(`${path}/${encodeURIComponent('same/ü')}`));

    expect(shown.linkId).toBe(links[1].linkId);
    // Its name is the address of another list: it is found by its link.
    expect(done(await buyer.get(`${path}/${links[2].linkId}`)).accountId).toBe('available');
  });

  test('200 by the id of the link before an account that is called like it', async () => {
    const { links } = await linked(atFar('first'));
    const next = String(Number(links[0].linkId) + 1);
    const { path, links: both } = await linked(atFar('second'), atFar(next));

    const shown = done(await buyer.get(`${path}/${next}`));

    expect(both[0].linkId).toBe(next);
    expect(shown.accountId).toBe('second');
  });

  test('404 NOT_FOUND of a link of another advertiser, and to another organization', async () => {
    const one = await linked(atFar('a'));
    const two = await linked(atFar('b'));
    const stranger = await newPerson(server);

    expectRefusal(await buyer.get(`${one.path}/${two.links[0].linkId}`), 404, {
      code: 'NOT_FOUND',
      words: 'No such account link.',
    });
    expectRefusal(await buyer.get(`${one.path}/b`), 404, {
      code: 'NOT_FOUND',
      words: 'No such account link.',
    });
    expectRefusal(await stranger.get(`${one.path}/${one.links[0].linkId}`), 404, {
      code: 'NOT_FOUND',
      words: 'No such advertiser.',
    });
  });
});
