import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { verifyDomain } from '../../../tools/domain/organizations/domains.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { type SkippingClock, skippingClock } from '../../support/run/skipping-clock.ts';
import { draftOf } from '../../support/sellers/discovery.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { type AccountGiven, accountsAt } from '../../support/sellers/linked-accounts.ts';
import { done, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const acme = { operator: 'agency.example', brand: { domain: 'acme.example' }, status: 'active' };
const PER_PAGE = 100;

/** Accounts of page after page: a seller with many buyers behind one connection names them all. */
describe('a list of accounts that goes on and on', () => {
  let server: TestServer;
  let clock: SkippingClock;
  let buyer: Person;
  let id: string;
  let far: FarSeller;
  let at: (accountId: string) => AccountGiven;
  /** What passes while the seller gives a page. */
  let passes: number;
  beforeAll(async () => {
    clock = skippingClock();
    server = await startTestServer({ clock, settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    buyer = await newPerson(server);
    await verifyDomain(server.operator, { organizationId: buyer.organizationId, domain: 'agency.example' });
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    far = await farSeller(server, 'Far');
    at = await accountsAt(buyer, far);
    id = await newAdvertiser(buyer);
    passes = 0;
    return () => far.agent.stop();
  });

  /** Has the seller give so many pages; the accounts are `acc-<page>-<index>`. */
  function gives(pages: number, perPage = PER_PAGE): void {
    far.agent.on('list_accounts', ({ pagination }) => {
      const { cursor = '1' } = pagination as { cursor?: string };
      const page = Number(cursor);
      clock.skip(passes);
      return {
        accounts: Array.from({ length: perPage }, (_, index) => ({
          ...acme,
          account_id: `acc-${page}-${index}`,
        })),
        pagination: page < pages ? { has_more: true, cursor: String(page + 1) } : { has_more: false },
      };
    });
  }
  const asked = () => far.agent.calls.filter(({ tool }) => tool === 'list_accounts').length;
  const link = (accountId: string) => buyer.post(`/buyer/advertisers/${id}/accounts`, at(accountId));
  async function available() {
    const { storefrontId, sourceId } = at('');
    const where = `storefrontId=${storefrontId}&sourceId=${encodeURIComponent(sourceId)}&refresh=true`;
    return done(await buyer.get(`/buyer/advertisers/${id}/accounts/available?${where}`));
  }
  const unread = (read: number) => ({
    code: 'VALIDATION_ERROR' as const,
    at: {
      accountId: `Its seller lists more accounts than are read here, and it is not among the first ${read} accounts.`,
    },
  });

  test('is read until the account is found, and no further', async () => {
    gives(30);

    expect(done(await link('acc-15-7')).account).toMatchObject({ status: 'active' });
    expect(asked()).toBe(15);

    expect(done(await link('acc-2-1')).account).toMatchObject({ status: 'active' });
    expect(asked()).toBe(15);
    expect(await available()).toMatchObject({ total: 3_000 });
    expect(await available()).not.toHaveProperty('guidance');
  });

  test('names nobody falsely: what was read for one account is not all there is', async () => {
    gives(30);
    done(await link('acc-1-0'));

    expect(done(await link('acc-29-0')).account).toMatchObject({ status: 'active' });
  });

  test('is said to go on behind 100 pages, where an account is neither named nor missing', async () => {
    gives(1_000, 1);

    expectRefusal(await link('acc-500-0'), 422, unread(100));
    expect(asked()).toBe(100);
    const { total, guidance } = await available();
    expect(total).toBe(100);
    expect(guidance).toBe(
      'The seller lists more accounts than are read here: these are of the first 100 accounts. Ask the seller about one that is missing.',
    );
  });

  test('is read for half of the time that a seller has', async () => {
    gives(30);
    passes = 6_000;

    expectRefusal(await link('acc-15-0'), 422, unread(300));
    expect(asked()).toBe(3);
  });

  test('is read however many are dealt out at once, of which not all may have come in', async () => {
    gives(2, 450);
    expect((await link('acc-2-449')).status).toBe(201);
    gives(1, 2_000);

    expectRefusal(await link('acc-1-1999'), 422, unread(1_000));
    expect((await link('acc-1-999')).status).toBe(201);
  });

  test('stops no order under an account that was named before, and any other', async () => {
    gives(1);
    const advertiserId = await newAdvertiser(buyer, { linkedAccounts: [at('acc-1-0')] });
    const campaignId = await draftOf(buyer, { ...far, advertiserId, productId: 'far-1' });
    far.agent.on('list_accounts', () => ({ accounts: [], pagination: { has_more: true, cursor: 'same' } }));
    far.agent.on('create_media_buy', () => ({ media_buy_id: 'far_1', status: 'active', packages: [] }));
    const confirmed = (confirmed_at: string | null) =>
      server.store.db
        .updateTable('advertiser_accounts')
        .set({ confirmed_at, status: 'unreachable' })
        .where('organization_id', '=', buyer.organizationId)
        .where('advertiser_id', '=', Number(advertiserId))
        .execute();

    await confirmed(null);
    const kept = done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
    const words =
      'Agent lists more accounts than are read here, and acc-1-0 is not among the first 0 accounts.';
    expect(kept).toMatchObject({ success: false, errors: [{ message: expect.stringContaining(words) }] });
    expect(far.agent.calls.filter(({ tool }) => tool === 'create_media_buy')).toEqual([]);
    await confirmed('2026-01-01T00:00:00.000Z');
    expect(done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`))).toMatchObject({ success: true });
  });
});
