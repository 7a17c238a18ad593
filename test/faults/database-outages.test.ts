import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LIST, make, namesOf, WELL_MS, writing } from '../support/buying/outage-writers.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { expectRefusal } from '../support/callers/refusals.ts';
import { engine, freshDatabase, type TestDatabase } from '../support/database/database.ts';
import { type Way, wayTo } from '../support/database/way.ts';
import { faultRoundsOf, isLong, timeoutOf } from '../support/run/effort.ts';
import { done } from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const WAIT_MS = 1_000;
describe.runIf(engine === 'postgres')('while many write, a database server', () => {
  let database: TestDatabase;
  let way: Way;
  let server: TestServer;
  let person: Person;
  beforeAll(async () => {
    database = await freshDatabase();
    way = await wayTo(database.url);
    server = await startTestServer({
      database: { ...database, url: way.url },
      settings: { DATABASE_WAIT_MS: String(WAIT_MS) },
    });
    person = await newPerson(server);
  });
  afterAll(async () => {
    await server.stop();
    await way.close();
    await database.drop();
  });

  /** Works on the database past the way that is cut. */
  async function directly<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }

  const endConnections = () =>
    directly((client) =>
      client.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      ),
    );

  const outages: Readonly<Record<string, () => Promise<void>>> = {
    'that ends every connection': async () => void (await endConnections()),
    'that is gone and comes back': async () => {
      await way.cut();
      await make(person, 'In between');
      await way.mend();
    },
    'of which nothing is heard for a while': async () => {
      way.silence();
      const began = performance.now();
      const reply = await make(person, 'In between');
      expect(reply.status).toBe(503);
      // It waits for a connection, for an answer, and for the words of the end of a transaction.
      if (isLong) expect(performance.now() - began).toBeLessThan(4 * WAIT_MS + WELL_MS);
      way.unsilence();
    },
  };

  test.each(Object.keys(outages))(
    '%s costs answers of 503 alone: nothing that was acknowledged, and by a long run no more than five seconds',
    async (name) => {
      for (let round = 0; round < faultRoundsOf(1, 20); round += 1) {
        // An account has room for so many and no more.
        person = await newPerson(server);
        const writers = writing(person, `${name} ${round}`);
        await writers.someMore();
        await outages[name]?.();
        await writers.someMore();
        await writers.end();

        const kept = await namesOf(person);
        expect(writers.acknowledged.filter((one) => !kept.includes(one))).toEqual([]);
        expect(new Set(kept.filter((one) => one !== 'In between')).size).toBe(
          kept.filter((one) => one !== 'In between').length,
        );
      }
    },
    timeoutOf(60_000),
  );

  test('whose rows somebody else holds makes those who want them unavailable, and nobody waits for ever', async () => {
    const { id } = done(await make(person, 'Held'));
    await directly(async (client) => {
      await client.query('begin');
      await client.query('select id from advertisers where id = $1 for update', [id]);
      const refused = await person.put(`${LIST}/${id}`, { name: 'Free' });
      expectRefusal(refused, 503, {
        code: 'SERVICE_UNAVAILABLE',
        words: 'The database cannot do this at present.',
      });
      await client.query('rollback');
    });
    expect((await person.put(`${LIST}/${id}`, { name: 'Free' })).status).toBe(200);
  });
});

describe.runIf(engine === 'sqlite')('while many write, a database file', () => {
  let server: TestServer;
  let person: Person;
  beforeAll(async () => {
    server = await startTestServer({ own: true, settings: { DATABASE_WAIT_MS: String(WAIT_MS) } });
    person = await newPerson(server);
  });
  afterAll(() => server.stop());

  const turn = async (value: 'on' | 'off') =>
    void (await sql.raw(`pragma query_only = ${value}`).execute(server.store.db));

  test(
    'that can only be read refuses writes as unavailable, can be read, and takes them again at once',
    async () => {
      for (let round = 0; round < faultRoundsOf(1, 20); round += 1) {
        person = await newPerson(server);
        const writers = writing(person, `Round ${round}`);
        await writers.someMore();
        await turn('on');
        const refused = await make(person, 'Refused');
        const read = await person.get(LIST);
        await turn('off');
        await writers.someMore();
        await writers.end();

        expect(refused.status).toBe(503);
        expect(read.status).toBe(200);
        const kept = await namesOf(person);
        expect(writers.acknowledged.filter((one) => !kept.includes(one))).toEqual([]);
        expect(kept).not.toContain('Refused');
      }
    },
    timeoutOf(60_000),
  );
});
