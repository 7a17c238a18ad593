import { describe, expect, test } from 'vitest';
import { makeScope } from '../../store/engine/scope.ts';
import { spokenDomain } from '../../tools/domain/organizations/spoken-domain.ts';
import { withStore } from '../support/callers/operator.ts';
import { ownPlace } from '../support/server/own-place.ts';

describe('the domain of an organization', () => {
  const place = ownPlace();
  const ISSUER = 'https://login.acme.example';
  const { printed, refused } = place;
  const made = (name: string, domain: string, ...more: string[]) =>
    printed('organization', 'create', '--buys', '--name', name, '--domain', domain, ...more);
  const idIn = (said: string) => /^Organization (\d+)/.exec(said)?.[1] ?? '';
  const say = (verb: 'verify' | 'unverify', organization: string, domain: string) =>
    ['organization', `${verb}-domain`, '--organization', organization, '--domain', domain] as const;
  const listed = async (id: string) =>
    (await printed('organization', 'list')).split('\n').find((line) => line.startsWith(`${id}\t`));
  /** What sellers are told for an organization. */
  const spoken = (id: string) =>
    withStore(place.settings, ({ db }) =>
      spokenDomain(db, makeScope({ organizationId: Number(id), customerId: 0 })),
    );
  const entries = async (command: string) =>
    (await printed('audit', 'list')).split('\n').filter((line) => line.includes(`\t${command}\t`));

  test('that others were made with is made with a warning, but below one of them without', async () => {
    const first = idIn(await made('One', 'warned.example'));

    expect(await made('Two', 'Warned.Example')).toContain(
      `\nwarned.example was given to organization ${first} too, and sellers are told it for each: ` +
        'organization verify-domain says whose it is.',
    );
    const below = await made('Alone', 'alone.example');
    expect(below).not.toContain('alone.example');
    expect(await made('Branch', 'alone.example', '--parent', idIn(below))).not.toContain('alone.example');
  });

  test('that is verified for one is told of no other that was made with it, and said and listed so', async () => {
    const first = idIn(await made('First', 'verified.example'));
    const branch = idIn(await made('Branch', 'verified.example', '--parent', first));
    const other = idIn(await made('Other', 'verified.example'));

    expect(await printed(...say('verify', first, 'verified.example'))).toBe(
      `verified.example is of organization ${first}\n` +
        `Sellers are told it no more for organization ${other}, which was made with it.`,
    );
    expect(await printed(...say('verify', first, 'verified.example'))).toMatch(
      `Unchanged: verified.example is of organization ${first}\n`,
    );
    expect(await listed(first)).toMatch(/\tverified\.example verified$/);
    expect(await listed(branch)).toContain(`\tverified.example verified for ${first}\t`);
    expect(await listed(other)).toMatch(new RegExp(`\tverified\\.example verified for ${first}$`));
    expect([await spoken(first), await spoken(branch), await spoken(other)]).toEqual([
      'verified.example',
      'verified.example',
      null,
    ]);
  });

  test('that was verified for the wrong one is taken back, once and in the log, and verified for its owner', async () => {
    const owner = idIn(await made('Owner', 'wrong.example'));
    const wrong = idIn(await made('Wrong', 'its-own.example'));
    await printed(
      ...['provider', 'set', '--organization', wrong, '--domain', 'wrong.example', '--issuer', ISSUER],
      ...['--client-id', 'c', '--client-secret', 's'],
    );
    expect(await listed(wrong)).toMatch(/\tits-own\.example; wrong\.example verified$/);
    const way = `organization unverify-domain --organization ${wrong} --domain wrong.example.`;
    expect(await refused(...say('verify', owner, 'wrong.example'))).toContain(way);
    expect(
      await refused('organization', 'create', '--buys', '--name', 'Next', '--domain', 'wrong.example'),
    ).toContain(way);
    expect(
      await refused(
        ...['provider', 'set', '--organization', owner, '--domain', 'wrong.example', '--issuer', ISSUER],
        ...['--client-id', 'c', '--client-secret', 's'],
      ),
    ).toContain(way);
    expect(await printed(...say('unverify', owner, 'wrong.example'))).toBe(
      `Unchanged: wrong.example is not verified for organization ${owner}, but for organization ${wrong}`,
    );

    expect(await printed(...say('unverify', wrong, 'Wrong.Example'))).toBe(
      `wrong.example is verified for organization ${wrong} no more\n` +
        `Sellers are told it for organization ${owner}, which was made with it.\n` +
        `Its people sign in at ${ISSUER} no more.`,
    );
    expect(await printed(...say('unverify', wrong, 'wrong.example'))).toBe(
      `Unchanged: wrong.example is not verified for organization ${wrong}`,
    );
    expect(await entries('organization_unverify-domain')).toHaveLength(1);
    expect(await listed(wrong)).toMatch(/\tits-own\.example$/);
    expect(await spoken(owner)).toBe('wrong.example');
    expect(await printed(...say('verify', owner, 'wrong.example'))).toBe(
      `wrong.example is of organization ${owner}`,
    );
  });
});
