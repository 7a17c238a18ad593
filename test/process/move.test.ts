import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { move } from '../../adapters/cli/move.ts';
import type { Config } from '../../adapters/settings/config.ts';
import { moveRows } from '../../store/engine/moving.ts';
import { openStore } from '../../store/open.ts';
import { walk } from '../journeys/walk.ts';
import { newPerson } from '../support/callers/people.ts';
import { emptyDatabase, engine, freshDatabase, type TestDatabase } from '../support/database/database.ts';
import { startTestServer } from '../support/server/server.ts';

const LATER = Date.parse('2100-01-01T00:00:00Z');

describe('an installation that moves into another database', () => {
  const databases: TestDatabase[] = [];
  let served: TestDatabase;
  let config: Config;
  let key: string;
  let seen: unknown;
  let newest: number;
  let whileServed: Promise<unknown>;
  beforeAll(async () => {
    served = await freshDatabase();
    databases.push(served);
    const server = await startTestServer({ database: served });
    config = server.config;
    await walk(server);
    const person = await newPerson(server);
    key = person.key;
    newest = person.organizationId;
    await person.post('/buyer/advertisers', { name: 'Moves', brandDomain: 'moves.example' });
    seen = await list(person);
    whileServed = move(config, (await empty()).url, Date.now()).catch((error: unknown) => error);
    await whileServed;
    await server.stop();
  }, 240_000);
  afterAll(async () => {
    for (const database of databases) await database.drop();
  });

  const list = async (person: {
    get(path: string): Promise<{ readonly body: { readonly data: unknown } }>;
  }) => (await person.get('/buyer/advertisers')).body.data;

  async function empty(): Promise<TestDatabase> {
    const database = await emptyDatabase();
    databases.push(database);
    return database;
  }

  /** A file that is not there yet, beside the database. */
  const file = (name: string) => `file:${served.folder}/${name}.db`;

  test('is refused while it is served, and where the other one is in use', async () => {
    expect(await whileServed).toMatchObject({
      message: expect.stringMatching(/process serves (the|this) database/),
    });
    const used = await freshDatabase();
    databases.push(used);
    await expect(move(config, used.url, LATER)).rejects.toThrow('is in use');
    await expect(move(config, config.databaseUrl, LATER)).rejects.toThrow('That is DATABASE_URL');
    await expect(move({ ...config, databaseUrl: (await empty()).url }, file('none'), LATER)).rejects.toThrow(
      'nothing to move',
    );
  });

  test('is there with every row, into a file and on into a database like the one it came from', async () => {
    const there = await empty();

    const said = await move(config, file('moved'), LATER);
    await move({ ...config, databaseUrl: file('moved') }, there.url, LATER);

    expect(said).toMatch(/^Moved [1-9]\d* rows of [1-9]\d* tables; /);
    expect(await contents(there.url)).toEqual(await contents(served.url));
  }, 120_000);

  test('serves the same callers with the same answers there, and numbers what is new from where it was', async () => {
    const url = file('served');
    await move(config, url, LATER);
    const server = await startTestServer({ database: { ...served, url } });
    try {
      const response = await fetch(`${server.url}/api/v2/buyer/advertisers`, {
        headers: { authorization: `Bearer ${key}` },
      });
      const { data } = (await response.json()) as { data: unknown };
      expect(data).toEqual(seen);
      expect((await newPerson(server, { terms: false })).organizationId).toBeGreaterThan(newest);
    } finally {
      await server.stop();
    }
  }, 120_000);

  test('is not there at all where a row did not come as it went', async () => {
    const from = openStore(served.url, { connections: 1 });
    const to = openStore(file('changed'), { connections: 1 });
    try {
      await to.migrate();
      await sql`create trigger changing after insert on organizations begin
        update organizations set name = 'Another' where id = new.id; end`.execute(to.db);
      await expect(moveRows(from, to)).rejects.toThrow('What came of organizations is not what went');
      const { rows } = await sql<{ count: number }>`select count(*) as count from organizations`.execute(
        to.db,
      );
      expect(rows).toEqual([{ count: 0 }]);
    } finally {
      await from.close();
      await to.close();
    }
  });

  /** Every row of every table, in an order of its own. */
  async function contents(url: string): Promise<ReadonlyMap<string, readonly string[]>> {
    const store = openStore(url, { connections: 1 });
    try {
      const { rows } = await tables.execute(store.db);
      const all = new Map<string, readonly string[]>();
      for (const { name } of rows) {
        const found = await sql<object>`select * from ${sql.table(name)}`.execute(store.db);
        all.set(name, found.rows.map((row) => JSON.stringify(Object.entries(row).toSorted())).toSorted());
      }
      return all;
    } finally {
      await store.close();
    }
  }

  const tables =
    engine === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_master where type = 'table' and name not like 'kysely%'
          and name not like 'sqlite%' and name not like '%_names%'`
      : sql<{ name: string }>`select tablename as name from pg_catalog.pg_tables
          where schemaname = current_schema() and tablename not like 'kysely%'`;
});
