import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { verifyDomain } from '../../../tools/domain/organizations/domains.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { type AccountGiven, accountsAt } from '../../support/sellers/linked-accounts.ts';
import { connectAgent, done, newAdvertiser, openStorefront } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const acme = { operator: 'agency.example', brand: { domain: 'acme.example' }, status: 'active' };
const NOT_THERE =
  'Its seller names no such account for this advertiser that is of a verified domain of your organization.';

/** An order under an account is billed to whoever has it. */
describe('an account at a seller that lists its accounts', () => {
  let server: TestServer;
  let buyer: Person;
  let stranger: Person;
  let far: FarSeller;
  let at: (accountId: string) => AccountGiven;
  let accounts: readonly object[];
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    buyer = await newPerson(server);
    stranger = await newPerson(server);
    await verifyDomain(server.operator, { organizationId: buyer.organizationId, domain: 'agency.example' });
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    far = await farSeller(server, 'Far');
    at = await accountsAt(buyer, far);
    accounts = [
      { ...acme, account_id: 'acc-1' },
      { ...acme, account_id: 'acc-2', status: 'suspended' },
      { ...acme, account_id: 'acc-3', status: 'closed' },
      { ...acme, account_id: 'acc-4', brand: { domain: 'gamma.example' } },
    ];
    far.agent.on('list_accounts', () => ({ accounts }));
    return () => far.agent.stop();
  });

  const link = (by: Person, id: string, accountId: string) =>
    by.post(`/buyer/advertisers/${id}/accounts`, at(accountId));
  const linksOf = async (by: Person, id: string) =>
    done(await by.get(`/buyer/advertisers/${id}/accounts`)).accounts;
  const refusedAt = (path: string, message: string) => ({
    code: 'VALIDATION_ERROR' as const,
    at: { [path]: message },
  });

  test('is linked by the organization whose it is, and active', async () => {
    const id = await newAdvertiser(buyer);

    const { account } = done(await link(buyer, id, 'acc-1'));

    expect(account).toMatchObject({ accountId: 'acc-1', status: 'active' });
    expect(done(await buyer.get(`/buyer/advertisers/${id}/accounts?status=active`)).total).toBe(1);
    expect(done(await buyer.get(`/buyer/advertisers/${id}/accounts?status=unreachable`)).total).toBe(0);
  });

  test('is refused with 422 to another organization, as one that the seller does not know', async () => {
    const id = await newAdvertiser(stranger);

    for (const accountId of ['acc-1', 'acc-2', 'acc-nope']) {
      const reply = await link(stranger, id, accountId);
      expectRefusal(reply, 422, refusedAt('accountId', NOT_THERE));
      expect(reply.body.error.details.suggestion).toContain('available_account_list');
    }
    expect(await linksOf(stranger, id)).toEqual([]);
  });

  test('is refused with 422 where it is of another brand, or does not run', async () => {
    const id = await newAdvertiser(buyer);

    expectRefusal(await link(buyer, id, 'acc-4'), 422, refusedAt('accountId', NOT_THERE));
    for (const [accountId, status] of [
      ['acc-2', 'suspended'],
      ['acc-3', 'closed'],
    ] as const) {
      const words = `It is ${status} at its seller: it has to be active there.`;
      expectRefusal(await link(buyer, id, accountId), 422, refusedAt('accountId', words));
    }
    expect(await linksOf(buyer, id)).toEqual([]);
  });

  test('is refused in linkedAccounts of a new and of a changed advertiser, of which nothing is kept', async () => {
    const linkedAccounts = [at('acc-1'), at('acc-nope')];
    const fields = { name: 'Acme', brand: 'acme.example', saveBrand: true, primaryCurrency: 'USD' };
    const id = await newAdvertiser(buyer);
    const count = async () => done(await buyer.get('/buyer/advertisers')).total;
    const before = await count();

    const made = await buyer.post('/buyer/advertisers', { ...fields, linkedAccounts });
    expectRefusal(made, 422, refusedAt('linkedAccounts.1.accountId', NOT_THERE));
    const changed = await buyer.put(`/buyer/advertisers/${id}`, { name: 'Other', linkedAccounts });
    expectRefusal(changed, 422, refusedAt('linkedAccounts.1.accountId', NOT_THERE));

    expect(await count()).toBe(before);
    expect(done(await buyer.get(`/buyer/advertisers/${id}`))).not.toMatchObject({ name: 'Other' });
    expect(await linksOf(buyer, id)).toEqual([]);
  });

  test('is held against the brand that an advertiser is given in the same call', async () => {
    const id = await newAdvertiser(buyer);
    const changes = { brand: 'gamma.example', saveBrand: true, linkedAccounts: [at('acc-4')] };

    const changed = done(await buyer.put(`/buyer/advertisers/${id}`, changes));

    expect(changed.linkedAccounts).toMatchObject([{ accountId: 'acc-4', status: 'active' }]);
  });

  test('is looked for anew where what was said before does not name it', async () => {
    const id = await newAdvertiser(buyer);
    done(await link(buyer, id, 'acc-1'));
    const asked = () => far.agent.calls.filter(({ tool }) => tool === 'list_accounts').length;
    expect(asked()).toBe(1);
    accounts = [...accounts, { ...acme, account_id: 'acc-5' }];

    expect((await link(buyer, id, 'acc-5')).status).toBe(201);
    expect(asked()).toBe(2);
  });

  test('stays linked where it was before, whatever its seller says by now', async () => {
    const id = await newAdvertiser(buyer, { linkedAccounts: [at('acc-1')] });
    accounts = [];

    const again = done(await buyer.put(`/buyer/advertisers/${id}`, { linkedAccounts: [at('acc-1')] }));

    expect(again.linkedAccounts).toHaveLength(1);
  });

  test('is refused with 503 while its seller does not say what it has', async () => {
    far.agent.on('list_accounts', () => ({ errors: [{ code: 'INTERNAL_ERROR', message: 'Down.' }] }));
    const id = await newAdvertiser(buyer);

    expectRefusal(await link(buyer, id, 'acc-1'), 503, {
      code: 'SERVICE_UNAVAILABLE',
      words: 'The seller could not be asked for its accounts. INTERNAL_ERROR: Down.',
    });
    expect(await linksOf(buyer, id)).toEqual([]);
  });

  test('of any name is linked at the seller of this service, where nobody needs one', async () => {
    const { storefrontId } = await openStorefront(await newPerson(server));
    const id = await newAdvertiser(buyer);
    const given = (await accountsAt(buyer, { storefrontId }))('any');

    const { account } = done(await buyer.post(`/buyer/advertisers/${id}/accounts`, given));

    expect(account).toMatchObject({ accountId: 'any', status: 'active' });
  });

  test('is linked by whoever sells there for any organization behind it', async () => {
    const owner = await newPerson(server);
    const own = await connectAgent(owner, far.agent.url, { name: 'Own' });
    const id = await newAdvertiser(owner);
    const given = (await accountsAt(owner, own))('acc-1');

    expect((await owner.post(`/buyer/advertisers/${id}/accounts`, given)).status).toBe(201);
  });
});
