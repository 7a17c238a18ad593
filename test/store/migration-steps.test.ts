import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '../../store/engine/db.ts';
import { migrate } from '../../store/migrations/migrate.ts';
import { findSteps } from '../../store/migrations/steps.ts';
import { openStore } from '../../store/open.ts';
import { emptyDatabase, type TestDatabase } from '../support/database/database.ts';
import { tablesOf } from '../support/database/tables.ts';

const UNTOUCHABLE = "throw new Error('This step was loaded.');";

function making(table: string): string {
  return `export const step = {
    up: (db, kit) => db.schema.createTable('${table}').addColumn('id', kit.integer).execute(),
    down: (db) => db.schema.dropTable('${table}').execute(),
  };`;
}

describe('the steps of the service', () => {
  test('are numbered from 1 on and upwards, each number once', () => {
    const numbers = [...findSteps().keys()].map((name) => Number(name.slice(0, 4)));

    expect(numbers.length).toBeGreaterThan(9);
    expect(numbers[0]).toBe(1);
    expect(new Set(numbers).size).toBe(numbers.length);
  });
});

describe('a step in the folder of migrations', () => {
  const folders: string[] = [];
  let database: TestDatabase;
  let store: Store;
  beforeEach(async () => {
    database = await emptyDatabase();
    store = openStore(database.url, { connections: 2 });
  });
  afterEach(async () => {
    await store.close();
    await database.drop();
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
  });

  function folderWith(files: Readonly<Record<string, string>>): string {
    const folder = mkdtempSync(join(tmpdir(), 'rialto-steps-'));
    folders.push(folder);
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    return folder;
  }

  async function run(files: Readonly<Record<string, string>>): Promise<string[]> {
    await migrate(store.db, store.engine, findSteps(folderWith(files)));
    return (await tablesOf(store)).map(({ name }) => name);
  }

  test('is found by its name, in the order of the numbers; what is called otherwise is none', () => {
    const folder = folderWith({
      '0002-second.js': '',
      '0010-tenth.ts': '',
      '0001-first.ts': '',
      'tables.ts': '',
      '0003-third.d.ts': '',
      '0004-fourth.js.map': '',
    });

    expect([...findSteps(folder)]).toEqual([
      ['0001-first', join(folder, '0001-first.ts')],
      ['0002-second', join(folder, '0002-second.js')],
      ['0010-tenth', join(folder, '0010-tenth.ts')],
    ]);
  });

  test('is run by being there, and the next one after it', async () => {
    const first = { '0001-first.js': making('firsts') };

    expect(await run(first)).toEqual(['firsts']);
    expect(await run({ ...first, '0002-second.js': making('seconds') })).toEqual(['firsts', 'seconds']);
  });

  test('that came with an earlier number than the last that ran is run all the same', async () => {
    await run({ '0001-first.js': making('firsts'), '0003-third.js': making('thirds') });
    const later = {
      '0001-first.js': UNTOUCHABLE,
      '0003-third.js': UNTOUCHABLE,
      '0002-second.js': making('seconds'),
    };

    expect(await run(later)).toEqual(['firsts', 'seconds', 'thirds']);
    expect(await run({ ...later, '0002-second.js': UNTOUCHABLE })).toEqual(['firsts', 'seconds', 'thirds']);
  });

  test('is loaded to be run and not again: what has run is left alone', async () => {
    await run({ '0001-first.js': making('firsts') });
    const ran = { '0001-first.js': UNTOUCHABLE };

    expect(await run(ran)).toEqual(['firsts']);
    expect(await run({ ...ran, '0002-second.js': making('seconds') })).toEqual(['firsts', 'seconds']);
    await expect(run({ ...ran, '0002-second.js': '', '0003-third.js': UNTOUCHABLE })).rejects.toThrow(
      'This step was loaded.',
    );
  });

  test('that exports no step is named', async () => {
    await expect(run({ '0001-first.js': 'export const other = 1;' })).rejects.toThrow(
      /0001-first\.js exports no step/,
    );
  });

  test('that ran and is gone is found out', async () => {
    await run({ '0001-first.js': making('firsts'), '0002-second.js': making('seconds') });

    await expect(run({ '0001-first.js': making('firsts') })).rejects.toThrow(
      /^A newer version was here: its database has 0002-second\./,
    );
  });
});
