import { afterEach, describe, expect, test } from 'vitest';
import { openStore } from '../../store/open.ts';
import { emptyDatabase, engine, freshDatabase, type TestDatabase } from '../support/database/database.ts';
import { type Child, startChild } from '../support/run/child.ts';
import { startTestServer } from '../support/server/server.ts';

/** Opens the store and says so, migrates when it is told to, and says how that went. */
const MIGRATES = `
  import { once } from 'node:events';
  import { openStore } from './dist/store/open.js';
  const store = openStore(process.argv[1], { connections: 2 });
  console.log('open');
  await once(process.stdin, 'data');
  await store.migrate();
  const rows = await store.db.selectFrom('organizations').selectAll().execute();
  console.log('migrated ' + rows.length);
  await store.close();
  process.exit(0);
`;

/** Claims the database, says how that went, and stays until it is told to go. */
const CLAIMS = `
  import { once } from 'node:events';
  import { openStore } from './dist/store/open.js';
  const store = openStore(process.argv[1], { connections: 1 });
  const lock = store.engine.lock();
  console.log('claimed');
  await once(process.stdin, 'data');
  lock.release();
  process.exit(0);
`;

describe('processes on one database', () => {
  const children: Child[] = [];
  let database: TestDatabase;
  afterEach(async () => {
    await Promise.all(children.splice(0).map((child) => child.kill('SIGKILL')));
    await database.drop();
  });

  function start(module: string): Child {
    const child = startChild(module, database.url);
    children.push(child);
    return child;
  }

  test('that start at once make the tables once, and all of them go on', async () => {
    database = await emptyDatabase();
    const started = [start(MIGRATES), start(MIGRATES), start(MIGRATES)];
    for (const child of started) expect(await child.line()).toBe('open');

    for (const child of started) child.send('go');

    expect(await Promise.all(started.map((child) => child.line()))).toEqual([
      'migrated 0',
      'migrated 0',
      'migrated 0',
    ]);
    expect(await Promise.all(started.map(({ ended }) => ended))).toEqual([0, 0, 0]);
    const store = openStore(database.url, { connections: 1 });
    await store.migrate();
    expect(await store.db.selectFrom('organizations').selectAll().execute()).toEqual([]);
    await store.close();
  });

  test('serve it together where it is made for that, and one alone where it is a file', async () => {
    database = await freshDatabase();
    const first = start(CLAIMS);
    expect(await first.line()).toBe('claimed');

    const answer = await start(CLAIMS).line();

    if (engine === 'postgres') expect(answer).toBe('claimed');
    else expect(answer).toMatch(/Another process serves the database .*test\.db\. Stop it first\./);
  });

  test('leave it to the next one when they are killed', async () => {
    database = await freshDatabase();
    const first = start(CLAIMS);
    expect(await first.line()).toBe('claimed');

    await first.kill('SIGKILL');

    expect(await start(CLAIMS).line()).toBe('claimed');
  });

  test('a whole service is refused beside another on a file, by name, and starts once that one stopped', async () => {
    database = await freshDatabase();
    const first = await startTestServer({ database });

    const second = startTestServer({ database });

    if (engine === 'sqlite') {
      await expect(second).rejects.toThrow(
        /Another process serves the database .*test\.db\. Stop it first\./,
      );
    } else {
      const running = await second;
      expect((await fetch(`${running.url}/health`)).status).toBe(200);
      await running.stop();
    }
    expect((await fetch(`${first.url}/health`)).status).toBe(200);
    await first.stop();
    const third = await startTestServer({ database });
    expect((await fetch(`${third.url}/health`)).status).toBe(200);
    await third.stop();
  });
});
