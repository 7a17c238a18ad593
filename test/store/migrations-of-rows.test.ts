import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '../../store/engine/db.ts';
import { openStore } from '../../store/open.ts';
import { emptyDatabase, type TestDatabase } from '../support/database/database.ts';
import { insertRows, type Row } from '../support/database/older-rows.ts';
import { migrateTo } from '../support/database/steps.ts';

const NOW = '2026-12-01T09:00:00.000Z';

describe('an older database', () => {
  let database: TestDatabase;
  let store: Store;
  beforeEach(async () => {
    database = await emptyDatabase();
    store = openStore(database.url, { connections: 2 });
  });
  afterEach(async () => {
    await store.close();
    await database.drop();
  });

  const insertAll = (table: string, rows: readonly Row[]) => insertRows(store, table, rows);
  const insert = (table: string, row: Row) => insertAll(table, [row]);
  const times = { created_at: NOW, updated_at: NOW };

  async function organization(kind: string): Promise<{ organization_id: number; customer_id: number }> {
    await insert('organizations', { name: kind, kind, tier: 'standard', alpha: 0, ...times });
    const { rows } = await sql<{ id: number }>`select max(id) as id from organizations`.execute(store.db);
    const organization_id = Number(rows[0]?.id);
    await insert('customers', { organization_id, role: 'BUYER', name: kind, ...times });
    const found = await sql<{ id: number }>`select max(id) as id from customers`.execute(store.db);
    return { organization_id, customer_id: Number(found.rows[0]?.id) };
  }

  test('gets to know its test keys, and the subscriptions of the sandbox', async () => {
    await migrateTo(store, '0014-long-connections');
    const tenants = [await organization('standard'), await organization('sandbox')];
    const keys = ['rialtok_live_…abcd', 'rialtok_test_…abcd', 'rialtokxtestx…abcd'];
    for (const [index, obfuscated_value] of keys.entries()) {
      const { organization_id } = tenants[0] ?? {};
      await insert('api_keys', {
        id: `key_${index}`,
        organization_id: organization_id ?? 0,
        name: 'Key',
        hash: `hash ${index}`,
        obfuscated_value,
        permissions: '["buyer:read"]',
        ...times,
      });
    }
    for (const [index, tenant] of tenants.entries()) {
      await insert('webhook_subscriptions', {
        ...tenant,
        id: `sub_${index}`,
        url: 'https://hooks.example',
        secret: 'sealed',
        event_types: '[]',
        status: 'ACTIVE',
        failure_count: 0,
        ...times,
      });
    }

    await store.migrate();

    const found = await sql<Row>`select id, environment from api_keys order by id`.execute(store.db);
    expect(found.rows.map(({ environment }) => environment)).toEqual(['live', 'test', 'live']);
    const { rows } = await sql<Row>`
      select id, principal, sandbox from webhook_subscriptions order by id`.execute(store.db);
    expect(rows).toEqual([
      { id: 'sub_0', principal: null, sandbox: 0 },
      { id: 'sub_1', principal: null, sandbox: 1 },
    ]);
  });

  test('has the domains of its identity providers verified, as the operator had seen them', async () => {
    await migrateTo(store, '0088-short-hashes-of-repeats');
    const ids: number[] = [];
    for (const name of ['new', 'claimed', 'stopped', 'stale', 'owner']) {
      ids.push((await organization(name)).organization_id);
    }
    const [fresh = 0, claimed = 0, stopped = 0, stale = 0, owner = 0] = ids;
    await sql`update organizations set suspended_at = ${NOW} where id = ${stopped}`.execute(store.db);
    const named = { issuer: 'https://id.example', client_id: 'c', secret_sealed: 's', created_at: NOW };
    const providers: [string, number][] = [
      ['new.example', fresh],
      ['claimed.example', claimed],
      ['stopped.example', stopped],
      ['stale.example', stale],
    ];
    for (const [domain, organization_id] of providers) {
      await insert('organization_providers', { domain, organization_id, ...named });
    }
    const claim = { policy: 'auto_approve', created_at: NOW };
    const verified = { verified_at: NOW, verified_domain: 'stale.example' };
    await insert('organization_domains', { organization_id: claimed, domain: 'claimed.example', ...claim });
    await insert('organization_domains', { organization_id: stale, domain: 'stale.example', ...claim });
    await insert('organization_domains', {
      organization_id: owner,
      domain: 'stale.example',
      ...claim,
      ...verified,
    });

    await store.migrate();

    const { rows } = await sql<Row>`
      select organization_id, domain, policy, verified_domain from organization_domains
      where verified_at is not null order by organization_id`.execute(store.db);
    const row = (organization_id: number, domain: string, policy: string) => ({
      ...{ organization_id, domain, policy, verified_domain: domain },
    });
    expect(rows.map((found) => ({ ...found, organization_id: Number(found['organization_id']) }))).toEqual([
      row(fresh, 'new.example', 'invitation_only'),
      row(claimed, 'claimed.example', 'request_approval'),
      row(owner, 'stale.example', 'auto_approve'),
    ]);
  });

  test('keeps the products of its groups, in their order, forth and back', async () => {
    await migrateTo(store, '0012-orders-taken-over');
    const { organization_id, customer_id } = await organization('standard');
    const owner = { organization_id, customer_id };
    await session(owner);
    const groups = {
      one: [product('b', 'USD'), product('a', 'EUR'), product('c')],
      two: [product('a', 'USD')],
      none: [],
    };
    for (const [position, [group_id, products]] of Object.entries(groups).entries()) {
      await insert('discovery_groups', {
        organization_id,
        session_id: 'disc_1',
        group_id,
        position,
        revision: 1,
        name: group_id,
        agent_id: 'agent',
        storefront_id: 1,
        publisher_domain: 'news.example',
        product_count: products.length,
        price_count: 0,
        price_sum: 0,
        products: JSON.stringify(products),
      });
    }
    const groupsOf = async () => {
      const { rows } = await sql<{ group_id: string; products: string }>`
        select group_id, products from discovery_groups order by position`.execute(store.db);
      return Object.fromEntries(rows.map(({ group_id, products }) => [group_id, JSON.parse(products)]));
    };

    await store.migrate();

    const { rows } = await sql<Row>`
      select group_id, ordinal, product_id, agent_id, pricing_models, price from discovery_products
      order by group_id, ordinal`.execute(store.db);
    const stored = rows.map(({ price, ...row }) => ({
      ...row,
      price: price === null ? null : Number(price),
    }));
    const common = { agent_id: 'agent', pricing_models: ',cpm,vcpm,' };
    expect(stored).toEqual([
      { group_id: 'one', ordinal: 0, product_id: 'b', price: 125_000, ...common },
      { group_id: 'one', ordinal: 1, product_id: 'a', price: null, ...common },
      { group_id: 'one', ordinal: 2, product_id: 'c', price: null, ...common },
      { group_id: 'two', ordinal: 0, product_id: 'a', price: 125_000, ...common },
    ]);
    await migrateTo(store, '0012-orders-taken-over');
    expect(await groupsOf()).toEqual(groups);
  });

  test('loses what is hidden in its names and descriptions, page by page, and nothing else', async () => {
    await migrateTo(store, '0016-webhook-troubles');
    const owner = await organization('stan\u202edard');
    const family = '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}';
    const names = [
      ...Array.from({ length: 1_100 }, (_, index) => `Acme ${index}`),
      'Ac\u200bme\u202e',
      family,
      '\u2063',
      'Zebra',
    ];
    const described = { ...(await advertiser(owner)), description: 'One\n\ttwo\u0007 and\u2066 three' };
    await insertAll(
      'advertisers',
      names.map((name) => ({ ...described, name })),
    );
    await insert('storefronts', {
      ...owner,
      platform_id: 'far',
      name: 'Far\nMedia',
      description: null,
      channels: '[]',
      accepts_all_countries: 0,
      transacting: 0,
      is_paused: 0,
      version: 1,
      ...times,
    });

    await store.migrate();

    const { rows } =
      await sql<Row>`select name, description, updated_at from advertisers order by id`.execute(store.db);
    expect(rows.map(({ name }) => name)).toEqual([
      ...names.slice(0, 1_100),
      'Ac me',
      family,
      'Unnamed',
      'Zebra',
    ]);
    expect(new Set(rows.map(({ description }) => description))).toEqual(new Set(['One\n\ttwo  and  three']));
    expect(new Set(rows.map(({ updated_at }) => updated_at))).toEqual(new Set([NOW]));
    const { rows: shops } = await sql<Row>`select name, description from storefronts`.execute(store.db);
    expect(shops).toEqual([{ name: 'Far Media', description: null }]);
    const { rows: firms } = await sql<Row>`select name from organizations`.execute(store.db);
    expect(firms).toEqual([{ name: 'stan dard' }]);
  });

  test('loses what is hidden in the copies of its names as well, page by page, and keeps ids to the letter', async () => {
    await migrateTo(store, '0048-names-of-deliveries');
    const owner = await organization('standard');
    const { organization_id } = owner;
    const hidden = { productId: 'p\u200b1', name: 'Ra\u202ecing\u200b', description: 'One\n\ttwo\u2066' };
    const shown = { productId: 'p\u200b1', name: 'Ra cing', description: 'One\n\ttwo' };
    const plain = '{ "productId": "p2",  "name": "News" }';
    await session(owner);
    const texts = Array.from({ length: 1_001 }, (_, index) => (index % 500 === 0 ? hidden : plain));
    await insertAll(
      'discovery_products',
      texts.map((product, ordinal) => ({
        organization_id,
        session_id: 'disc_1',
        group_id: 'g',
        ordinal,
        product_id: `p${ordinal}`,
        agent_id: 'agent',
        pricing_models: ',',
        price: null,
        product: typeof product === 'string' ? product : JSON.stringify(product),
      })),
    );
    await insert('discovery_selections', {
      organization_id,
      session_id: 'disc_1',
      agent_id: 'agent',
      product_id: 'p1',
      group_id: 'g',
      group_name: '\u2063Group\u202e',
      pricing_option_id: 'cpm',
      product: JSON.stringify(hidden),
      selected_at: NOW,
    });

    await store.migrate();

    const { rows } = await sql<Row>`select product from discovery_products order by ordinal`.execute(
      store.db,
    );
    const expected = texts.map((text) => (typeof text === 'string' ? text : JSON.stringify(shown)));
    expect(rows.map(({ product }) => product)).toEqual(expected);
    const { rows: chosen } = await sql<Row>`select group_name, product from discovery_selections`.execute(
      store.db,
    );
    expect(chosen).toEqual([{ group_name: 'Group', product: JSON.stringify(shown) }]);
  });

  test('has campaigns say whether they are of a sandbox advertiser', async () => {
    await migrateTo(store, '0058-campaigns-by-status');
    const owner = await organization('standard');
    for (const sandbox of [0, 1]) {
      await insert('advertisers', { ...(await advertiser(owner)), sandbox });
      const { rows } = await sql<{ id: number }>`select max(id) as id from advertisers`.execute(store.db);
      await insert('campaigns', {
        id: `cmp_${sandbox}`,
        ...owner,
        advertiser_id: Number(rows[0]?.id),
        name: 'Winter',
        status: 'DRAFT',
        start_at: NOW,
        end_at: NOW,
        budget_minor: 1,
        currency: 'USD',
        mode: 'discovery',
        optimization_apply_mode: 'MANUAL',
        version: 1,
        ...times,
      });
    }

    await store.migrate();

    const { rows } = await sql<Row>`select id, sandbox from campaigns order by id`.execute(store.db);
    expect(rows.map(({ id, sandbox }) => [id, Number(sandbox)])).toEqual([
      ['cmp_0', 0],
      ['cmp_1', 1],
    ]);
  });

  test('knows the keys of repeats, and what was asked under them, by half of their digests', async () => {
    await migrateTo(store, '0087-sessions-of-campaigns');
    const owner = await organization('standard');
    const [hash, input_hash] = ['0123456789abcdef'.repeat(4), 'fedcba9876543210'.repeat(4)];
    const said = { principal: 'api_key:key_1', resource_type: 'campaign', existed: 0, created_at: NOW };
    await insert('idempotency_keys', { ...owner, ...said, hash, input_hash });

    await migrateTo(store, '0088-short-hashes-of-repeats');

    const { rows } = await sql<Row>`select hash, input_hash from idempotency_keys`.execute(store.db);
    expect(rows).toEqual([{ hash: hash.slice(0, 32), input_hash: input_hash.slice(0, 32) }]);
  });

  test('keeps the last of two pricing rules about the same, and each of those about something else', async () => {
    await migrateTo(store, '0107-bytes-of-answers');
    const [one, other] = [await organization('one'), await organization('other')];
    const later = '2026-12-02T09:00:00.000Z';
    const rule = (owner: Row, fields: Row) =>
      insert('pricing_rules', { ...owner, fee_bps: 0, created_at: NOW, ...fields });
    await rule(one, { fee_bps: 1 });
    await rule(one, { fee_bps: 2, created_at: later });
    await rule(one, { fee_bps: 3, agent_id: 'agent_1' });
    await rule(other, { fee_bps: 4 });

    await migrateTo(store, '0112-one-pricing-rule-of-a-subject');

    const { rows } = await sql<Row>`select fee_bps, ended_at from pricing_rules order by id`.execute(
      store.db,
    );
    expect(rows).toEqual([
      { fee_bps: 1, ended_at: later },
      { fee_bps: 2, ended_at: null },
      { fee_bps: 3, ended_at: null },
      { fee_bps: 4, ended_at: null },
    ]);
  });

  test('has as given by the operator each domain that no organization named itself', async () => {
    await migrateTo(store, '0151-changes-that-gave-way');
    const kinds = [
      { domain: 'Given.example', created_via: 'operator' },
      { domain: 'child.example', created_via: 'child' },
      { domain: 'named.example', created_via: 'operator' },
      { domain: 'shown.example', created_via: 'operator' },
    ];
    for (const one of kinds) {
      const organization = { name: 'Acme', kind: 'customer', tier: 'standard', alpha: 0, ...one, ...times };
      await insert('organizations', organization);
    }
    const { rows } = await sql<{ id: number }>`select id from organizations order by id`.execute(store.db);
    const claim = (place: number, domain: string, verified: string | null) => ({
      organization_id: Number(rows[place]?.id),
      domain,
      policy: 'invitation_only',
      verified_at: verified === null ? null : NOW,
      verified_domain: verified,
      created_at: NOW,
    });
    await insert('organization_domains', claim(2, 'named.example', null));
    await insert('organization_domains', claim(3, 'shown.example', 'shown.example'));

    await migrateTo(store, '0156-domains-given-by-the-operator');

    const { rows: given } = await sql<{
      domain: string;
    }>`select domain from organizations where domain_given = 1 order by id`.execute(store.db);
    expect(given.map(({ domain }) => domain)).toEqual(['given.example', 'shown.example']);
  });

  test('knows of which campaigns a spend waits for another person', async () => {
    await migrateTo(store, '0175-limits-that-wait');
    const owner = await organization('standard');
    await insert('advertisers', await advertiser(owner));
    const { rows: made } = await sql<{ id: number }>`select max(id) as id from advertisers`.execute(store.db);
    const own = { ...owner, advertiser_id: Number(made[0]?.id), version: 1, ...times };
    for (const id of ['asked', 'never']) {
      const terms = { name: 'Winter', status: 'DRAFT', start_at: NOW, end_at: NOW, budget_minor: 300 };
      const kind = { currency: 'USD', mode: 'discovery', optimization_apply_mode: 'MANUAL' };
      await insert('campaigns', { ...own, id, ...terms, ...kind });
    }
    await insert('spend_approvals', {
      ...{ ...own, id: 'apr_1', campaign_id: 'asked', tool: 'campaign_execute', input: '{}', content: 'c' },
      ...{ amount_minor: 300, limit_minor: 100, currency: 'USD', state: 'pending', expires_at: NOW },
      ...{ asked_by: 'user:1', asked_by_name: 'Ada', asked_for: '[]' },
    });

    await store.migrate();

    const { rows } = await sql<Row>`select id, spend_asked from campaigns order by id`.execute(store.db);
    expect(rows.map(({ id, spend_asked }) => [id, Number(spend_asked)])).toEqual([
      ['asked', 1],
      ['never', 0],
    ]);
  });

  test('keeps limits that wait for a seller with their campaign, unless somebody has changed them since', async () => {
    await migrateTo(store, '0169-buys-not-found-at-sellers');
    const owner = await organization('standard');
    await insert('advertisers', await advertiser(owner));
    const { rows: made } = await sql<{ id: number }>`select max(id) as id from advertisers`.execute(store.db);
    const own = { ...owner, advertiser_id: Number(made[0]?.id), version: 1, ...times };
    const limits = { from: { budget_minor: 300 }, to: { budget_minor: 200 } };
    const proposed = JSON.stringify({ budget_minor: 100, limits });
    const cases = [
      { id: 'waits', budget_minor: 300, state: 'waiting' },
      { id: 'refused', budget_minor: 300, state: 'refused' },
      { id: 'changed', budget_minor: 250, state: 'waiting' },
    ];
    for (const { id, state, budget_minor } of cases) {
      const all = { ...own, id, currency: 'USD', budget_minor };
      const terms = { name: 'Winter', status: 'ACTIVE', start_at: NOW, end_at: NOW };
      await insert('campaigns', { ...all, ...terms, mode: 'discovery', optimization_apply_mode: 'MANUAL' });
      await insert('media_buys', {
        ...{ ...all, campaign_id: id, agent_id: 'a', agent_name: 'A', storefront_id: 1, name: 'Winter' },
        ...{ status: 'ACTIVE', start_time: NOW, end_time: NOW, sandbox: 0, products: '[]', packages: '[]' },
        ...{ order_payload: '{}', attempt: 1, submission: 'answered', valid_from: NOW },
        ...{ impressions: 0, spend_minor: 0, clicks: 0 },
      });
      await insert('media_buy_changes', {
        ...{ ...own, id, campaign_id: id, media_buy_id: id, action: 'update', state, payload: '{}' },
        ...{ proposed, committed_minor: 300, takeovers: 0 },
      });
    }

    await store.migrate();

    const { rows } = await sql<Row>`
      select c.id, c.waiting_limits, m.proposed from campaigns c join media_buy_changes m on m.id = c.id
      order by c.id`.execute(store.db);
    const moved = JSON.stringify({ budget_minor: 100 });
    expect(rows).toEqual([
      { id: 'changed', waiting_limits: null, proposed: moved },
      { id: 'refused', waiting_limits: null, proposed: moved },
      { id: 'waits', waiting_limits: JSON.stringify(limits.to), proposed: moved },
    ]);
  });

  /** A session of an advertiser, as both were stored then. */
  async function session(owner: Row): Promise<void> {
    await insert('advertisers', await advertiser(owner));
    const { rows: made } = await sql<{ id: number }>`select max(id) as id from advertisers`.execute(store.db);
    await insert('discovery_sessions', {
      id: 'disc_1',
      ...owner,
      advertiser_id: Number(made[0]?.id),
      request: JSON.stringify({ currency: 'USD' }),
      status: 'complete',
      revision: 1,
      last_subscription: 0,
      owner: 'gone',
      created_at: NOW,
      completed_at: NOW,
    });
  }

  /** Every column that an advertiser needed then. */
  async function advertiser(owner: Row): Promise<Row> {
    return {
      ...owner,
      name: 'Acme',
      brand: 'acme.example',
      status: 'ACTIVE',
      primary_currency: 'USD',
      currency_locked: 0,
      sandbox: 0,
      optimization_apply_mode: 'MANUAL',
      version: 1,
      ...times,
    };
  }

  function product(productId: string, currency?: string) {
    const price = currency === undefined ? {} : { cpm: 12.5, currency };
    const models = ['cpm', 'vcpm', 'cpm', 'made,up'].map((pricingModel) => ({ pricingModel }));
    return { productId, salesAgentId: 'agent', ...price, pricingOptions: models };
  }
});
