import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ownPlace } from '../support/server/own-place.ts';

describe('the operator’s brands', () => {
  const place = ownPlace();
  const brand = (...args: string[]) => place.rialto('brand', ...args);

  test('are made known by a name or a file, listed, and forgotten', async () => {
    const file = join(place.database.folder, 'lamps.json');
    writeFileSync(file, JSON.stringify({ name: 'Lamps', tone: 'Warm.', colors: { primary: '#112233' } }));

    const named = await brand('set', '--domain', 'Heard.example', '--name', 'Heard', '--unregistered');
    const read = await brand('set', '--domain', 'lamps.example', '--manifest', file);

    expect(named.stdout).toBe('heard.example: Heard, heard of\n');
    expect(read.stdout).toBe('lamps.example: Lamps, registered\n');
    expect((await brand('list')).stdout).toBe(
      'heard.example\tHeard\theard of\nlamps.example\tLamps\tregistered\n',
    );
    expect((await brand('remove', '--domain', 'heard.example')).code).toBe(0);
    expect((await brand('list')).stdout).toBe('lamps.example\tLamps\tregistered\n');
  });

  test('are unchanged, and in the log once, where just that is known already', async () => {
    const set = (...args: string[]) => place.printed('brand', 'set', '--domain', 'pens.example', ...args);
    const file = join(place.database.folder, 'pens.json');
    const entries = async () =>
      (await place.printed('audit', 'list')).split('\n').filter((line) => line.includes('pens.example'));
    writeFileSync(file, JSON.stringify({ name: 'Pens', tone: 'Dry.', founded: 1921 }));

    expect(await set('--manifest', file)).toBe('pens.example: Pens, registered');
    writeFileSync(file, JSON.stringify({ founded: 1921, tone: 'Dry.', name: 'Pens' }));
    expect(await set('--manifest', file)).toBe('Unchanged: pens.example: Pens, registered');
    expect(await entries()).toHaveLength(1);

    expect(await set('--manifest', file, '--unregistered')).toBe('pens.example: Pens, heard of');
    expect(await set('--name', 'Pens', '--unregistered')).toBe('pens.example: Pens, heard of');
    expect(await entries()).toHaveLength(3);
  });

  test('are refused without a name', async () => {
    expect((await brand('set', '--domain', 'a.example')).stderr).toBe('Give --name or --manifest.\n');
  });
});
