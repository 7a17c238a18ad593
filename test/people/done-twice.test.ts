import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openOrClose, startPilot } from '../../tools/domain/admission/operating.ts';
import { setSpendLimit } from '../../tools/domain/approvals/limits.ts';
import { buyEntry } from '../../tools/domain/buying/following/buy-entry.ts';
import { fundAccount, setCreditLimit } from '../../tools/domain/ledger/operating.ts';
import { mediaBudgetOf } from '../../tools/domain/ledger/pricing.ts';
import { setPricingRule } from '../../tools/domain/ledger/pricing-rules.ts';
import { verifyDomain } from '../../tools/domain/organizations/domains.ts';
import {
  changeStanding,
  suspendOrganization,
  suspendPerson,
} from '../../tools/domain/organizations/operator-decisions.ts';
import { giveRole } from '../../tools/domain/organizations/people.ts';
import { acceptTerms } from '../../tools/domain/organizations/terms.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { lastEntry } from '../support/database/last-entry.ts';
import { type FarSeller, farSeller } from '../support/sellers/far-seller.ts';
import { bought, done, draftCampaign, executed, newAdvertiser } from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

/** What changes nothing is answered, and neither written nor logged. */
describe('an act done twice', () => {
  let server: TestServer;
  let buyer: Person;
  let far: FarSeller;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    far = await farSeller(server, 'Far');
    buyer = await newPerson(server);
  });
  afterAll(async () => {
    await server.stop();
    await far.agent.stop();
  });

  const email = 'ada@twice.example';
  const role = (name: 'MEMBER' | 'ADMIN') =>
    giveRole(server.operator, { email, name: 'Ada', organizationId: buyer.organizationId, role: name });
  const ofBuyer = () => ({ organizationId: buyer.organizationId, currency: 'USD' });
  const suspend = (isSuspended: boolean) =>
    suspendOrganization(server.operator, { organizationId: buyer.organizationId, isSuspended });
  const fund = (amountMinor: number) => fundAccount(server.operator, { ...ofBuyer(), amountMinor });

  const ACTS: Readonly<Record<string, () => Promise<unknown>>> = {
    'a role that is given': () => role('MEMBER'),
    'a person who is suspended': () => suspendPerson(server.operator, { email, isSuspended: true }),
    'a person who is let go on': () => suspendPerson(server.operator, { email, isSuspended: false }),
    'an organization that is suspended': () => suspend(true),
    'an organization that is let go on': () => suspend(false),
    'alpha that is opened': () => changeStanding(server.operator, buyer.organizationId, { alpha: true }),
    'admission to the market': () =>
      changeStanding(server.operator, buyer.organizationId, { admission: 'waitlisted' }),
    'admission to it again': () =>
      changeStanding(server.operator, buyer.organizationId, { admission: 'admitted' }),
    'signup that is opened': () => openOrClose(server.operator, { name: 'plans', isOpen: true }),
    'signup that is closed': () => openOrClose(server.operator, { name: 'plans', isOpen: false }),
    'a pilot that is opened': () => startPilot(server.operator, { country: 'NO', channel: 'ctv' }),
    'terms that the operator accepts': () => acceptTerms(server.operator, buyer.organizationId),
    'a domain that is verified': () =>
      verifyDomain(server.operator, { organizationId: buyer.organizationId, domain: 'twice.example' }),
    'a credit limit': () => setCreditLimit(server.operator, { ...ofBuyer(), limitMinor: 100_000 }),
    'a spend limit': () => setSpendLimit(server.operator, { ...ofBuyer(), limitMinor: 900_000_00 }),
    'a fee': () => setPricingRule(server.operator, { organizationId: buyer.organizationId, feeBps: 250 }),
    'a payment of nothing': () => fund(0),
  };

  /** The log, and how often each table of what acts write was written to. */
  async function written(): Promise<unknown> {
    const db = server.store.db.withoutPlugins();
    return {
      entries: await lastEntry(server.store),
      installation: (await db.selectFrom('installation_log').selectAll().execute()).length,
      people: await db.selectFrom('users').select(['id', 'updated_at']).orderBy('id').execute(),
      ledger: (await db.selectFrom('ledger_entries').select('id').execute()).length,
      rules: (await db.selectFrom('pricing_rules').select('id').execute()).length,
      organizations: await db
        .selectFrom('organizations')
        .select(['id', 'updated_at'])
        .orderBy('id')
        .execute(),
      campaigns: await db.selectFrom('campaigns').select(['id', 'version']).orderBy('id').execute(),
    };
  }

  test.each(Object.keys(ACTS))(
    'of which %s is one is neither written nor logged the second time',
    async (name) => {
      await ACTS[name]?.();
      const before = await written();

      await ACTS[name]?.();

      expect(await written()).toEqual(before);
    },
  );

  test.each(['pause', 'cancel'] as const)(
    'that asks for a %s which waits for its seller is neither written nor logged the second time',
    async (action) => {
      const advertiserId = await newAdvertiser(buyer);
      const { campaignId } = await draftCampaign(buyer, { advertiserId, storefrontIds: [far.storefrontId] });
      await executed(buyer, campaignId);
      far.agent.on('update_media_buy', () => ({ status: 'submitted', task_id: `task-${campaignId}` }));
      far.agent.on('tasks/get', () => ({ status: 'working' }));
      const ask = () => buyer.post(`/buyer/campaigns/${campaignId}/${action}`, {});
      done(await ask());
      const before = await written();

      done(await ask());

      expect(await written()).toEqual(before);
    },
  );

  test('tells of packages that a seller named nothing that was so before', async () => {
    far.agent.on('create_media_buy', () => ({ status: 'submitted', task_id: 'named-later' }));
    const mediaBuyId = await bought(buyer, {
      advertiserId: await newAdvertiser(buyer),
      storefrontIds: [far.storefrontId],
    });
    const row = await server.store.db
      .withoutPlugins()
      .selectFrom('media_buys')
      .selectAll()
      .where('id', '=', mediaBuyId)
      .executeTakeFirstOrThrow();
    const [product] = JSON.parse(row.products);
    // Sellers are told what is left of a budget when the fee is off.
    const budgetMinor = mediaBudgetOf(product.budget_minor, row.fee_bps);
    const part = { package_id: 'pkg_1', product_id: product.product_id, budget_minor: budgetMinor };

    const same = buyEntry({ before: row, after: { ...row, packages: JSON.stringify([part]) } as never });
    const less = buyEntry({
      before: row,
      after: {
        ...row,
        packages: JSON.stringify([{ ...part, budget_minor: mediaBudgetOf(50_00, row.fee_bps) }]),
      } as never,
    });

    expect(same.changes).toEqual({});
    expect(less.changes).toEqual({ 'packages.pkg_1.budget': { from: 100, to: 50 } });
  });
});
