import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { withStore } from '../support/callers/operator.ts';
import { allCommands, runHere } from '../support/server/command-line.ts';
import { ownPlace } from '../support/server/own-place.ts';

/** What the log of the buyer's call says, at the sellers that it takes: each has tests of its own. */
const AT_SELLERS = ['campaign cancel', 'campaign pause', 'order settle'];

const OLD = Buffer.alloc(32, 7).toString('base64');
const NEWEST = { SECRETS_KEY: Buffer.alloc(32, 8).toString('base64'), SECRETS_KEY_PREVIOUS: OLD };

/** An entry, of whichever log. */
interface Entry {
  readonly tool: string;
  readonly action: string;
  readonly resource_type: string;
  readonly changes: Readonly<Record<string, unknown>>;
}

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a field tells what it came to and, but of what was made, what it was; a secret is told to be given. */
function tells(value: unknown, isMade: boolean): boolean {
  if (value === '[secret]') return true;
  return isFields(value) && 'to' in value && (isMade || 'from' in value);
}

/** The fields of an entry that say half of it; the entry by itself where it says nothing. */
function halfSaid({ tool, action, resource_type, changes }: Entry): string[] {
  const fields = Object.entries(changes);
  if (fields.length === 0) return [`${tool} of ${resource_type} says nothing`];
  const isMade = action === 'CREATE';
  return fields.flatMap(([name, value]) => (tells(value, isMade) ? [] : [`${tool}: ${name} says half`]));
}

