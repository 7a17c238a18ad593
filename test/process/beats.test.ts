import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { lastBeat } from '../../store/unscoped/processes.ts';
import { engine } from '../support/database/database.ts';
import { eventually } from '../support/run/eventually.ts';
import { skippingClock } from '../support/run/skipping-clock.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

let server: TestServer;
afterEach(() => server.stop());

// Where a table can be held alone: on SQLite whoever holds one holds them all, and no process says that it lives.
test.runIf(engine === 'postgres')(
  'a process that waits to clear something away goes on saying that it lives, and is ready',
  async () => {
    const clock = skippingClock();
    server = await startTestServer({ own: true, clock });
    const { store, processId } = server.running.app.services;
    const holder = new pg.Client({ connectionString: server.database.url });
    await holder.connect();
    try {
      await holder.query('begin');
      await holder.query('lock table audit_logs in access exclusive mode');
      const waiting = 'select 1 from pg_locks where relation = $1::regclass and not granted';
      await eventually(async () => {
        // Again and again: what is due next is set only once the last is over.
        clock.skip(5_000);
        expect((await holder.query(waiting, ['audit_logs'])).rows).toHaveLength(1);
      });

      for (let beats = 0; beats < 6; beats += 1) {
        const before = clock.now();
        await eventually(async () => {
          clock.skip(5_000);
          expect(Date.parse((await lastBeat(store.db, processId)) ?? '')).toBeGreaterThan(before);
        });
      }

      expect((await holder.query(waiting, ['audit_logs'])).rows).toHaveLength(1);
      await eventually(async () => {
        clock.skip(5_000);
        const reply = await fetch(`${server.url}/readyz`);
        expect(`${reply.status} ${await reply.text()}`).toMatch(/^200 /);
      });
    } finally {
      await holder.end();
    }
  },
);
