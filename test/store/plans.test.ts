import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countBuys, sumCampaigns } from '../../store/advertiser-standings.ts';
import { listAdvertisers } from '../../store/advertisers.ts';
import { listAuditLogs } from '../../store/audit-log.ts';
import { listBought, listPackagesOf } from '../../store/bought-products.ts';
import { findCampaign, listCampaigns, listDraftsOf } from '../../store/campaigns.ts';
import { listAgentNames, listLanded, pageOfAgents, tallyAgents } from '../../store/discovery-agents.ts';
import { listGroups, pageOfHiddenAgents, sumGroups } from '../../store/discovery-groups.ts';
import { findProductPlaces, listProductsAt } from '../../store/discovery-products.ts';
import { listRevisionsAfter } from '../../store/discovery-revisions.ts';
import {
  listChosenNames,
  listSelections,
  pageOfSelections,
  sumSelections,
} from '../../store/discovery-selections.ts';
import { findSession, listAgents } from '../../store/discovery-sessions.ts';
import { countWanted, listGroupProducts } from '../../store/discovery-wanted.ts';
import { findEmbeddedBuy, findEmbeddedBuyByKey } from '../../store/embedded-buys.ts';
import { listOffered } from '../../store/embedded-products.ts';
import type { Store } from '../../store/engine/db.ts';
import { makeScope, makeTenant } from '../../store/engine/scope.ts';
import { findPlace, listEventsAfter, STREAM_BEGIN } from '../../store/events.ts';
import { listBuyersOf } from '../../store/held-campaigns.ts';
import { countIdempotencyKeys } from '../../store/idempotency-keys.ts';
import { findInventorySource } from '../../store/inventory-sources.ts';
import { findLedgerEntry, findLedgerSums, listCommitted, listLedgerCurrencies } from '../../store/ledger.ts';
import { listLiving } from '../../store/living-campaigns.ts';
import { findMcpSession } from '../../store/mcp-sessions.ts';
import { findMediaBuy, listMediaBuys } from '../../store/media-buys.ts';
import { openStore } from '../../store/open.ts';
import { listPricingRules } from '../../store/pricing-rules.ts';
import { findOwnStorefront } from '../../store/storefronts.ts';
import { owedTerms } from '../../store/terms.ts';
import {
  listAbandonedOrders,
  listEndedCampaigns,
  listRunningCampaigns,
} from '../../store/unscoped/abandoned-work.ts';
import { findAgent } from '../../store/unscoped/agents.ts';
import { findApiKeyHolder } from '../../store/unscoped/credentials.ts';
import { countLivingIn, listLivingIn, listSuspendedLiving } from '../../store/unscoped/living-campaigns.ts';
import { findSeller } from '../../store/unscoped/market.ts';
import { listBuysToAsk } from '../../store/unscoped/media-buy-polls.ts';
import { listOrganizations } from '../../store/unscoped/organizations.ts';
import { publishTerms } from '../../store/unscoped/terms.ts';
import { claimDelivery, listSubscriptionsWithWork } from '../../store/unscoped/webhook-deliveries.ts';
import { insertDeliveries } from '../../store/webhook-due.ts';
import { listDeliveries } from '../../store/webhook-log.ts';
import { listSubscriptions } from '../../store/webhooks.ts';
import { createOrganization } from '../../tools/domain/organizations/organizations.ts';
import { storeOperator } from '../support/callers/operator.ts';
import { engine, freshDatabase, type TestDatabase } from '../support/database/database.ts';
import { type RecordedQuery, recordQueries } from '../support/database/recorded-queries.ts';
import { tenantTables } from '../support/database/tenant-tables.ts';

const scope = makeScope({ organizationId: 7, customerId: 8 });
const narrow = makeScope({ organizationId: 7, customerId: 8, advertiserIds: [1, 2] });
const page = { take: 50, skip: 0 };
const at = '2026-12-01T09:00:00.000Z';
const behind = { created_at: at, id: 'cmp_1' };
const groups = { id: 'disc_1', filter: { sinceRevision: 3 } };

