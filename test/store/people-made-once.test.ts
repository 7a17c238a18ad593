import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { personAt } from '../../tools/domain/organizations/people.ts';
import { engine } from '../support/database/database.ts';
import { eventually } from '../support/run/eventually.ts';
import { gate } from '../support/run/gate.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ own: true });
});
afterAll(() => server.stop());

/** Waits until somebody of this database waits for a lock. */
const oneWaits = () =>
  eventually(async () => {
    const waiting = sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    const { rows } = await waiting.execute(server.store.db.withoutPlugins());
    expect(rows).toEqual([{ count: 1 }]);
  });

// Where two transactions are open at once: on SQLite one writes after the other.
test.runIf(engine === 'postgres')(
  'of two who come under one new address at once one is made, and both are that person',
  async () => {
    const { store, operator } = server;
    const [made, go] = [gate(), gate()];
    const come = (until?: Promise<void>) =>
      store.transaction(async (tx) => {
        const person = { email: 'ada@at-once.example', name: 'Ada', now: operator.now };
        const { user, isNew } = await personAt(tx, person);
        made.open();
        await until;
        return { id: user.id, isNew };
      });

    const first = come(go.passed);
    await made.passed;
    const second = come();
    await oneWaits();
    go.open();

    expect(await first).toMatchObject({ isNew: true });
    expect(await second).toEqual({ id: (await first).id, isNew: false });
  },
);
