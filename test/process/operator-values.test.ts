import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOrganization } from '../../tools/domain/organizations/organizations.ts';
import { storeOperator, withStore } from '../support/callers/operator.ts';
import { freshDatabase, type TestDatabase } from '../support/database/database.ts';
import { allCommands, runHere } from '../support/server/command-line.ts';
import { settingsFor } from '../support/server/service.ts';

const OF_ONE = ['--organization', '1'];
const PROVIDER = [
  ...[...OF_ONE, '--domain', 'acme.example', '--issuer', 'https://login.acme.example'],
  ...['--client-id', 'c', '--client-secret', 's'],
];

/** What each command that takes values works with. One of them is then given a value that is none. */
const GOOD: Readonly<Record<string, readonly string[]>> = {
  'account create': [...OF_ONE, '--name', 'Second', '--role', 'BUYER'],
  'admin link': OF_ONE,
  'admission close': ['buyers'],
  'admission open': ['buyers'],
  'approval end': [...OF_ONE, '--currency', 'USD'],
  'approval set': [...OF_ONE, '--currency', 'USD', '--limit', '5'],
  'approval show': OF_ONE,
  'audit list': OF_ONE,
  'audit refused': OF_ONE,
  'brand remove': ['--domain', 'acme.example'],
  'brand set': ['--domain', 'acme.example', '--name', 'Acme'],
  'campaign cancel': [...OF_ONE, '--campaign', 'cmp_none'],
  'campaign list': OF_ONE,
  'campaign pause': [...OF_ONE, '--campaign', 'cmp_none'],
  'credit fund': [...OF_ONE, '--currency', 'USD', '--amount', '5'],
  'credit set': [...OF_ONE, '--currency', 'USD', '--limit', '5'],
  'credit show': OF_ONE,
  'grant add': [...OF_ONE, '--holder', 'user:1'],
  'grant list': OF_ONE,
  'grant remove': [...OF_ONE, '--holder', 'user:1', '--account', '1'],
  'key create': OF_ONE,
  'key list': OF_ONE,
  'key revoke': [...OF_ONE, '--id', 'key_none'],
  'keys rotate': [],
  'legacy-key import': ['/nope.csv'],
  'oauth client add': ['--name', 'App', '--redirect-uri', 'https://app.example/back'],
  'order list': OF_ONE,
  'order settle': ['mb_none', '--reason', 'They said so.'],
  'organization admission': ['admitted', ...OF_ONE],
  'organization alpha': ['on', ...OF_ONE],
  'organization create': ['--name', 'Acme', '--buys'],
  'organization resume': OF_ONE,
  'organization suspend': OF_ONE,
  'organization unverify-domain': [...OF_ONE, '--domain', 'acme.example'],
  'organization verify-domain': [...OF_ONE, '--domain', 'acme.example'],
  'pilot close': ['--country', 'FR', '--channel', 'ctv'],
  'pilot open': ['--country', 'FR', '--channel', 'ctv'],
  'pricing end': OF_ONE,
  'pricing list': OF_ONE,
  'pricing set': [...OF_ONE, '--fee', '5'],
  'provider list': OF_ONE,
  'provider remove': [...OF_ONE, '--domain', 'acme.example'],
  'provider set': PROVIDER,
  'secrets rotate': [],
  seed: [],
  'terms accept': OF_ONE,
  'terms publish': ['--version', '7'],
  'user add': [...OF_ONE, '--email', 'ada@acme.example'],
  'user resume': ['--email', 'ada@acme.example'],
  'user suspend': ['--email', 'ada@acme.example'],
  'webhook listen': ['--secret', 'sixteen-characters', '--port', '0'],
  'webhook send': ['https://127.0.0.1:9/', '--secret', 'sixteen-characters'],
};

const LONG = 'x'.repeat(5_000);
const NO_MOMENT = ['tomorrow', '5', '12/13/2027', '2027-02-30', '2027-01-01T00:00'];

