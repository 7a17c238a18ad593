import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listAdvertisers } from '../../store/advertisers.ts';
import { insertCampaign, listCampaigns, updateCampaign } from '../../store/campaigns.ts';
import type { Store } from '../../store/engine/db.ts';
import type { Scope } from '../../store/engine/scope.ts';
import { openStore } from '../../store/open.ts';
import { insertStorefront } from '../../store/storefronts.ts';
import { listMarketStorefronts } from '../../store/unscoped/market.ts';
import { insertNamed, newAccount } from '../support/callers/store-accounts.ts';
import { engine, freshDatabase, type TestDatabase } from '../support/database/database.ts';
import { recordQueries } from '../support/database/recorded-queries.ts';

const at = '2026-12-01T09:00:00.000Z';
const page = { take: 50, skip: 0 };
/** More than the list of those that are due holds. */
const MANY = engine === 'sqlite' ? 30_000 : 200_000;
const AT_ONCE = 25_000;

const NAMES = [
  'Winter sale',
  'WINTER Sale II',
  'Größe zählt',
  'ΣΊΣΥΦΟΣ rolls',
  'İstanbul nights',
  '冬のセール',
  '100% "quoted" offer',
  'under_score',
  'back\\slash',
  "it's '' AND OR NOT *",
  'a',
  'ab',
  'abc',
  '👩‍👩‍👧 family',
  'x'.repeat(255),
];

/** What is looked for, and what the rule of either database finds by itself. */
const PARTS = [
  ...['winter', 'WINTER', 'inter s', 'sale ii', 'größe', 'zählt', 'rolls', 'stanbul', 'のセー', '冬'],
  ...['100%', '"quoted"', '" AND "', 'under_', '_sc', '%', '_', '\\', 'k\\s', "' AND O", '*', 'NOT'],
  ...['a', 'ab', 'abc', 'abcd', 'b', '👩‍👧', 'family', 'x'.repeat(255), 'x'.repeat(254), 'none of these'],
];