/** What runs on nearly every call, or in the background again and again. */
const HOT: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  findApiKeyHolder: async ({ db }) => findApiKeyHolder(db, 'f'.repeat(64)),
  findAgent: async ({ db }) => findAgent(db, 'agent_reg_1'),
  owedTerms: async ({ db }) => {
    const [organization] = await listOrganizations(db);
    await owedTerms(db, makeTenant(organization?.id ?? 0), at);
  },
  findCampaign: ({ db }) => findCampaign(db, scope, 'cmp_1'),
  listCampaigns: ({ db }) => listCampaigns(db, scope, { filter: {}, page }),
  'listCampaigns with filters': ({ db }) =>
    listCampaigns(db, narrow, { filter: { statuses: ['ACTIVE'], name: 'winter', advertiserId: 1 }, page }),
  'listCampaigns behind a row': ({ db }) => listCampaigns(db, scope, { filter: {}, behind, page }),
  'listCampaigns behind a row with filters': ({ db }) =>
    listCampaigns(db, narrow, { filter: { statuses: ['ACTIVE'], buyStatuses: ['FAILED'] }, behind, page }),
  listBuyersOf: ({ db }) => listBuyersOf(db, scope, 'disc_1'),
  listDraftsOf: ({ db }) => listDraftsOf(db, scope, 'disc_1'),
  findMediaBuy: ({ db }) => findMediaBuy(db, scope, 'mb_1'),
  listMediaBuys: ({ db }) => listMediaBuys(db, scope, 'cmp_1'),
  listAdvertisers: ({ db }) => listAdvertisers(db, scope, { filter: {}, page }),
  'listAdvertisers with filters': ({ db }) =>
    listAdvertisers(db, narrow, { filter: { status: 'ACTIVE', name: 'acme' }, page }),
  sumCampaigns: ({ db }) => sumCampaigns(db, scope, [1, 2]),
  countBuys: ({ db }) => countBuys(db, scope, { advertiserIds: [1, 2], statuses: ['FAILED'] }),
  listAuditLogs: ({ db }) => listAuditLogs(db, scope, { filter: {}, page }),
  'listAuditLogs with filters': ({ db }) =>
    listAuditLogs(db, narrow, { filter: { resourceId: 'cmp_1', startDate: at, outcome: 'denied' }, page }),
  'findPlace of an event': ({ db }) => findPlace(db, scope, 'evt_cmp_1.2.campaign.updated'),
  listEventsAfter: ({ db }) => listEventsAfter(db, narrow, { after: STREAM_BEGIN, limit: 100 }),
  findSession: ({ db }) => findSession(db, scope, 'disc_1'),
  listAgents: ({ db }) => listAgents(db, scope, 'disc_1'),
  tallyAgents: ({ db }) => tallyAgents(db, scope, 'disc_1'),
  pageOfAgents: ({ db }) => pageOfAgents(db, scope, { sessionId: 'disc_1', kind: 'unfinished', page }),
  listAgentNames: ({ db }) => listAgentNames(db, scope, { sessionId: 'disc_1', ids: ['agt_1', 'agt_2'] }),
  listLanded: ({ db }) => listLanded(db, scope, { sessionId: 'disc_1', revision: 2, limit: 10 }),
  listGroups: ({ db }) => listGroups(db, scope, { ...groups, page }),
  'listGroups with filters': ({ db }) =>
    listGroups(db, scope, {
      id: 'disc_1',
      filter: { sinceRevision: 0, publisherDomain: 'news.example', storefrontIds: [1] },
      page,
    }),
  sumGroups: ({ db }) => sumGroups(db, scope, groups),
  listRevisionsAfter: ({ db }) => listRevisionsAfter(db, scope, { id: 'disc_1', revision: 2, limit: 50 }),
  listSelections: ({ db }) => listSelections(db, scope, 'disc_1'),
  pageOfSelections: ({ db }) => pageOfSelections(db, scope, { sessionId: 'disc_1', page }),
  listChosenNames: ({ db }) => listChosenNames(db, scope, 'disc_1'),
  sumSelections: ({ db }) => sumSelections(db, scope, 'disc_1'),
  listBought: ({ db }) => listBought(db, scope, 'cmp_1'),
  listPackagesOf: ({ db }) => listPackagesOf(db, scope, { campaignId: 'cmp_1', ids: ['mb_1', 'mb_2'] }),
  findOwnStorefront: ({ db }) => findOwnStorefront(db, scope),
  'listGroups by pricing model': ({ db }) =>
    listGroups(db, scope, { id: 'disc_1', filter: { sinceRevision: 0, pricingModel: 'cpm' }, page }),
  'sumGroups by pricing model': ({ db }) =>
    sumGroups(db, scope, { id: 'disc_1', filter: { sinceRevision: 0, pricingModel: 'cpm' } }),
  pageOfHiddenAgents: ({ db }) =>
    pageOfHiddenAgents(db, scope, { id: 'disc_1', filter: { sinceRevision: 0, pricingModel: 'cpm' }, page }),
  countWanted: ({ db }) =>
    countWanted(db, scope, {
      sessionId: 'disc_1',
      groupIds: ['one', 'two'],
      filter: { pricingModel: 'cpm' },
    }),
  listGroupProducts: ({ db }) =>
    listGroupProducts(db, scope, { sessionId: 'disc_1', groupId: 'one', filter: {}, page }),
  findProductPlaces: ({ db }) =>
    findProductPlaces(db, scope, {
      id: 'disc_1',
      wanted: [{ productId: 'one' }, { productId: 'two', agentId: 'agent_1', groupId: 'one' }],
      each: 20,
    }),
  listProductsAt: ({ db }) =>
    listProductsAt(db, scope, {
      id: 'disc_1',
      places: Array.from({ length: 20 }, (_, ordinal) => ({ group_id: 'one', ordinal })),
    }),
  findInventorySource: ({ db }) => findInventorySource(db, scope, 'source'),
  listOffered: ({ db }) => listOffered(db, scope, { sourceId: 'src_1', after: 0, limit: 50 }),
  findEmbeddedBuyByKey: ({ db }) =>
    findEmbeddedBuyByKey(db, scope, { sourceId: 'src_1', idempotencyKey: 'once' }),
  findEmbeddedBuy: ({ db }) => findEmbeddedBuy(db, scope, 'sold_1'),
  findSeller: ({ db }) => findSeller(db, scope, 'agent_1'),
  listSubscriptions: ({ db }) => listSubscriptions(db, scope, { holder: null, page }),
  insertDeliveries: ({ db }) =>
    insertDeliveries(db, scope, {
      event_type: 'discovery.revision',
      session_id: 'disc_1',
      advertiser_id: 1,
      revision: 1,
      last_subscription: 4,
      told: 'disc_1.1',
      created_at: at,
    }),
  listSubscriptionsWithWork: ({ db }) =>
    listSubscriptionsWithWork(db, { slowMs: 1_000, perAccount: 10, limit: 100 }),
  listDeliveries: ({ db }) => listDeliveries(db, scope, { subscriptionId: 'wh_1', page }),
  listFailedDeliveries: ({ db }) =>
    listDeliveries(db, scope, { subscriptionId: 'wh_1', state: 'failed', page }),
  claimDelivery: ({ db }) => claimDelivery(db, { subscriptionId: 'wh_1', owner: 'process', now: at }),
  findLedgerSums: ({ db }) => findLedgerSums(db, scope, 'USD'),
  listLedgerCurrencies: ({ db }) => listLedgerCurrencies(db, scope),
  listCommitted: ({ db }) => listCommitted(db, scope, ['mb_1', 'mb_2']),
  findLedgerEntry: ({ db }) => findLedgerEntry(db, scope, 'wire-1'),
  listPricingRules: ({ db }) => listPricingRules(db, scope),
  countIdempotencyKeys: ({ db }) => countIdempotencyKeys(db, scope, 100),
  listBuysToAsk: ({ db }) =>
    listBuysToAsk(db, { statuses: ['ACTIVE', 'PAUSED'], before: at, perAgent: 2, limit: 16 }),
  listAbandonedOrders: ({ db }) => listAbandonedOrders(db, ''),
  listEndedCampaigns: ({ db }) => listEndedCampaigns(db, { now: at, limit: 50 }),
  listRunningCampaigns: ({ db }) =>
    listRunningCampaigns(db, { after: { end_at: at, id: 'c' }, open: ['ACTIVE'], since: at, limit: 200 }),
  // As many as were asked for are there: they are counted as well.
  listLiving: ({ db }) => listLiving(db, scope, { advertiserId: 1, open: ['ACTIVE'], limit: 0 }),
  findMcpSession: ({ db }) =>
    findMcpSession(db, makeTenant(7), { id: 'one', principal: 'api_key:key_1', surface: 'buyer' }),
};

