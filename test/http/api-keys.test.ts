import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeApiKey } from '../../adapters/ports/keys.ts';
import { listApiKeys, type permissions, revokeApiKey } from '../../store/api-keys.ts';
import { makeTenant } from '../../store/engine/scope.ts';
import { giveGrant, takeGrant } from '../../tools/domain/organizations/grants.ts';
import { createKey, type NewKey } from '../../tools/domain/organizations/keys.ts';
import { createAccount } from '../../tools/domain/organizations/organizations.ts';
import { clientFor, type Reply } from '../support/callers/client.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { expectRefusal } from '../support/callers/refusals.ts';
import { engine } from '../support/database/database.ts';
import { type ManualClock, manualClock, START } from '../support/run/clock.ts';
import { eventually } from '../support/run/eventually.ts';
import { done, newAdvertiser } from '../support/sellers/market.ts';
import { expectEnvelope } from '../support/server/envelope.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const SHAPE = /^rialtok_(live|test)_[0-9A-Za-z]{46}$/;

describe('an organization API key', () => {
  let server: TestServer;
  let clock: ManualClock;
  let person: Person;
  beforeAll(async () => {
    clock = manualClock();
    server = await startTestServer({ clock });
    person = await newPerson(server);
  });
  afterAll(() => server.stop());

  const makeKey = (changes: Partial<NewKey> = {}) =>
    createKey(server.operator, {
      organizationId: person.organizationId,
      name: 'Test',
      permissions: ['buyer:read', 'buyer:write'],
      ...changes,
    });

  const sendAs = (authorization: string | undefined) =>
    clientFor(server.url).send('/buyer/advertisers', {
      headers: authorization === undefined ? {} : { authorization },
    });

  /** The first call notes its use, the second reads the key again, and the third finds it remembered. */
  const useUntilRemembered = async (holder: Person) => {
    for (let count = 0; count < 3; count += 1)
      expect((await holder.get('/buyer/advertisers')).status).toBe(200);
  };
  const expectKnown = async (value: string) => {
    for (let count = 0; count < 3; count += 1) expect((await sendAs(`Bearer ${value}`)).status).toBe(200);
  };

  const expectRefused = (reply: Reply) => {
    expectEnvelope(reply);
    expectRefusal(reply, 401, {
      code: 'UNAUTHORIZED',
      words:
        /^The (credential is unknown, expired or revoked|Authorization header is not of the form “Bearer <key>”)\.$/,
    });
    expect(reply.headers.get('www-authenticate')).toMatch(
      /^Bearer realm="api", error="invalid_token", error_description="[^"]+", resource_metadata="[^"]+"$/,
    );
  };

  test('opens what its permissions say, as a bearer token', async () => {
    const { value } = await makeKey();

    expect((await sendAs(`Bearer ${value}`)).status).toBe(200);
    expect((await sendAs(`bearer   ${value}`)).status).toBe(200);
  });

  test('has the prefix of the brand and its environment, and characters that check it', async () => {
    const { value: live } = await makeKey();
    const { value: trial } = await makeKey({ environment: 'test' });

    expect(live).toMatch(SHAPE);
    expect(trial).toMatch(/^rialtok_test_/);
    expect(makeApiKey('acme', 'live')).toMatch(/^acmek_live_/);
    const swapped = `${live.slice(0, -1)}${live.endsWith('A') ? 'B' : 'A'}`;
    expectRefused(await sendAs(`Bearer ${swapped}`));
  });

  test('without one the challenge names no error', async () => {
    const reply = await sendAs(undefined);

    expectEnvelope(reply);
    expect(reply.status).toBe(401);
    expect(reply.headers.get('www-authenticate')).toMatch(/^Bearer realm="api", resource_metadata="[^"]+"$/);
  });

  test.each([
    ['well made, but of nobody', () => `Bearer ${makeApiKey('rialto', 'live')}`],
    ['of another brand', () => `Bearer ${makeApiKey('other', 'live')}`],
    ['in another scheme', () => 'Basic cmlhbHRvOnNlY3JldA=='],
    ['a scheme alone', () => 'Bearer'],
    ['nonsense', () => 'Bearer !!'],
    ['two tokens', () => 'Bearer a b'],
    ['very long', () => `Bearer ${'x'.repeat(8_000)}`],
    ['an injection', () => "Bearer ' or 1=1 --"],
  ])('is refused with 401 when it is %s', async (_what, authorization) => {
    expectRefused(await sendAs(authorization()));
  });

  test('is refused from the moment on that it expires', async () => {
    const { value } = await makeKey({ expiresAt: new Date(clock.now() + 60_000).toISOString() });

    clock.advance(59_999);
    await expectKnown(value);
    clock.advance(1);
    expectRefused(await sendAs(`Bearer ${value}`));
  });

  test('is refused from the moment on that it is revoked; the others live on', async () => {
    const { id, value } = await makeKey();
    const { value: other } = await makeKey();
    await expectKnown(value);

    await revokeApiKey(server.store.db, makeTenant(person.organizationId), {
      id,
      now: new Date(clock.now()).toISOString(),
    });

    expectRefused(await sendAs(`Bearer ${value}`));
    expect((await sendAs(`Bearer ${other}`)).status).toBe(200);
  });

  test('says the same of a key that is unknown, expired or revoked', async () => {
    const expired = await makeKey({ expiresAt: new Date(START - 1).toISOString() });

    const [one, two] = [
      await sendAs(`Bearer ${expired.value}`),
      await sendAs(`Bearer ${makeApiKey('rialto', 'live')}`),
    ];

    expect(one.text).toBe(two.text);
  });

  test('works where a key works: REST and MCP, never in the query', async () => {
    const { value } = await makeKey();

    const inQuery = await clientFor(server.url).get(`/buyer/advertisers?access_token=${value}`);

    expect(inQuery.status).toBe(401);
  });

  describe('with one permission', () => {
    const may = async (permission: (typeof permissions)[number]) => {
      const holder = await person.withKey([permission]);
      const read = await holder.get('/buyer/advertisers');
      const write = await holder.post('/buyer/advertisers', {});
      // 400: the permission passed, the input did not.
      return { read: read.status === 200, write: write.status === 400 };
    };

    test.each([
      ['buyer:read', { read: true, write: false }],
      ['buyer:write', { read: true, write: true }],
      ['buyer:admin', { read: true, write: true }],
      ['account:admin', { read: false, write: false }],
    ] as const)('%s reads and writes: %o', async (permission, expected) => {
      expect(await may(permission)).toEqual(expected);
    });
  });

  describe('in the database', () => {
    test('is its SHA-256 and what a list shows of it, never the key', async () => {
      const { id, value } = await makeKey();

      const rows = await listApiKeys(server.store.db, makeTenant(person.organizationId));
      const row = rows.find((one) => one.id === id);

      expect(row?.hash).toBe(createHash('sha256').update(value).digest('hex'));
      expect(row?.obfuscated_value).toBe(`rialtok_live_…${value.slice(-4)}`);
      expect(JSON.stringify(rows)).not.toContain(value);
    });

    test.runIf(engine === 'sqlite')('stands nowhere in the bytes of the file, nor in its log', async () => {
      const { value } = await makeKey();
      await sendAs(`Bearer ${value}`);

      const file = server.database.url.replace('file:', '');
      const random = value.slice('rialtok_live_'.length);
      for (const name of [file, `${file}-wal`]) expect(readFileSync(name).includes(random)).toBe(false);
    });

    test('notes when it was last used, at most once a minute', async () => {
      const { id, value } = await makeKey();
      const lastUsed = async () =>
        (await listApiKeys(server.store.db, makeTenant(person.organizationId))).find((one) => one.id === id)
          ?.last_used_at;
      // The call does not wait for its note.
      const noted = (moment: string) => eventually(async () => expect(await lastUsed()).toBe(moment));
      const first = new Date(clock.now()).toISOString();

      expect(await lastUsed()).toBeNull();
      await sendAs(`Bearer ${value}`);
      await noted(first);
      clock.advance(60_000);
      await sendAs(`Bearer ${value}`);
      expect(await lastUsed()).toBe(first);
      clock.advance(1);
      await sendAs(`Bearer ${value}`);
      await noted(new Date(clock.now()).toISOString());
    });
  });

  test('stands in no line of the log, whether it is taken or refused', async () => {
    const { value } = await makeKey();
    const unknown = makeApiKey('rialto', 'live');
    await sendAs(`Bearer ${value}`);
    await sendAs(`Bearer ${unknown}`);
    await clientFor(server.url, value).post('/buyer/advertisers', { name: value });

    const lines = JSON.stringify(server.log.lines);
    expect(lines).toContain('"target":"GET /api/v2/buyer/advertisers"');
    expect(lines).not.toContain(value);
    expect(lines).not.toContain(unknown);
  });

  describe('bound to an account', () => {
    let first: Person;
    let second: Person;
    let secondAccount: number;
    beforeAll(async () => {
      first = await newPerson(server);
      const account = await createAccount(server.operator, {
        organizationId: first.organizationId,
        role: 'BUYER',
        name: 'Second',
      });
      secondAccount = account.id;
      second = await first.withKey(['buyer:read', 'buyer:write'], secondAccount);
    });

    const names = async (holder: Person) =>
      done(await holder.get('/buyer/advertisers')).items.map(({ name }: { name: string }) => name);

    test('works in that account and sees nothing of the other', async () => {
      await newAdvertiser(first, { name: 'Of the first' });
      await newAdvertiser(second, { name: 'Of the second' });

      expect(await names(first)).toEqual(['Of the first']);
      expect(await names(second)).toEqual(['Of the second']);
    });

    test('opens no surface on which that account does not stand', async () => {
      expectRefusal(await second.get('/storefront/products'), 403, {
        code: 'FORBIDDEN',
        words: 'This organization has no storefront account.',
      });
    });

    test('stays in that account when grants narrow it to an advertiser', async () => {
      const only = await newAdvertiser(second, { name: 'Only one' });
      const narrowed = await first.withKey(['buyer:read'], secondAccount);
      await useUntilRemembered(narrowed);

      await giveGrant(server.operator, {
        organizationId: first.organizationId,
        holder: `api_key:${narrowed.keyId}`,
        advertiserId: Number(only),
      });

      expect(await names(narrowed)).toEqual(['Only one']);
    });

    test('does not leave that account when a grant names another one', async () => {
      const bound = await first.withKey(['buyer:read'], secondAccount);
      await useUntilRemembered(bound);

      await giveGrant(server.operator, {
        organizationId: first.organizationId,
        holder: `api_key:${bound.keyId}`,
        customerId: Number(first.accounts.BUYER),
      });

      expect((await bound.get('/buyer/advertisers')).status).toBe(403);
    });

    test('cannot be made for an account of another organization', async () => {
      await expect(makeKey({ customerId: secondAccount })).rejects.toThrow(/is not one of organization/);
    });
  });

  describe('with grants and no account of its own', () => {
    test('works in the account that a grant names', async () => {
      const owner = await newPerson(server);
      const account = await createAccount(server.operator, {
        organizationId: owner.organizationId,
        role: 'BUYER',
        name: 'Second',
      });
      const inSecond = await owner.withKey(['buyer:read', 'buyer:write'], account.id);
      await newAdvertiser(inSecond, { name: 'Of the second' });
      const granted = await owner.withKey(['buyer:read']);

      await giveGrant(server.operator, {
        organizationId: owner.organizationId,
        holder: `api_key:${granted.keyId}`,
        customerId: account.id,
      });

      const { items } = done(await granted.get('/buyer/advertisers'));
      expect(items.map(({ name }: { name: string }) => name)).toEqual(['Of the second']);
    });

    test('works in the account of an advertiser that a grant names, whichever that is, until it is taken away', async () => {
      const owner = await newPerson(server);
      const { organizationId } = owner;
      const account = await createAccount(server.operator, { organizationId, role: 'BUYER', name: 'Second' });
      const inSecond = await owner.withKey(['buyer:read', 'buyer:write'], account.id);
      const only = await newAdvertiser(inSecond, { name: 'Only one' });
      await newAdvertiser(inSecond, { name: 'Another' });
      const granted = await owner.withKey(['buyer:read']);
      const holder = `api_key:${granted.keyId}`;
      const names = async () =>
        done(await granted.get('/buyer/advertisers')).items.map(({ name }: { name: string }) => name);

      await giveGrant(server.operator, { organizationId, holder, advertiserId: Number(only) });
      expect(await names()).toEqual(['Only one']);

      await giveGrant(server.operator, { organizationId, holder, customerId: account.id });
      expect(await names()).toEqual(['Only one', 'Another']);

      const whole = { organizationId, holder, customerId: account.id };
      await takeGrant(server.operator, whole, { mayBeLast: false });
      expect(await names()).toEqual(['Only one']);
    });
  });
});
