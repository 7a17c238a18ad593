import { beforeAll, describe, expect, test } from 'vitest';
import { ownPlace } from '../support/server/own-place.ts';

/** Of organization 1, which buys. */
const OF_IT = ['--organization', '1'];
const IN_USD = [...OF_IT, '--currency', 'USD'];
const MARKET = ['--country', 'FR', '--channel', 'ctv'];
const ADA = ['--email', 'ada@acme.example'];

/** In an order in which each finds what it needs. */
const COMMANDS: readonly (readonly string[])[] = [
  ['terms', 'accept', ...OF_IT],
  ['credit', 'set', ...IN_USD, '--limit', '500'],
  ['credit', 'fund', ...IN_USD, '--amount', '5', '--reference', 'wire-1'],
  ['pricing', 'set', ...OF_IT, '--fee', '5'],
  ['approval', 'set', ...IN_USD, '--limit', '100'],
  ['approval', 'end', ...IN_USD],
  ['user', 'add', ...OF_IT, ...ADA, '--role', 'ADMIN'],
  ['user', 'suspend', ...ADA],
  ['user', 'resume', ...ADA],
  ['pilot', 'open', ...MARKET],
  ['admission', 'open', 'buyers'],
  ['admission', 'close', 'buyers'],
  ['organization', 'alpha', 'on', ...OF_IT],
  ['organization', 'alpha', 'off', ...OF_IT],
  ['organization', 'admission', 'waitlisted', ...OF_IT],
  ['organization', 'admission', 'admitted', ...OF_IT],
  ['brand', 'set', '--domain', 'brand.example', '--name', 'Brand'],
  ['pilot', 'close', ...MARKET],
  ['pricing', 'end', ...OF_IT],
];

describe('a command of the operator that is given twice', () => {
  const { printed } = ownPlace();
  const logged = async () => (await printed('audit', 'list')).split('\n').length;

  beforeAll(async () => {
    await printed('terms', 'publish', '--version', '1');
    await printed('organization', 'create', '--name', 'Acme', '--buys');
  });

  test('says that it changed something, and then that nothing is changed and nothing logged', async () => {
    for (const command of COMMANDS) {
      const first = await printed(...command);
      const before = await logged();

      const second = await printed(...command);

      expect([command, second]).toEqual([command, `Unchanged: ${first}`]);
      expect([command, await logged()]).toEqual([command, before]);
    }
  });

  test('says of what it takes away that there is none any more, and logs nothing', async () => {
    const provider = [...OF_IT, '--domain', 'corp.example'];
    const login = ['--issuer', 'https://login.corp.example', '--client-id', 'c', '--client-secret', 'hush'];
    await printed('provider', 'set', ...provider, ...login);
    await printed('brand', 'set', '--domain', 'pens.example', '--name', 'Pens');
    const [, key = ''] = /^Key (key_\w+)/.exec(await printed('key', 'create', ...OF_IT)) ?? [];
    const removals: readonly (readonly [command: readonly string[], said: RegExp])[] = [
      [['brand', 'remove', '--domain', 'pens.example'], /^Unchanged: pens\.example is not known$/],
      [
        ['provider', 'remove', ...provider],
        /^Unchanged: organization 1 has no identity provider for corp\.example$/,
      ],
      [['key', 'revoke', ...OF_IT, '--id', key], new RegExp(`^Unchanged: ${key} was revoked 20\\S+Z$`)],
    ];

    for (const [command, said] of removals) {
      expect(await printed(...command)).not.toContain('Unchanged');
      const before = await logged();

      expect(await printed(...command)).toMatch(said);
      expect([command, await logged()]).toEqual([command, before]);
    }
  });
});
