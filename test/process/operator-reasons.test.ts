import { describe, expect, test } from 'vitest';
import { allCommands } from '../support/server/command-line.ts';
import { ownPlace } from '../support/server/own-place.ts';

/** What the last word of a command that only reads may be. */
const READS = new Set(['agents', 'list', 'previews', 'refused', 'show']);

/** What changes something of which no log tells, and why. */
const UNLOGGED: Readonly<Record<string, string>> = {
  backup: 'Writes a file.',
  doctor: 'Looks at everything, and changes nothing.',
  migrate: 'The database has the steps that were run.',
  move: 'The other database is as this one is, its log among it.',
  restore: 'The database is as it was, its log among it.',
  'secrets new-key': 'Writes a file; what is encrypted with it is logged by secrets rotate.',
  serve: 'Runs until it is told to stop.',
  'webhook listen': 'Tries a receiver, without a database.',
  'webhook send': 'Tries a receiver, without a database.',
};

describe('the reason of what the operator does', () => {
  const place = ownPlace();
  const { printed } = place;

  test('is an option of every command, but of those that change nothing a log tells of', () => {
    const without = allCommands().filter(({ options }) => !options.some(({ flag }) => flag === '--reason'));
    const paths = without.map(({ path }) => path);

    const isRead = (path: string) => READS.has(path.split(' ').at(-1) ?? '');
    expect(paths.filter((path) => !isRead(path)).sort()).toEqual(Object.keys(UNLOGGED).sort());
    const taking = allCommands().filter(({ path }) => !paths.includes(path));
    expect(taking.map(({ path }) => path).filter(isRead)).toEqual([]);
  });

  test('stands in every entry that comes of it, of an organization and of the installation', async () => {
    await printed('terms', 'publish', '--version', '2099-1', '--reason', 'because of terms');
    const made = await printed(
      ...['organization', 'create', '--name', 'Acme', '--buys', '--accept-terms'],
      ...['--reason', 'because of organization'],
    );
    const [, id = ''] = /^Organization (\d+)/.exec(made) ?? [];
    const because = (...args: string[]) =>
      printed(...args, '--organization', id, '--reason', `because of ${args[0]}`);
    const [, keyId = ''] = /^Key (key_\w+)/.exec(await because('key', 'create')) ?? [];
    await because('key', 'revoke', '--id', keyId);
    await because('pricing', 'set', '--fee', '5');
    await because('pricing', 'end');
    await because('credit', 'fund', '--currency', 'USD', '--amount', '5');
    await because('approval', 'set', '--currency', 'USD', '--limit', '5');
    await because('user', 'add', '--email', 'ada@acme.example');
    await because('organization', 'suspend');
    await printed('user', 'suspend', '--email', 'ada@acme.example', '--reason', 'because of user');
    await printed('pilot', 'open', '--country', 'FR', '--channel', 'ctv', '--reason', 'because of pilot');
    await printed('keys', 'rotate', '--reason', 'because of keys');
    await printed('seed', '--reason', 'because of sandbox');

    const lines = (await printed('audit', 'list')).split('\n');

    expect(lines.length).toBeGreaterThanOrEqual(14);
    for (const line of lines) {
      const [, , tool = ''] = line.split('\t');
      // When, whose, what, its end, of what, which one, in words, who, what changed, and last why.
      expect(line.split('\t')[9]).toBe(`because of ${tool.split('_')[0]}`);
    }
  });

  test('is asked of none of them', async () => {
    await printed('pilot', 'close', '--country', 'FR', '--channel', 'ctv');

    const [line = ''] = (await printed('audit', 'list')).split('\n');

    expect(line.split('\t').slice(5, 8)).toEqual(['pilot FR ctv', 'Operator: pilot close', 'operator']);
  });
});