describe('what an entry of the operator says', () => {
  const place = ownPlace();
  const { printed } = place;
  let told: readonly Entry[];
  const walked = new Set<string>();

  /** The newest entries of both logs, the last first. */
  const entries = () =>
    withStore(place.settings, async ({ db }) => {
      const columns = ['tool', 'action', 'resource_type', 'changes', 'id'] as const;
      const own = await db.selectFrom('installation_log').select(columns).orderBy('id').execute();
      const others = await db
        .withoutPlugins()
        .selectFrom('audit_logs')
        .select(columns)
        .where('surface', '=', 'operator')
        .orderBy('id')
        .execute();
      return [...own, ...others].map(
        ({ changes, ...entry }): Entry => ({ ...entry, changes: JSON.parse(changes ?? '{}') }),
      );
    });
  const of = (tool: string, type?: string) =>
    told
      .filter((entry) => entry.tool === tool && (type ?? entry.resource_type) === entry.resource_type)
      .map(({ changes }) => changes);

  /** Does what changes something, and notes which command did. */
  async function done(command: string, ...options: string[]): Promise<string> {
    walked.add(command);
    return printed(...command.split(' '), ...options);
  }

  beforeAll(async () => {
    await done('terms publish', '--version', '2099-1');
    const said = await done('organization create', '--name', 'Acme', '--domain', 'acme.example', '--buys');
    const [, id = ''] = /^Organization (\d+)/.exec(said) ?? [];
    const [, account = ''] = /^Account (\d+)/m.exec(said) ?? [];
    const its = ['--organization', id];
    await done('account create', ...its, '--name', 'Shop', '--role', 'SELLER');
    for (const command of ['verify-domain', 'unverify-domain'])
      await done(`organization ${command}`, ...its, '--domain', 'acme.example');
    await organizationAndPeople(its);
    await access(its, account);
    await money(its);
    await installation();
    told = await entries();
  });

  async function organizationAndPeople(its: readonly string[]): Promise<void> {
    await done('organization suspend', ...its);
    await done('organization resume', ...its);
    for (const words of ['alpha on', 'admission waitlisted', 'admission admitted']) {
      const [command = '', state = ''] = words.split(' ');
      await done(`organization ${command}`, state, ...its);
    }
    await done('terms accept', ...its);
    const ada = ['--email', 'ada@acme.example'];
    await done('user add', ...its, ...ada);
    await done('user add', ...its, ...ada, '--role', 'ADMIN');
    await done('user suspend', ...ada);
    await done('user resume', ...ada);
    for (const _link of [1, 2]) await done('admin link', ...its);
    const provider = [...its, '--domain', 'acme.example'];
    const set = (issuer: string, client: string, given: string) =>
      done('provider set', ...provider, '--issuer', issuer, '--client-id', client, '--client-secret', given);
    await set('https://one.example', 'cid1', 'hidden-one');
    await set('https://other.example', 'cid2', 'hidden-one');
    await set('https://other.example', 'cid2', 'hidden-two');
    walked.add('secrets rotate');
    const rotated = await runHere({ ...place.settings, ...NEWEST }, ['secrets', 'rotate']);
    expect(rotated.code).toBe(0);
    await done('provider remove', ...provider);
  }

  async function access(its: readonly string[], account: string): Promise<void> {
    const [, key = ''] = /^Key (key_\w+)/.exec(await done('key create', ...its, '--account', account)) ?? [];
    const grant = [...its, '--holder', `api_key:${key}`, '--account', account];
    await done('grant add', ...grant);
    await done('grant remove', ...grant, '--last');
    await done('key revoke', ...its, '--id', key);
    const file = join(place.database.folder, 'keys.csv');
    const columns = 'organization,account,name,key,hash,email,permissions,expires';
    writeFileSync(file, `${columns}\n${its[1]},${account},Nightly,,${'a'.repeat(64)},,,2999-01-01\n`);
    await done('legacy-key import', file);
    await done('oauth client add', '--name', 'By hand', '--redirect-uri', 'https://app.example/back');
  }

  async function money(its: readonly string[]): Promise<void> {
    const dollars = [...its, '--currency', 'USD'];
    await done('credit fund', ...dollars, '--amount', '5');
    await done('credit set', ...dollars, '--limit', '7');
    await done('approval set', ...dollars, '--limit', '5');
    await done('approval end', ...dollars);
    await done('pricing set', ...its, '--fee', '5');
    await done('pricing end', ...its);
  }

  async function installation(): Promise<void> {
    for (const state of ['open', 'close']) {
      await done(`admission ${state}`, 'buyers');
      await done(`pilot ${state}`, '--country', 'FR', '--channel', 'ctv');
    }
    const nike = ['--domain', 'nike.example'];
    await done('brand set', ...nike, '--name', 'Nike');
    await done('brand set', ...nike, '--name', 'Nike2', '--unregistered');
    await done('brand remove', ...nike);
    for (const _pair of [1, 2]) await done('keys rotate');
    await done('seed');
  }

  test('was asked of every command that a log tells of', () => {
    const taking = allCommands().filter(({ options }) => options.some(({ flag }) => flag === '--reason'));
    const paths = taking.map(({ path }) => path.split(' <')[0] ?? path);

    expect([...walked, ...AT_SELLERS].sort()).toEqual(paths.sort());
    const tools = new Set(told.map(({ tool }) => tool));
    const ofSeed = (path: string) => (path === 'seed' ? 'sandbox' : path);
    const silent = [...walked].filter((path) => !tools.has(ofSeed(path).split(' ').slice(0, 2).join('_')));
    expect(silent).toEqual([]);
  });

  test('is what each field was and is, and of what was made what it is', () => {
    expect(told.flatMap(halfSaid)).toEqual([]);
  });

  test('of an identity provider is the issuer that it replaces, and that the secret was given anew', () => {
    const domain = 'acme.example';
    const [first, second, third] = of('provider_set', 'ORGANIZATION');

    expect(first).toEqual({
      identityProvider: { from: null, to: domain },
      issuer: { from: null, to: 'https://one.example' },
      clientId: { from: null, to: 'cid1' },
      clientSecret: '[secret]',
    });
    expect(second).toEqual({
      identityProvider: { from: domain, to: domain },
      issuer: { from: 'https://one.example', to: 'https://other.example' },
      clientId: { from: 'cid1', to: 'cid2' },
    });
    expect(third).toEqual({ identityProvider: { from: domain, to: domain }, clientSecret: '[secret]' });
    expect(of('provider_remove')).toEqual([
      {
        identityProvider: { from: domain, to: null },
        issuer: { from: 'https://other.example', to: null },
        clientId: { from: 'cid2', to: null },
      },
    ]);
    expect(JSON.stringify(told)).not.toMatch(/hidden-(?:one|two)/);
  });

  test('of a brand that was known is what is another, and that it is known no more', () => {
    expect(of('brand_set')).toEqual([
      { name: { from: null, to: 'Nike' }, registered: { from: null, to: true } },
      { name: { from: 'Nike', to: 'Nike2' }, registered: { from: true, to: false } },
    ]);
    expect(of('brand_remove')).toEqual([{ known: { from: true, to: false } }]);
  });

  test('of an organization and of each of its accounts is how it was made', () => {
    expect(of('organization_create')).toEqual([
      {
        name: { to: 'Acme' },
        domain: { to: 'acme.example' },
        tier: { to: 'standard' },
        roles: { to: ['BUYER'] },
      },
      { name: { to: 'Acme' }, role: { to: 'BUYER' } },
    ]);
    expect(of('account_create')).toEqual([{ name: { to: 'Shop' }, role: { to: 'SELLER' } }]);
  });

  test('of keys is which one was before, and how much was encrypted with it', () => {
    const [first, second] = of('keys_rotate').map(({ signsWith }) => signsWith);
    expect(first).toMatchObject({ from: null });
    expect(second).toMatchObject({ from: isFields(first) ? first['to'] : '' });
    const [rotated] = of('secrets_rotate');
    expect(rotated).toMatchObject({ encrypted: { from: 0, to: 1 } });
    expect(rotated?.['encryptedWith']).toMatchObject({ from: [expect.any(String)] });
  });

  test('of a link for an administrator is whether one was open that it ends', () => {
    expect(of('admin_link')).toEqual([
      { administratorLink: { from: null, to: 'made' } },
      { administratorLink: { from: 'open', to: 'made anew' } },
    ]);
  });
});