/** What the operator asks for now and then: it may read an organization, and nothing of the others. */
const OF_ORGANIZATIONS: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  listLivingIn: ({ db }) =>
    listLivingIn(db, { organizationIds: [7, 9], open: ['ACTIVE'], after: '', limit: 20 }),
  countLivingIn: ({ db }) => countLivingIn(db, { organizationIds: [7, 9], open: ['ACTIVE'] }),
  listSuspendedLiving: ({ db }) => listSuspendedLiving(db, { open: ['ACTIVE'], limit: 20 }),
};

const TENANTS = new RegExp(`\\b(${tenantTables.join('|')})\\b`);

describe('the plan of', () => {
  const recorder = recordQueries();
  let database: TestDatabase;
  let store: Store;
  let plain: Store;
  beforeAll(async () => {
    database = await freshDatabase({ unused: true });
    store = openStore(database.url, { ...recorder.options, connections: 1 });
    plain = openStore(database.url, { connections: 1 });
    recorder.watch(store);
    await store.migrate();
    await publishTerms(store.db, { version: '1', effective_at: at });
    await createOrganization(storeOperator(store), { name: 'Acme', roles: ['BUYER'] });
  });
  afterAll(async () => {
    await store.close();
    await plain.close();
    await database.drop();
  });

  /** The queries that the work runs on tenants' tables, as they ran. */
  async function queriesOf(work: (store: Store) => Promise<unknown>): Promise<RecordedQuery[]> {
    const before = recorder.ran.length;
    await work(store);
    return recorder.ran.slice(before).filter((query) => TENANTS.test(query.sql));
  }

  /** What the database means to do, a line a step. On PostgreSQL a scan costs more than any index. */
  async function planOf({ sql: text, parameters }: RecordedQuery): Promise<string[]> {
    const explain = engine === 'postgres' ? 'explain ' : 'explain query plan ';
    const statement = sql.join(
      text
        .split(/\?|\$\d+/)
        .flatMap((part, index) => [
          sql.raw(index === 0 ? `${explain}${part}` : part),
          ...(index < parameters.length ? [sql.val(parameters[index])] : []),
        ]),
      sql``,
    );
    return plain.transaction(async (tx) => {
      if (engine === 'postgres') await sql`set local enable_seqscan = off`.execute(tx);
      const { rows } = await sql<Record<string, unknown>>`${statement}`.execute(tx);
      return rows.map((row) => String(row['detail'] ?? row['QUERY PLAN']));
    });
  }

  /** The steps that read a tenant's table from its first row to its last. */
  function fullScans(plan: readonly string[]): string[] {
    const whole = engine === 'postgres' ? /Seq Scan on (\w+)/ : /^SCAN (\w+)/;
    return plan.filter((step) => TENANTS.test(whole.exec(step)?.[1] ?? ''));
  }

  /**
   * The steps that read all that an organization has of something, to look for a part of it. SQLite decides by
   * the shape of the query; PostgreSQL by what the tables hold, which here is next to nothing.
   */
  function wholeOrganizations(plan: readonly string[]): string[] {
    if (engine === 'postgres') return [];
    const alone = plan.filter((step) => step.endsWith('(organization_id=?)'));
    return alone.filter((step) => !step.includes('customers_by_organization'));
  }

  test.each(Object.entries(HOT))('%s goes through an index and scans no tenant’s table', async (_, work) => {
    const queries = await queriesOf(work);

    expect(queries.length).toBeGreaterThan(0);
    for (const query of queries) {
      const plan = await planOf(query);
      expect(fullScans(plan), `${query.sql}\n${plan.join('\n')}`).toEqual([]);
      expect(wholeOrganizations(plan), query.sql).toEqual([]);
      expect(plan.join('\n')).toMatch(
        engine === 'postgres' ? /Index/ : /SEARCH \w+ USING .*(INDEX|PRIMARY KEY)/,
      );
    }
  });

  test.runIf(engine === 'sqlite')('a limit is no value that SQLite plans a query anew for', async () => {
    const limited: string[] = [];
    for (const work of Object.values(HOT)) {
      for (const { sql: text } of await queriesOf(work))
        if (/\b(?:limit|offset) \?/.test(text)) limited.push(text);
    }

    expect(limited.length).toBeGreaterThan(0);
    expect(limited.filter((text) => /\b(?:limit|offset) \?(?! \+ 0)/.test(text))).toEqual([]);
  });

  test('a query without an index is found out', async () => {
    const queries = await queriesOf(({ db }) =>
      db.withoutPlugins().selectFrom('audit_logs').selectAll().where('request_id', '=', 'one').execute(),
    );

    const [query] = queries;
    expect(queries).toHaveLength(1);
    expect(fullScans(await planOf(query ?? { sql: '', parameters: [] }))).toHaveLength(1);
  });

  test.each([
    ['listAdvertisers', 'advertisers_by_customer'],
    ['listAuditLogs', 'audit_logs_by_customer'],
    ['listCampaigns', 'campaigns_by_customer'],
    ['listBuyersOf', 'campaigns_by_discovery'],
    ['listDraftsOf', 'campaigns_by_discovery'],
    ['listEndedCampaigns', 'campaigns_by_flight_end'],
    ['listRunningCampaigns', 'campaigns_by_flight_end'],
    ['listGroups', 'discovery_groups_by_position'],
    ['findApiKeyHolder', 'api_keys_hash'],
    ['listMediaBuys', 'media_buys_by_campaign'],
    ['listLiving', 'campaigns_by_advertiser'],
    ['listSubscriptionsWithWork', 'webhook_deliveries_by_'],
    ['listDeliveries', 'webhook_deliveries_log'],
    ['listFailedDeliveries', 'webhook_deliveries_log_unheard'],
  ])('%s uses %s, as the comment at the query says', async (name, index) => {
    const [first] = await queriesOf(HOT[name] ?? (async () => undefined));
    const plan = (await planOf(first ?? { sql: '', parameters: [] })).join('\n');

    // SQLite names the index behind a unique constraint by itself.
    const constraint = index === 'api_keys_hash';
    expect(plan).toContain(engine === 'sqlite' && constraint ? 'sqlite_autoindex_' : index);
  });

  test.each(Object.entries(OF_ORGANIZATIONS))(
    '%s reads the campaigns of its organizations, and of each its media buys',
    async (_, work) => {
      const [query] = await queriesOf(work);
      const plan = await planOf(query ?? { sql: '', parameters: [] });

      expect(fullScans(plan)).toEqual([]);
      // PostgreSQL decides by how much there is of each.
      if (engine === 'sqlite')
        expect(plan.filter((step) => TENANTS.test(step)).map((step) => step.trim())).toEqual([
          'SEARCH campaigns USING INDEX campaigns_by_customer (organization_id=?)',
          'SEARCH media_buys USING INDEX media_buys_by_campaign (organization_id=? AND campaign_id=?)',
        ]);
    },
  );

  test('products are looked up where they stand: no step reads more of a session than that', async () => {
    const [query] = await queriesOf(HOT['listProductsAt'] ?? (async () => undefined));
    const plan = await planOf(query ?? { sql: '', parameters: [] });

    const whole =
      engine === 'sqlite' ? /discovery_\w+ .*(?<!group_id=\?|ordinal=\?)\)$/ : /Index Cond: \((?!.*group_id)/;
    expect(plan.filter((step) => whole.test(step)).join('\n')).toBe('');
  });

  test('a list that is gone on with begins in its index behind the row it was at', async () => {
    for (const name of ['listCampaigns behind a row', 'listCampaigns behind a row with filters']) {
      const queries = await queriesOf(HOT[name] ?? (async () => undefined));
      const paged = queries.find((query) => query.sql.includes('order by'));
      const plan = (await planOf(paged ?? { sql: '', parameters: [] })).join('\n');

      expect(plan).toMatch(
        engine === 'sqlite'
          ? /SEARCH campaigns USING INDEX campaigns_by_customer \(.*\(created_at,id\)<\(\?,\?\)\)/
          : /Index Cond: \(.*ROW\(created_at, id\) < ROW/,
      );
    }
  });

  test('the lists are read from their index in its order, without sorting', async () => {
    for (const name of [
      'listAuditLogs',
      'listAdvertisers',
      'listCampaigns',
      'listCampaigns behind a row',
      'listMediaBuys',
      'listBuyersOf',
      'listDraftsOf',
    ]) {
      const queries = await queriesOf(HOT[name] ?? (async () => undefined));
      const paged = queries.find((query) => query.sql.includes('order by'));
      const plan = (await planOf(paged ?? { sql: '', parameters: [] })).join('\n');

      expect(plan).not.toMatch(engine === 'sqlite' ? /TEMP B-TREE/ : /Sort/);
    }
  });
});
