import SqliteDatabase from 'better-sqlite3';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../support/callers/people.ts';
import { expectRefusal } from '../support/callers/refusals.ts';
import { engine, freshDatabase, type TestDatabase } from '../support/database/database.ts';
import { type Way, wayTo } from '../support/database/way.ts';
import { eventually } from '../support/run/eventually.ts';
import { expectEnvelope } from '../support/server/envelope.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const LIST = '/buyer/advertisers';
const toMake = (name: string) => ({
  name,
  brand: `${name.toLowerCase()}.example`,
  saveBrand: true,
  primaryCurrency: 'USD',
  optimizationApplyMode: 'MANUAL',
});

/** Refused with what the caller needs: that it passes, and when to come back. */
function expectUnavailable(reply: Awaited<ReturnType<Person['get']>>): void {
  expectEnvelope(reply);
  expectRefusal(reply, 503, {
    code: 'SERVICE_UNAVAILABLE',
    words: 'The database cannot do this at present.',
  });
  expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
}

async function names(person: Person): Promise<string[]> {
  const { body } = await person.get(`${LIST}?take=100`);
  return body.data.items.map(({ name }: { name: string }) => name);
}

describe.runIf(engine === 'sqlite')('a database file', () => {
  let server: TestServer;
  let person: Person;
  beforeAll(async () => {
    server = await startTestServer({ settings: { DATABASE_WAIT_MS: '300' } });
    person = await newPerson(server);
  });
  afterAll(() => server.stop());

  const lockFromOutside = (locked = server) => {
    const other = new SqliteDatabase(new URL(locked.database.url).pathname);
    other.exec('begin immediate');
    return () => {
      other.exec('rollback');
      other.close();
    };
  };

  test('that another process has locked refuses writes as unavailable, and goes on answering reads meanwhile', async () => {
    const fresh = await newKeyUnused();
    const release = lockFromOutside();
    let isRefused = false;
    const writes = Promise.all(
      [1, 2, 3].map((number) => person.post(LIST, toMake(`Locked${number}`))),
    ).finally(() => {
      isRefused = true;
    });
    let readsMeanwhile = 0;
    while (!isRefused) {
      expect((await fresh.get(LIST)).status).toBe(200);
      if (!isRefused) readsMeanwhile += 1;
    }
    for (const reply of await writes) expectUnavailable(reply);
    expect(readsMeanwhile).toBeGreaterThan(0);
    release();
    expect(await names(person)).toEqual([]);
    expect((await person.post(LIST, toMake('Released'))).status).toBe(201);
  });

  test('takes a write that waited for the lock once it is released, and answers reads until then', async () => {
    // As long as can be: who reads behind the write waits until it is refused.
    const patient = await startTestServer({ settings: { DATABASE_WAIT_MS: '60000' } });
    const waiter = await newPerson(patient);
    const release = lockFromOutside(patient);
    const write = waiter.post(LIST, toMake('Waited'));
    // Answered by the reading connection, while the write looks at the lock again and again.
    expect((await waiter.get(LIST)).status).toBe(200);
    expect((await waiter.get(`${LIST}?name=Waited`)).body.data.items).toEqual([]);
    release();
    expect((await write).status).toBe(201);
    await patient.stop();
  });

  test('on a full disk refuses what needs room as unavailable, keeps nothing of it, and can be read', async () => {
    const before = await names(person);
    await limitPages('page_count');
    const long = { ...toMake('Full'), description: 'x'.repeat(1_000) };
    const replies = await Promise.all(Array.from({ length: 60 }, () => person.post(LIST, long)));
    const refused = replies.filter(({ status }) => status !== 201);
    expect(refused.length).toBeGreaterThan(0);
    for (const reply of refused) expectUnavailable(reply);
    expect((await names(person)).filter((name) => name === 'Full')).toHaveLength(60 - refused.length);
    await limitPages('1000000');
    expect((await person.post(LIST, toMake('Room'))).status).toBe(201);
    expect(await names(person)).toEqual(expect.arrayContaining(['Room', ...before]));
  });

  /** Somebody whose key was never used: its first use wants to be noted. */
  const newKeyUnused = () => person.withKey(['buyer:read']);

  async function limitPages(pages: string): Promise<void> {
    await server.store.transaction(async (tx) => {
      const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(tx);
      const most = pages === 'page_count' ? String(rows[0]?.page_count) : pages;
      await sql.raw(`pragma max_page_count = ${most}`).execute(tx);
    });
  }
});

describe.runIf(engine === 'postgres')('a database server', () => {
  let database: TestDatabase;
  let way: Way;
  let server: TestServer;
  let person: Person;
  beforeAll(async () => {
    database = await freshDatabase();
    way = await wayTo(database.url);
    server = await startTestServer({
      database: { ...database, url: way.url },
      settings: { DATABASE_WAIT_MS: '500' },
    });
    person = await newPerson(server);
  });
  afterAll(async () => {
    await server.stop();
    await way.close();
    await database.drop();
  });

  /** A connection that was ended may be handed out once more before its end is heard of. */
  const untilRead = () => eventually(async () => expect((await person.get(LIST)).status).toBe(200));

  test('that is gone makes calls unavailable, and they go on when it is back', async () => {
    expect((await person.get(LIST)).status).toBe(200);
    await way.cut();
    expectUnavailable(await person.get(LIST));
    expectUnavailable(await person.post(LIST, toMake('Gone')));
    const health = await person.send(`${server.url}/health`, {});
    expect(health.status).toBe(503);
    await way.mend();
    expect(await names(person)).toEqual([]);
    expect((await person.post(LIST, toMake('Back'))).status).toBe(201);
  });

  test('that takes no writes refuses them as unavailable and answers reads', async () => {
    const set = (value: 'on' | 'off') => setReadOnly(database.url, value);
    await set('on');
    await untilRead();
    expectUnavailable(await person.post(LIST, toMake('Standby')));
    await set('off');
    await untilRead();
    expect(await names(person)).not.toContain('Standby');
    expect((await person.post(LIST, toMake('Writable'))).status).toBe(201);
  });
});

/** As a standby does: connections that are open learn of it as well, by being ended. */
async function setReadOnly(databaseUrl: string, value: 'on' | 'off'): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query('select current_database() as name');
    await client.query('set default_transaction_read_only = off');
    await client.query(`alter database "${rows[0].name}" set default_transaction_read_only = ${value}`);
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
  } finally {
    await client.end();
  }
}
