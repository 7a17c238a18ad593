import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { Database } from '../../store/engine/database.ts';
import { ScopeGuard } from '../support/database/scope-guard.ts';

const db = new Kysely<Database>({
  plugins: [new ScopeGuard()],
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (open) => new SqliteIntrospector(open),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

const campaigns = db.selectFrom('campaigns').selectAll('campaigns');
const joined = db.selectFrom('campaigns').innerJoin('media_buys', 'media_buys.campaign_id', 'campaigns.id');
const held = campaigns.where('campaigns.organization_id', '=', 7);

const refused: Readonly<Record<string, () => { compile(): unknown }>> = {
  'a select without a condition': () => campaigns,
  'a select by id alone': () => campaigns.where('id', '=', 'cmp_1'),
  'a select of another column that is called alike': () => campaigns.where('customer_id', '=', 7),
  'a comparison by <>': () => campaigns.where('organization_id', '<>', 7),
  'a comparison by >': () => campaigns.where('organization_id', '>', 7),
  'a list of organizations': () => campaigns.where('organization_id', 'in', [7, 8]),
  'a comparison of the column with itself': () =>
    campaigns.whereRef('campaigns.organization_id', '=', 'campaigns.organization_id'),
  'a comparison that an OR goes round': () =>
    campaigns.where((eb) => eb.or([eb('organization_id', '=', 7), eb('id', '=', 'cmp_1')])),
  'a comparison below a NOT': () => campaigns.where((eb) => eb.not(eb('organization_id', '=', 7))),
  'a comparison in what is selected': () =>
    db.selectFrom('campaigns').select((eb) => eb('organization_id', '=', 7).as('mine')),
  'a join with the second side open': () =>
    joined.select('media_buys.id').where('campaigns.organization_id', '=', 7),
  'a join with the first side open': () =>
    joined.select('media_buys.id').where('media_buys.organization_id', '=', 7),
  'two comparisons on one side of a join and none on the other': () =>
    joined
      .select('media_buys.id')
      .where('campaigns.organization_id', '=', 7)
      .where('campaigns.organization_id', '=', 7),
  'two sides compared with each other and neither with a value': () =>
    joined.select('media_buys.id').whereRef('campaigns.organization_id', '=', 'media_buys.organization_id'),
  'a left join that holds the table it brings and not the one it stands on': () =>
    db
      .selectFrom('campaigns')
      .leftJoin('media_buys', (join) =>
        join
          .on('media_buys.organization_id', '=', 7)
          .onRef('media_buys.organization_id', '=', 'campaigns.organization_id'),
      )
      .select('campaigns.id'),
  'a table open under a second name': () =>
    held.where((eb) => eb.exists(eb.selectFrom('campaigns as other').select('other.id'))),
  'a subquery that takes its comparison from nowhere': () =>
    held.where('id', 'in', (eb) => eb.selectFrom('media_buys').select('campaign_id')),
  'a table of a with': () =>
    db
      .with('mine', (query) => query.selectFrom('media_buys').selectAll())
      .selectFrom('mine')
      .selectAll(),
  'the second half of a union': () =>
    db
      .selectFrom('campaigns')
      .select('id')
      .where('organization_id', '=', 7)
      .union(db.selectFrom('media_buys').select('id')),
  'an update by id': () => db.updateTable('campaigns').set({ name: 'Mine' }).where('id', '=', 'cmp_1'),
  'an update that only sets the organization': () => db.updateTable('campaigns').set({ organization_id: 7 }),
  'a delete': () => db.deleteFrom('campaigns').where('id', '=', 'cmp_1'),
  'a delete whose other table is open': () =>
    db.deleteFrom('campaigns').using('media_buys').where('campaigns.organization_id', '=', 7),
  'an insert without the column': () =>
    db
      .insertInto('grants')
      .columns(['holder', 'created_at'])
      .values({ holder: 'user:1', created_at: 'now' } as never),
  'an insert that copies from an open table': () =>
    db
      .insertInto('grants')
      .columns(['organization_id', 'holder'])
      .expression(db.selectFrom('grants').select(['organization_id', 'holder'])),
  'an insert that may write over the row of another organization': () =>
    db
      .insertInto('terms_acceptances')
      .values({ organization_id: 7, version: '1', user_id: null, via: 'rest', accepted_at: 'now' })
      .onConflict((key) => key.column('version').doUpdateSet({ via: 'rest' })),
  'a table named in SQL as text': () =>
    db.selectFrom('processes').select(sql<number>`(select count(*) from campaigns)`.as('all')),
  'a table handed to SQL as text': () =>
    db
      .selectFrom('processes')
      .select(sql<number>`(select count(*) from ${sql.table('campaigns')})`.as('all')),
};

const passed: Readonly<Record<string, () => { compile(): unknown }>> = {
  'a select of one organization': () => held,
  'a select with more conditions, some of them an OR': () =>
    held.where((eb) => eb.or([eb('name', '=', 'One'), eb('name', '=', 'Two')])),
  'a join whose sides are compared with each other and one with a value': () =>
    joined
      .select('media_buys.id')
      .whereRef('campaigns.organization_id', '=', 'media_buys.organization_id')
      .where('media_buys.organization_id', '=', 7),
  'a left join that holds both tables': () =>
    db
      .selectFrom('campaigns')
      .leftJoin('media_buys', (join) =>
        join.onRef('media_buys.organization_id', '=', 'campaigns.organization_id'),
      )
      .select('campaigns.id')
      .where('campaigns.organization_id', '=', 7),
  'a subquery held to the query around it': () =>
    held.where((eb) =>
      eb.exists(
        eb
          .selectFrom('media_buys')
          .select('media_buys.id')
          .whereRef('media_buys.organization_id', '=', 'campaigns.organization_id'),
      ),
    ),
  'an update of one organization': () =>
    db
      .updateTable('campaigns')
      .set({ name: 'Mine' })
      .where('organization_id', '=', 7)
      .where('id', '=', 'cmp_1'),
  'a delete of one organization': () => db.deleteFrom('campaigns').where('organization_id', '=', 7),
  'an insert that names its organization': () =>
    db.insertInto('grants').values({ organization_id: 7, holder: 'user:1', created_at: 'now' }),
  'an insert that may only meet its own rows': () =>
    db
      .insertInto('terms_acceptances')
      .values({ organization_id: 7, version: '1', user_id: null, via: 'rest', accepted_at: 'now' })
      .onConflict((key) => key.columns(['organization_id', 'version']).doUpdateSet({ via: 'rest' })),
  'a table that belongs to nobody': () => db.selectFrom('processes').selectAll(),
};

describe('the guard of the queries', () => {
  test.each(Object.entries(refused))('refuses %s', (_, build) => {
    expect(() => build().compile()).toThrow(/without its organization/);
  });

  test.each(Object.entries(passed))('passes %s', (_, build) => {
    expect(build().compile()).toHaveProperty('sql');
  });

  test('names the table and the kind of query that it refuses', () => {
    expect(() => db.deleteFrom('media_buys').compile()).toThrow(
      'A DeleteQueryNode reads or writes media_buys without its organization.',
    );
  });

  test('refuses a whole statement of text that names a tenant’s table', async () => {
    await expect(sql`delete from campaigns`.execute(db)).rejects.toThrow(
      /campaigns without its organization/,
    );
  });

  test('keeps the tables of the queries that passed', () => {
    const guard = new ScopeGuard();

    db.withoutPlugins()
      .withPlugin(guard)
      .selectFrom('grants')
      .selectAll()
      .where('organization_id', '=', 7)
      .compile();

    expect([...guard.seen]).toEqual(['grants']);
  });
});
