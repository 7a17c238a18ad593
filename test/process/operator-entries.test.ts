import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { withStore } from '../support/callers/operator.ts';
import { freshDatabase, type TestDatabase } from '../support/database/database.ts';
import { runHere } from '../support/server/command-line.ts';
import { killServices, settingsFor, startService } from '../support/server/service.ts';

describe('the operator’s entries', () => {
  let database: TestDatabase;
  let settings: Readonly<Record<string, string>>;
  beforeAll(async () => {
    database = await freshDatabase();
    settings = settingsFor(database);
  });
  afterEach(() => killServices());
  afterAll(() => database.drop());

  const rialto = (...args: string[]) => runHere(settings, args);
  async function printed(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await rialto(...args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout.trim();
  }
  async function refused(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await rialto(...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    return stderr.trim();
  }
  const idIn = (said: string) => /^Organization (\d+)/.exec(said)?.[1] ?? '';
  const termsIn = (log: string) => log.split('\n').filter((line) => line.includes('\tTERMS\t'));

  test('of the terms: the setting is published by the start of the service, once and in the log, by no command', async () => {
    await runHere({ ...settings, TERMS_VERSION: '9' }, ['organization', 'list']);
    const none = await refused(...['organization', 'create', '--name', 'Early', '--buys', '--accept-terms']);
    expect(none).toMatch(/^No terms of service are in force\. Start the service once/);
    expect(await printed('organization', 'list')).toBe('There are no organizations yet.');

    for (const _start of [1, 2]) {
      const service = await startService({ folder: database.folder, settings });
      service.signal('SIGTERM');
      await service.ended;
    }

    const entries = termsIn(await printed('audit', 'list'));
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatch(/\tinstallation\tserve\tsucceeded\tTERMS\t1\t/);
    const made = await printed('organization', 'create', '--name', 'Now', '--buys', '--accept-terms');
    expect(made).toContain('Terms accepted: 1');
  });

  test('of the terms: a version that would never be in force is refused, a day is midnight in UTC', async () => {
    await printed('terms', 'publish', '--version', '2');

    expect(
      await refused('terms', 'publish', '--version', '3', '--effective-at', '2020-01-01T00:00:00Z'),
    ).toMatch(/^Version 3 would never be in force: version 2 is from 20\S+Z on\. Leave --effective-at out/);
    expect(await printed('terms', 'publish', '--version', '3', '--effective-at', '2999-01-01')).toBe(
      'Terms 3: in force from 2999-01-01T00:00:00.000Z',
    );
    expect(await refused('terms', 'publish', '--version', '2b', '--effective-at', '2020-01-01')).toMatch(
      /never/,
    );
  });

  test('of organizations: a domain is kept as REST keeps it, and one that is verified elsewhere is refused', async () => {
    const create = ['organization', 'create', '--buys', '--name'];
    const first = idIn(await printed(...create, 'First', '--domain', 'https://Acme.Example/about'));
    const second = idIn(await printed(...create, 'Second', '--domain', 'acme.example'));
    await printed('organization', 'verify-domain', '--organization', first, '--domain', 'acme.example');

    expect(await refused(...create, 'Third', '--domain', 'ACME.example')).toMatch(
      new RegExp(`^The domain acme\\.example is verified for organization ${first}, and belongs to one`),
    );
    expect(await refused(...create, 'Mail', '--domain', 'gmail.com')).toMatch(/Anybody can have a mailbox/);
    await printed(...create, 'Below', '--domain', 'acme.example', '--parent', first);
    await printed('organization', 'alpha', 'on', '--organization', second);
    await printed('organization', 'admission', 'waitlisted', '--organization', second);
    await printed('organization', 'suspend', '--organization', second);

    const listed = await printed('organization', 'list');
    expect(listed).toMatch(new RegExp(`^${first}\tFirst\t.* BUYER First\tacme\\.example verified$`, 'm'));
    expect(listed).toMatch(
      new RegExp(
        `^${second}\tSecond\t.*\tacme\\.example verified for ${first}\tsuspended 20\\S+Z, waitlisted, alpha$`,
        'm',
      ),
    );
    expect(listed).toMatch(new RegExp(`\tBelow\t.*\tbelow ${first}$`, 'm'));
  });

  test('of keys: one says when it expires, and is live no longer than that', async () => {
    const id = idIn(await printed('organization', 'create', '--name', 'Keys', '--buys'));
    const key = ['key', 'create', '--organization', id, '--name'];
    await printed(...key, 'Ends', '--expires', '2999-01-01');
    await printed(...key, 'Over', '--expires', '2999-01-01T00:00:00+02:00');
    await printed(...key, 'Stays');
    await overNow('Over');

    const listed = (await printed('key', 'list', '--organization', id)).split('\n');
    const lineOf = (name: string) => listed.find((line) => line.includes(`\t${name}\t`));
    expect(lineOf('Ends')).toMatch(/\tlive\tnever used\texpires 2999-01-01T00:00:00\.000Z$/);
    expect(lineOf('Over')).toMatch(/\texpired 2020-01-01T00:00:00\.000Z\tnever used$/);
    expect(lineOf('Stays')).toMatch(/\tlive\tnever used$/);
  });

  test('of keys: one of an organization and of the sandbox at once is refused, and made for neither', async () => {
    const id = idIn(await printed('organization', 'create', '--name', 'Both', '--buys'));

    expect(await refused('key', 'create', '--sandbox', '--organization', id)).toBe(
      'Give --organization or --sandbox, not both. ' +
        'A test key of an organization is made with --organization and --test.',
    );
    expect(await refused('key', 'create')).toBe('Give --organization or --sandbox.');
    expect(await printed('key', 'list', '--organization', id)).toBe('There are no keys yet.');
  });

  /** Time passes, for a key. */
  const overNow = (name: string) =>
    withStore(settings, ({ db }) =>
      db
        .withoutPlugins()
        .updateTable('api_keys')
        .set({ expires_at: '2020-01-01T00:00:00.000Z' })
        .where('name', '=', name)
        .execute(),
    );
});
