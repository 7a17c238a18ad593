import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshDatabase, type TestDatabase } from '../support/database.ts';
import { runCommand, settingsFor } from '../support/service.ts';

describe('the operator’s brands', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await freshDatabase();
  });
  afterAll(() => database.drop());

  const brand = (...args: string[]) => {
    const settings = settingsFor(database);
    return runCommand('rialto.js', { folder: database.folder, settings, args: ['brand', ...args] });
  };

  test('are made known by a name or a file, listed, and forgotten', async () => {
    const file = join(database.folder, 'lamps.json');
    writeFileSync(file, JSON.stringify({ name: 'Lamps', tone: 'Warm.', colors: { primary: '#112233' } }));

    const named = await brand('set', '--domain', 'Heard.example', '--name', 'Heard', '--unregistered');
    const read = await brand('set', '--domain', 'lamps.example', '--manifest', file);

    expect(named.stdout).toBe('heard.example: Heard, heard of\n');
    expect(read.stdout).toBe('lamps.example: Lamps, registered\n');
    expect((await brand('list')).stdout).toBe(
      'heard.example\tHeard\theard of\nlamps.example\tLamps\tregistered\n',
    );
    expect((await brand('remove', '--domain', 'heard.example')).code).toBe(0);
    expect(await brand('remove', '--domain', 'heard.example')).toMatchObject({
      code: 1,
      stderr: 'No such brand. List those that are known with npm run rialto -- brand list.\n',
    });
  });

  test('are refused without a name', async () => {
    expect((await brand('set', '--domain', 'a.example')).stderr).toBe('Give --name or --manifest.\n');
  });
});