describe('names', () => {
  const recorder = recordQueries();
  let database: TestDatabase;
  let store: Store;
  let scope: Scope;
  let theirs: Scope;
  let advertiserId: number;
  beforeAll(async () => {
    database = await freshDatabase();
    store = openStore(database.url, { ...recorder.options, connections: 2 });
    recorder.watch(store);
    [scope, theirs] = [await newAccount(store, 'Ours'), await newAccount(store, 'Theirs')];
    advertiserId = (await insertNamed(store, scope, 'Acme')).id;
    await fill(MANY);
    for (const [index, name] of NAMES.entries()) await campaign(scope, `cmp_name${index}`, name);
    await campaign(theirs, 'cmp_theirs', 'Winter of others');
    if (engine === 'postgres') await sql`analyze campaigns`.execute(store.db.withoutPlugins());
  });
  afterAll(async () => {
    await store.close();
    await database.drop();
  });

  const campaign = (owner: Scope, id: string, name: string) =>
    insertCampaign(store.db, owner, {
      id,
      advertiser_id: advertiserId,
      sandbox: 0,
      name,
      status: 'DRAFT',
      start_at: at,
      end_at: at,
      budget_minor: 1,
      currency: 'USD',
      daily_cap_minor: null,
      mode: 'discovery',
      campaign_type: null,
      pacing_periods: null,
      optimization_goals: null,
      pacing: null,
      brief: null,
      constraints: null,
      utm_config: null,
      frequency_caps: null,
      storefront_ids: null,
      discovery_id: null,
      waiting_limits: null,
      spend_asked: 0,
      optimization_apply_mode: 'MANUAL',
      version: 1,
      created_at: at,
      updated_at: at,
      archived_at: null,
    });

  /** Campaigns, many to a statement: what is tested is how they are found. */
  async function fill(count: number): Promise<void> {
    const { organization_id: _o, customer_id: _c, ...row } = await campaign(scope, 'cmp_seed', 'Filler 0');
    const rest = Object.keys(row).filter((name) => name !== 'id' && name !== 'name');
    const columns = sql.join(['organization_id', 'customer_id', ...rest].map((name) => sql.ref(name)));
    // A statement that takes longer than any of the service's own would be cut off.
    for (let first = 1; first <= count; first += AT_ONCE) {
      const last = Math.min(count, first + AT_ONCE - 1);
      await sql`
      insert into campaigns (id, name, ${columns})
      with recursive numbers(n) as (select ${sql.lit(first)} union all select n + 1 from numbers where n < ${sql.lit(last)})
      select 'cmp_fill' || n, 'Filler ' || substr('000000' || n, length('000000' || n) - 5), ${columns} from campaigns, numbers where campaigns.id = 'cmp_seed'
    `.execute(store.db.withoutPlugins());
    }
  }

  const found = async (name: string, owner = scope) => {
    const { rows, total } = await listCampaigns(store.db, owner, { filter: { name }, page });
    return { names: rows.map((row) => row.name), total };
  };

  /** By the rule itself, without any index. */
  async function looked(name: string): Promise<string[]> {
    const { rows } = await sql<{ name: string }>`
      select name from campaigns where organization_id = ${scope.organizationId}
      and lower(name) like lower(${`%${name.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`}) escape '\\'
      order by created_at desc, id desc limit 50`.execute(store.db.withoutPlugins());
    return rows.map((row) => row.name);
  }

  test.each(PARTS)('that hold %s are found as if all were looked through', async (part) => {
    const { names } = await found(part);

    expect(names).toEqual(await looked(part));
  });

  test.each([
    ['winter', ['Winter sale', 'WINTER Sale II']],
    ['_sc', ['under_score']],
    ['k\\s', ['back\\slash']],
    ['のセー', ['冬のセール']],
    ['GRÖ', ['Größe zählt']],
    ['ÄH', ['Größe zählt']],
    ['σίσυφο', ['ΣΊΣΥΦΟΣ rolls']],
    ['ö*', []],
    ['ö?e', []],
    ['[ö]', []],
    ['filler 012345', ['Filler 012345']],
    ['none of these', []],
  ])('that hold %s are the same on every database', async (part, names) => {
    const { names: seen, total } = await found(part);

    expect(seen.toSorted()).toEqual(names.toSorted());
    expect(total).toBe(names.length);
  });

  test('of another account are not found', async () => {
    expect(await found('winter', theirs)).toEqual({ names: ['Winter of others'], total: 1 });
  });

  test('are found from the moment they are written, and not under a name they had', async () => {
    const { version } = await campaign(scope, 'cmp_moving', 'Before the change');
    expect((await found('before the')).total).toBe(1);

    await updateCampaign(store.db, scope, { id: 'cmp_moving', version, set: { name: 'After it' } });
    expect((await found('before the')).total).toBe(0);
    expect((await found('after it')).total).toBe(1);
    // So many more that whatever was due is in the index.
    for (let index = 0; index < 300; index += 1) await campaign(theirs, `cmp_more${index}`, 'More of theirs');
    expect((await found('before the')).total).toBe(0);
    expect((await found('after it')).names).toEqual(['After it']);

    await sql`delete from campaigns where id = 'cmp_moving'`.execute(store.db.withoutPlugins());
    expect((await found('after it')).total).toBe(0);
  });

  test('of advertisers and storefronts are found by their index, too', async () => {
    const owner = await newAccount(store, 'Shop');
    await insertNamed(store, owner, 'Corner bakery');
    await insertNamed(store, owner, 'ÉCLAIR');
    await insertStorefront(store.db, owner, {
      platform_id: 'corner',
      name: 'Corner Media',
      publisher_domain: null,
      operator_domain: null,
      description: null,
      website: null,
      channels: '[]' as never,
      accepted_countries: null,
      accepts_all_countries: 1,
      default_currency: 'USD',
      transacting: 1,
      is_paused: 0,
      archived_at: null,
      version: 1,
      created_at: at,
      updated_at: at,
    });

    const advertisers = await listAdvertisers(store.db, owner, { filter: { name: 'NER BAK' }, page });
    const storefronts = await listMarketStorefronts(store.db, owner, {
      filter: { name: 'ner med' },
      page,
    });

    const french = await listAdvertisers(store.db, owner, { filter: { name: 'éclair' }, page });

    expect(advertisers.rows.map(({ name }) => name)).toEqual(['Corner bakery']);
    expect(french.rows.map(({ name }) => name)).toEqual(['ÉCLAIR']);
    expect(storefronts.rows.map(({ name }) => name)).toEqual(['Corner Media']);
  });

  test('are read from their index: of thousands those alone that hold the text', async () => {
    const before = recorder.ran.length;
    await found('filler 012345');

    const lists = recorder.ran.slice(before).filter((query) => /from "campaigns"/.test(query.sql));
    expect(lists).toHaveLength(2);
    for (const query of lists) {
      const plan = (await planOf(query)).join('\n');
      expect(plan).toContain(engine === 'sqlite' ? 'campaigns_names' : 'campaigns_by_name');
      if (engine === 'sqlite') expect(plan).toContain('USING INTEGER PRIMARY KEY (rowid=?)');
    }
  });

  async function planOf({ sql: text, parameters }: { sql: string; parameters: readonly unknown[] }) {
    const explain = engine === 'sqlite' ? 'explain query plan ' : 'explain ';
    const statement = sql.join(
      text
        .split(/\?|\$\d+/)
        .flatMap((part, index) => [
          sql.raw(index === 0 ? `${explain}${part}` : part),
          ...(index < parameters.length ? [sql.val(parameters[index])] : []),
        ]),
      sql``,
    );
    return store.db.transaction().execute(async (tx) => {
      // So few rows PostgreSQL reads sooner than any index of trigrams.
      if (engine === 'postgres') {
        await sql`set local enable_seqscan = off`.execute(tx.withoutPlugins());
      }
      const { rows } = await sql<Record<string, unknown>>`${statement}`.execute(tx.withoutPlugins());
      return rows.map((row) => String(row['detail'] ?? row['QUERY PLAN']));
    });
  }

  test.runIf(engine === 'sqlite')('are found after a vacuum as before', async () => {
    await sql`delete from campaigns where id = 'cmp_fill7'`.execute(store.db.withoutPlugins());
    const before = await found('filler 000299');

    await sql`vacuum`.execute(store.db.withoutPlugins());

    expect(await found('filler 000299')).toEqual(before);
    expect(before.total).toBe(1);
  });
});
