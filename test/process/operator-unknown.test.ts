import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshDatabase, type TestDatabase } from '../support/database/database.ts';
import { allCommands, runHere } from '../support/server/command-line.ts';
import { settingsFor } from '../support/server/service.ts';

/** What else each command needs to come as far as asking for its organization. */
const REST: Readonly<Record<string, readonly string[]>> = {
  'account create': ['--name', 'Second', '--role', 'BUYER'],
  'admin link': [],
  'approval end': ['--currency', 'USD'],
  'approval set': ['--currency', 'USD', '--limit', '5'],
  'approval show': [],
  'audit list': [],
  'audit refused': [],
  'campaign cancel': ['--all'],
  'campaign list': [],
  'campaign pause': ['--all'],
  'credit fund': ['--currency', 'USD', '--amount', '5'],
  'credit set': ['--currency', 'USD', '--limit', '5'],
  'credit show': [],
  'grant add': ['--holder', 'user:1', '--account', '1'],
  'grant list': [],
  'grant remove': ['--holder', 'user:1', '--account', '1'],
  'key create': [],
  'key list': [],
  'key revoke': ['--id', 'key_none'],
  'order list': [],
  'organization admission': ['admitted'],
  'organization alpha': ['on'],
  'organization resume': [],
  'organization suspend': [],
  'organization unverify-domain': ['--domain', 'acme.example'],
  'organization verify-domain': ['--domain', 'acme.example'],
  'pricing end': [],
  'pricing list': [],
  'pricing set': ['--fee', '5'],
  'provider list': [],
  'provider remove': ['--domain', 'acme.example'],
  'provider set': [
    ...['--domain', 'acme.example', '--issuer', 'https://login.acme.example'],
    ...['--client-id', 'c', '--client-secret', 's'],
  ],
  'terms accept': [],
  'user add': ['--email', 'ada@acme.example'],
};

describe('an organization unknown', () => {
  let database: TestDatabase;
  let settings: Readonly<Record<string, string>>;
  beforeAll(async () => {
    database = await freshDatabase();
    settings = settingsFor(database);
    expect(await runHere(settings, ['terms', 'publish', '--version', '1'])).toMatchObject({ code: 0 });
  });
  afterAll(() => database.drop());

  test('is asked of every command that takes one', () => {
    const taking = allCommands().filter(({ options }) =>
      options.some(({ flag }) => flag === '--organization'),
    );

    expect(taking.map(({ path }) => path).sort()).toEqual(Object.keys(REST).sort());
  });

  test.each(Object.keys(REST))('is named as unknown by %s', async (path) => {
    const args = [...path.split(' '), '--organization', '99', ...(REST[path] ?? [])];

    expect(await runHere(settings, args)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'No such organization. Find it with npm run rialto -- organization list.\n',
    });
  });

  test('is named as unknown where it is to stand above a new one', async () => {
    const args = ['organization', 'create', '--name', 'Below', '--buys', '--parent', '99'];

    expect(await runHere(settings, args)).toMatchObject({
      code: 1,
      stderr: 'No such organization. Find it with npm run rialto -- organization list.\n',
    });
  });
});
