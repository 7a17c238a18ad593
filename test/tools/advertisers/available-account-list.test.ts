import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { verifyDomain } from '../../../tools/domain/organizations/domains.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { type SkippingClock, skippingClock } from '../../support/run/skipping-clock.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { accountsAt } from '../../support/sellers/linked-accounts.ts';
import { connectAgent, done, newAdvertiser, openStorefront } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const ours = { operator: 'agency.example', brand: { domain: 'acme.example' }, status: 'active' };

describe('available_account_list', () => {
  let server: TestServer;
  let clock: SkippingClock;
  let buyer: Person;
  let advertiserId: string;
  let far: FarSeller;
  /** What the seller has, as it says it. */
  let accounts: readonly object[];
  beforeAll(async () => {
    clock = skippingClock();
    server = await startTestServer({ clock, settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
    await verify(buyer, 'agency.example');
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    far = await farSeller(server, 'Far');
    accounts = [{ ...ours, account_id: 'acct_1', name: 'Acme' }];
    far.agent.on('list_accounts', () => ({ accounts }));
    return () => far.agent.stop();
  });

  async function verify({ organizationId }: Person, domain: string): Promise<void> {
    await verifyDomain(server.operator, { organizationId, domain });
  }
  async function list(query = '', by = buyer, { id = advertiserId, at = far.storefrontId } = {}) {
    const { storefrontId, sourceId } = (await accountsAt(by, { storefrontId: at }))('');
    const where = `storefrontId=${storefrontId}&sourceId=${encodeURIComponent(sourceId)}`;
    return by.get(`/buyer/advertisers/${id}/accounts/available?${where}&${query}`);
  }
  const ids = async (...asked: Parameters<typeof list>) =>
    done(await list(...asked)).accounts.map(({ accountId }: { accountId: string }) => accountId);
  const asked = () => far.agent.calls.filter(({ tool }) => tool === 'list_accounts');

  describe('200', () => {
    test('lists what the seller says of each account, and asks for live ones', async () => {
      accounts = [
        { ...ours, account_id: 'acct_1', name: 'Acme', advertiser: 'Acme Inc.', billing: 'operator' },
        { ...ours, account_id: 'acct_2', name: 'Acme two', billing_proxy: 'Pay Co.', status: 'suspended' },
      ];

      const { status, body } = await list();

      expect(status).toBe(200);
      const source = { storefrontId: Number(far.storefrontId), storefrontName: 'Far', sourceName: 'Agent' };
      expect(body.data).toMatchObject({ total: 2, hasMore: false, nextOffset: null, synced: true });
      expect(body.data.accounts[0]).toEqual({
        accountId: 'acct_1',
        credentialId: null,
        name: 'Acme',
        advertiser: 'Acme Inc.',
        billingProxy: null,
        house: null,
        billing: 'operator',
        sources: [expect.objectContaining(source)],
        status: 'active',
      });
      expect(body.data.accounts[1]).toMatchObject({ billingProxy: 'Pay Co.', status: 'suspended' });
      expect(asked()[0]?.args).toEqual({
        adcp_major_version: 3,
        sandbox: false,
        pagination: { max_results: 100 },
      });
    });

    test('shows nobody the accounts of others behind the same connection', async () => {
      accounts = [
        { ...ours, account_id: 'ours' },
        { ...ours, account_id: 'brand alone', brand: { domain: 'other.example' } },
        { ...ours, account_id: 'of another operator', operator: 'rival.example' },
        { ...ours, account_id: 'of the brand itself', operator: undefined },
        { account_id: 'of nobody', status: 'active' },
        { account_id: 'for any brand', status: 'active', operator: 'Agency.example' },
      ];
      const stranger = await newPerson(server);
      const id = await newAdvertiser(stranger);

      expect(await ids()).toEqual(['ours', 'for any brand']);
      expect(await ids('', stranger, { id, at: far.storefrontId })).toEqual([]);
    });

    test('shows a seller of one’s own all that are for the brand', async () => {
      accounts = [
        { ...ours, account_id: 'of another operator', operator: 'rival.example' },
        { account_id: 'of nobody', status: 'active' },
        { ...ours, account_id: 'of another brand', brand: { domain: 'other.example' } },
      ];
      const owner = await newPerson(server);
      const { storefrontId } = await connectAgent(owner, far.agent.url, { name: 'Own' });
      const id = await newAdvertiser(owner);

      expect(await ids('', owner, { id, at: storefrontId })).toEqual(['of another operator', 'of nobody']);
    });

    test('leaves out what cannot be linked: rejected, of the sandbox, without an id, in no shape', async () => {
      accounts = [
        { ...ours, account_id: 'rejected', status: 'rejected' },
        { ...ours, account_id: 'play', sandbox: true },
        { ...ours, account_id: ' blank ' },
        { ...ours },
        null as unknown as object,
        { ...ours, account_id: 'kept', name: { not: 'text' } },
      ];

      expect(done(await list()).accounts).toMatchObject([{ accountId: 'kept', name: null }]);
    });

    test('goes through the pages of the seller, and turns its own', async () => {
      far.agent.on('list_accounts', ({ pagination }) => {
        const { cursor } = pagination as { cursor?: string };
        const page = cursor === undefined ? 1 : Number(cursor);
        return {
          accounts: [{ ...ours, account_id: `acct_${page}` }],
          pagination: { has_more: page < 3, ...(page < 3 ? { cursor: String(page + 1) } : {}) },
        };
      });

      expect(await ids()).toEqual(['acct_1', 'acct_2', 'acct_3']);
      const second = done(await list('take=1&skip=1'));
      expect(second).toMatchObject({ accounts: [{ accountId: 'acct_2' }], total: 3, nextOffset: 2 });
      expect(asked()).toHaveLength(3);
    });

    test('ends with a seller that gives the same page again and again', async () => {
      far.agent.on('list_accounts', () => ({ accounts, pagination: { has_more: true, cursor: 'same' } }));

      expect(await ids()).toEqual(['acct_1']);
      expect(asked().length).toBeLessThanOrEqual(2);
    });

    test('uses what was said for five minutes, unless refresh is true', async () => {
      expect(done(await list())).toMatchObject({ total: 1, synced: true });
      accounts = [...accounts, { ...ours, account_id: 'acct_2' }];

      expect(done(await list())).toMatchObject({ total: 1, synced: false });
      expect(done(await list('refresh=true'))).toMatchObject({ total: 2, synced: true });
      accounts = [];
      clock.skip(299_000);
      expect(done(await list())).toMatchObject({ total: 2, synced: false });
      clock.skip(2_000);
      expect(done(await list())).toMatchObject({ total: 0, synced: true });
    });

    test('is empty at the seller of this service, which needs none, and for the sandbox, which has none', async () => {
      const { storefrontId } = await openStorefront(await newPerson(server));
      const id = await newAdvertiser(buyer, { sandbox: true });

      expect(done(await list('', buyer, { id: advertiserId, at: storefrontId }))).toMatchObject({
        accounts: [],
        total: 0,
      });
      expect(done(await list('', buyer, { id, at: far.storefrontId }))).toMatchObject({
        accounts: [],
        synced: false,
      });
      expect(asked()).toEqual([]);
    });

    test('names what account_link_create takes', async () => {
      const [accountId] = await ids();
      const given = (await accountsAt(buyer, far))(accountId);

      const { account } = done(await buyer.post(`/buyer/advertisers/${advertiserId}/accounts`, given));

      expect(account).toMatchObject({ accountId: 'acct_1' });
    });
  });

  test('400 VALIDATION_ERROR for a storefront or source that is not there', async () => {
    const path = `/buyer/advertisers/${advertiserId}/accounts/available`;
    const nowhere = await buyer.get(`${path}?storefrontId=999999&sourceId=x`);
    expectRefusal(nowhere, 400, { code: 'VALIDATION_ERROR', at: { storefrontId: 'No such storefront.' } });
    const unknown = await buyer.get(`${path}?storefrontId=${far.storefrontId}&sourceId=x`);
    expectRefusal(unknown, 400, {
      code: 'VALIDATION_ERROR',
      at: { sourceId: 'No such source behind this storefront.' },
    });
  });

  test('404 NOT_FOUND for an advertiser of another organization', async () => {
    const reply = await list('', await newPerson(server));

    expectRefusal(reply, 404, { code: 'NOT_FOUND', words: 'No such advertiser.' });
  });

  test('422 CAPABILITY_NOT_SUPPORTED for a seller that lists none', async () => {
    const plain = await farSeller(server, 'Plain');
    const reply = await list('', buyer, { id: advertiserId, at: plain.storefrontId });
    await plain.agent.stop();

    expectRefusal(reply, 422, {
      code: 'CAPABILITY_NOT_SUPPORTED',
      at: { sourceId: 'It declares no tool list_accounts.' },
    });
    expect(reply.body.error.details.unsupported).toMatchObject([{ salesAgentId: plain.agentId }]);
  });

  test('501 NOT_IMPLEMENTED for credentialId and billingType', async () => {
    for (const field of ['credentialId', 'billingType']) {
      expectRefusal(await list(`${field}=x`), 501, {
        code: 'NOT_IMPLEMENTED',
        at: { [field]: 'Documented, and not built yet.' },
      });
    }
  });

  test('503 SERVICE_UNAVAILABLE for a seller that answers with an error, or with no list', async () => {
    const down = { errors: [{ code: 'INTERNAL_ERROR', message: 'Down.' }] };
    for (const [answer, said] of [
      [down, 'INTERNAL_ERROR: Down.'],
      [{ accounts: 'none' }, 'The answer holds no list of accounts.'],
    ] as const) {
      far.agent.on('list_accounts', () => answer);

      expectRefusal(await list(), 503, {
        code: 'SERVICE_UNAVAILABLE',
        words: `The seller could not be asked for its accounts. ${said}`,
      });
    }
  });

  test('shows no credential of a storefront in what its seller says against it', async () => {
    const token = 'tok_55cd02-of-the-storefront';
    const auth = { type: 'bearer', token };
    const guarded = await connectAgent(await newPerson(server), far.agent.url, { name: 'Guarded', auth });
    far.agent.on('list_accounts', () => ({ errors: [{ code: 'POLICY', message: `Not ${token}.` }] }));

    const reply = await list('', buyer, { id: advertiserId, at: guarded.storefrontId });

    expectRefusal(reply, 503, {
      code: 'SERVICE_UNAVAILABLE',
      words: 'The seller could not be asked for its accounts. POLICY: Not [secret].',
    });
    expect(reply.text).not.toContain(token);
  });
});