/** What is no value of an option, whichever command has it. */
const WRONG: Readonly<Record<string, readonly string[]>> = {
  '--account': ['x', '1'.repeat(30)],
  '--advertiser': ['x'],
  '--amount': ['x', '1e3'],
  '--campaign': ['nobody', ''],
  '--cert': ['/nope.pem'],
  '--channel': ['fax'],
  '--client-id': ['', ' ', LONG],
  '--client-secret': ['', '  '],
  '--count': ['x', '0'],
  '--country': ['ZZ', ''],
  '--currency': ['Dollars'],
  '--domain': ['not a domain', '', `${LONG}.example`],
  '--effective-at': [...NO_MOMENT, ''],
  '--email': ['ada', ''],
  '--event': ['', ' ', LONG],
  '--expires': [...NO_MOMENT, '', '2020-01-01'],
  '--fee': ['x', '100'],
  '--holder': ['Ada', ''],
  '--id': ['nobody'],
  '--issuer': ['acme', ''],
  '--key': ['/nope.pem'],
  '--limit': ['x', '-1'],
  '--manifest': ['/nope.json'],
  '--name': ['', ' ', LONG, 'Ac\nme', 'Ac\tme'],
  '--organization': ['x', '0'],
  '--parent': ['x'],
  '--permissions': ['all', ''],
  '--port': ['x', '70000'],
  '--reason': ['', ' \u200b'],
  '--redirect-uri': ['nope'],
  '--reference': ['', ' ', 'a\nb'],
  '--role': ['KING'],
  '--secret': ['', 'fifteen-of-them', 'x'.repeat(257)],
  '--tier': ['gold'],
  '--url': ['notaurl', ''],
  '--version': ['', ' ', LONG, '3\n4'],
};

/** What may be any text, and why nothing else is asked of it. */
const FREE: Readonly<Record<string, string>> = {
  '--agent': 'An id of a seller; a rule for one that is not there is about nothing.',
  '--host': 'An address of the machine, which the system knows.',
  '--taken': 'What a seller calls an order; it is asked for with one that is on record.',
};

/** Values of options that take a few, where a command works without. */
const OF_A_FEW: Readonly<Record<string, string>> = {
  '--permissions': 'buyer:read',
  '--role': 'MEMBER',
  '--tier': 'basic',
};

/** The words of a program, and none for its operator. */
const RAW =
  /constraint|no result|expected |Invalid|Zod|Too (?:big|small)|[[{]\s*"|undefined|does not answer|\n\s+at /;

const valued = allCommands().flatMap(({ path, options }) =>
  options.filter(({ takesValue }) => takesValue).map(({ flag }) => ({ path, flag })),
);
const cases = valued.flatMap(({ path, flag }) =>
  (WRONG[flag] ?? []).map((value) => ({ path, flag, value, shown: JSON.stringify(value.slice(0, 20)) })),
);

function withWrong(path: string, flag: string, value: string): string[] {
  const good = [...(GOOD[path] ?? [])];
  const at = good.indexOf(flag);
  if (at !== -1) good.splice(at, 2);
  return [...path.split(' '), ...good, flag, value];
}

describe('a value that is none', () => {
  let database: TestDatabase;
  let settings: Readonly<Record<string, string>>;
  beforeAll(async () => {
    database = await freshDatabase();
    settings = settingsFor(database);
    await withStore(settings, async (store) => {
      await createOrganization(storeOperator(store), { name: 'Acme', roles: ['BUYER'] });
    });
  });
  afterAll(() => database.drop());

  test('is known for every option that takes one', () => {
    const flags = new Set(valued.map(({ flag }) => flag));

    expect([...flags].sort()).toEqual([...Object.keys(WRONG), ...Object.keys(FREE)].sort());
    expect([...new Set(valued.map(({ path }) => path))].sort()).toEqual(Object.keys(GOOD).sort());
  });

  test.each(cases)('is refused by $path in plain words: $flag $shown', async ({ path, flag, value }) => {
    const { code, stdout, stderr } = await runHere(settings, withWrong(path, flag, value));

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^\S.{10,400}\.\n$/);
    expect(stderr).not.toMatch(RAW);
  });

  test.each(valued.filter(({ flag }) => flag !== '--redirect-uri'))(
    'of $path is taken once: $flag given twice is refused',
    async ({ path, flag }) => {
      const good = GOOD[path] ?? [];
      const value = good[good.indexOf(flag) + 1] ?? '';
      const once = [flag, good.includes(flag) ? value : (OF_A_FEW[flag] ?? '1')];

      const { code, stdout, stderr } = await runHere(settings, [...path.split(' '), ...once, ...once]);

      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain(`'${flag} `);
      expect(stderr).toMatch(/is given twice\. Call once for each\.\n$/);
    },
  );
});
