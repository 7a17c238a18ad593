import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isUnavailable } from '../../store/engine/dialect.ts';
import { engine } from '../support/database/database.ts';
import { gate } from '../support/run/gate.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ own: true });
});
afterAll(() => server.stop());

// On SQLite nobody holds anything who is not there: the file is one process's own.
test.runIf(engine === 'postgres')(
  'what a process holds that says nothing amid a transaction is free after a while, and that process is told to come back',
  async () => {
    const { store } = server;
    const id = server.running.app.services.processId;
    const touch = (db: Pick<typeof store.db, 'updateTable'>, secret_keys: string) =>
      db.updateTable('processes').set({ secret_keys }).where('id', '=', id).executeTakeFirst();
    const [held, woken] = [gate(), gate()];
    let waits = '';

    const sleeper = store
      .transaction(async (tx) => {
        const show = sql<{ idle_in_transaction_session_timeout: string }>`
          show idle_in_transaction_session_timeout`;
        const { rows } = await show.execute(tx);
        waits = rows[0]?.idle_in_transaction_session_timeout ?? '';
        await sql`set local idle_in_transaction_session_timeout = 100`.execute(tx);
        await touch(tx, 'asleep');
        held.open();
        await woken.passed;
        await touch(tx, 'awake');
      })
      .catch((error: unknown) => error);
    await held.passed;
    const other = await touch(store.db, 'other');
    woken.open();

    expect(waits).toBe('1min');
    expect(other.numUpdatedRows).toBe(1n);
    expect(await sleeper).toSatisfy(isUnavailable);
  },
);
