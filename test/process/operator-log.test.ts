import { describe, expect, test } from 'vitest';
import { withStore } from '../support/callers/operator.ts';
import { ownPlace } from '../support/server/own-place.ts';

/** What the operator does to everybody at once, and what the log says of it. */
const DEEDS: readonly (readonly [readonly string[], readonly string[]])[] = [
  [
    ['admission', 'open', 'buyers'],
    ['admission_open', 'succeeded', 'ADMISSION', 'buyers'],
  ],
  [
    ['admission', 'close', 'buyers'],
    ['admission_close', 'succeeded', 'ADMISSION', 'buyers'],
  ],
  [
    ['pilot', 'open', '--country', 'FR', '--channel', 'ctv'],
    ['pilot_open', 'succeeded', 'ADMISSION', 'pilot FR ctv'],
  ],
  [
    ['pilot', 'close', '--country', 'FR', '--channel', 'ctv'],
    ['pilot_close', 'succeeded', 'ADMISSION', 'pilot FR ctv'],
  ],
  [
    ['terms', 'publish', '--version', '2099-1'],
    ['terms_publish', 'succeeded', 'TERMS', '2099-1'],
  ],
  [
    ['keys', 'rotate'],
    ['keys_rotate', 'succeeded', 'SIGNING_KEY'],
  ],
  [
    ['oauth', 'client', 'add', '--name', 'By hand', '--redirect-uri', 'https://app.example/back'],
    ['oauth_client', 'succeeded', 'OAUTH_CLIENT'],
  ],
];

describe('the log of the installation', () => {
  const place = ownPlace();
  const { printed, rialto } = place;

  test('tells of each deed that concerns every organization, the newest first', async () => {
    for (const [args] of DEEDS) await printed(...args);

    const lines = (await printed('audit', 'list')).split('\n');

    expect(lines).toHaveLength(DEEDS.length);
    for (const [index, [, words]] of DEEDS.entries()) {
      const [moment, whose, ...said] = (lines[DEEDS.length - 1 - index] ?? '').split('\t');
      expect(moment).toMatch(/^\d{4}-\d\d-\d\dT/);
      expect(whose).toBe('installation');
      expect(said.slice(0, words.length)).toEqual(words);
    }
  });

  test('shows beside them what the operator did to organizations, which their own log keeps', async () => {
    const made = await printed('organization', 'create', '--name', 'Acme', '--buys');
    const [, id = ''] = /^Organization (\d+)/.exec(made) ?? [];
    await printed('user', 'add', '--organization', id, '--email', 'ada@acme.example');
    await printed('user', 'suspend', '--email', 'ada@acme.example');
    await printed(
      ...['provider', 'set', '--organization', id, '--domain', 'acme.example'],
      ...['--issuer', 'https://login.acme.example', '--client-id', 'x', '--client-secret', 'hidden-secret'],
    );

    const all = await printed('audit', 'list');
    const own = await printed('audit', 'list', '--organization', id);

    const toolsOf = (text: string, column: number) =>
      text.split('\n').map((line) => line.split('\t')[column]);
    // The provider, and the domain that it is believed for.
    const last = ['provider_set', 'provider_set', 'user_suspend', 'user_add'];
    expect(toolsOf(all, 2).slice(0, last.length)).toEqual(last);
    expect(all).toContain(`organization ${id}\tprovider_set`);
    expect(all).toContain('installation\tuser_suspend');
    expect(toolsOf(own, 1)).toContain('provider_set');
    expect(toolsOf(own, 1)).not.toContain('user_suspend');
    expect(all).not.toContain('hidden-secret');
  });

  test('has no entry of what was not done', async () => {
    const before = await printed('audit', 'list');
    const { stdout } = await rialto('pilot', 'close', '--country', 'DE', '--channel', 'ctv');
    const again = await rialto('terms', 'publish', '--version', '2099-1');

    expect([stdout, again.code]).toEqual(['Unchanged: pilot: DE ctv closed\n', 1]);
    expect(await printed('audit', 'list')).toBe(before);
  });

  test('holds what changed, and is written with the deed or not at all', async () => {
    await printed('admission', 'open', 'plans');

    const rows = await withStore(place.settings, ({ db }) =>
      db.selectFrom('installation_log').selectAll().orderBy('id', 'desc').limit(1).execute(),
    );

    expect(rows[0]).toMatchObject({ tool: 'admission_open', resource_id: 'plans', action: 'UPDATE' });
    expect(rows[0]?.changes).toBe('{"open":{"from":false,"to":true}}');
  });
});
