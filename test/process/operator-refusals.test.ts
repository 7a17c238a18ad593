import { describe, expect, test } from 'vitest';
import { ownPlace } from '../support/server/own-place.ts';
import { runCommand } from '../support/server/service.ts';

describe('the operator’s command line', () => {
  const place = ownPlace();

  test.each([
    ['an organization without a side', ['organization', 'create', '--name', 'None'], /--buys, --sells/],
    ['a key for nobody', ['key', 'create'], /--organization or --sandbox/],
    ['a key of no organization', ['key', 'create', '--organization', '99999'], /No such organization/],
    ['an unknown permission', ['key', 'create', '--permissions', 'all'], /"all" is no permission/],
    [
      'a permission twice',
      ['key', 'create', '--permissions', 'buyer:read,buyer:read'],
      /Give each permission once/,
    ],
    ['an id that is none', ['key', 'list', '--organization', 'x'], /"x" is not an id. Give the number/],
    [
      'an address that is none',
      ['user', 'add', '--organization', '1', '--email', 'ada', '--name', 'Ada'],
      /Give an e-mail address/,
    ],
    [
      'an issuer that is no address',
      [
        ...['provider', 'set', '--organization', '1', '--domain', 'acme.example'],
        ...['--issuer', 'acme', '--client-id', 'c', '--client-secret', 's'],
      ],
      /acme is no issuer/,
    ],
    ['an administrator of nothing', ['admin', 'link'], /no sandbox organization here/],
    ['an unknown command', ['fly'], /unknown command/],
  ])('refuses %s in one line and without a stack trace', async (_what, args, words) => {
    expect(await place.refused(...args)).toMatch(words);
  });

  test.each([
    ['what a command is given', ['key', 'create', '--organization', '99999'], /No such organization/],
    ['an unknown command', ['fly'], /unknown command/],
  ])('refuses %s so as a process too', async (_what, args, words) => {
    const { code, stdout, stderr } = await runCommand('rialto.js', { ...place.launch, args });

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(words);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});
