import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keyIdOf, sealWith } from '../../adapters/ports/secrets.ts';
import { asSealed, sealedText } from '../../store/engine/codec.ts';
import { secretOwner } from '../../tools/domain/webhooks/secret-owner.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { roundsOf } from '../support/run/effort.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const secrets = sealWith(Buffer.alloc(32, 1));
const texts = fc.string({ unit: fc.constantFrom('a', 'Z', '0', ' ', '\n', '\0', '.', 'é', 'ß', '漢', '🙂') });

describe('an encrypted secret', () => {
  test('opens under its owner as it was, and never looks the same twice', () => {
    fc.assert(
      fc.property(texts, texts, (plain, owner) => {
        const [one, other] = [secrets.seal(plain, owner), secrets.seal(plain, owner)];
        expect(secrets.open(one, owner)).toBe(plain);
        expect(one).not.toBe(other);
      }),
      { numRuns: roundsOf(100, 10_000) },
    );
  });

  test('does not show what it hides', () => {
    expect(secrets.seal('correct horse battery staple', 'row:1')).not.toMatch(/horse|Y29ycmVjdC/);
  });

  test('does not open under another owner', () => {
    const sealed = secrets.seal('secret', 'inventory_source:1');

    expect(() => secrets.open(sealed, 'inventory_source:2')).toThrow();
    expect(() => secrets.open(sealed, '')).toThrow();
  });

  test('does not open when any one byte of it was changed', () => {
    const sealed = secrets.seal('secret', 'row:1');
    const [version, keyId, body = ''] = sealedText(sealed).split('.');
    const bytes = Buffer.from(body, 'base64url');

    for (let index = 0; index < bytes.length; index += 1) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
      const text = `${version}.${keyId}.${changed.toString('base64url')}`;
      expect(() => secrets.open(asSealed(text), 'row:1'), `byte ${index}`).toThrow();
    }
  });

  test('does not open when it was cut short, at whatever place', () => {
    const sealed = secrets.seal('secret', 'row:1');
    const [version, keyId, body = ''] = sealedText(sealed).split('.');
    const bytes = Buffer.from(body, 'base64url');

    for (let length = 0; length < bytes.length; length += 1) {
      const text = `${version}.${keyId}.${bytes.subarray(0, length).toString('base64url')}`;
      expect(() => secrets.open(asSealed(text), 'row:1'), `${length} bytes`).toThrow();
    }
  });

  test('does not open by a part of its tag, also when it hides nothing', () => {
    const sealed = secrets.seal('', 'row:1');
    const [version, keyId, body = ''] = sealedText(sealed).split('.');
    const bytes = Buffer.from(body, 'base64url');

    expect(secrets.open(sealed, 'row:1')).toBe('');
    for (let length = 0; length < bytes.length; length += 1) {
      const text = `${version}.${keyId}.${bytes.subarray(0, length).toString('base64url')}`;
      expect(() => secrets.open(asSealed(text), 'row:1'), `${length} bytes`).toThrow();
    }
  });

  test('says which setting is wrong when the key is another one', () => {
    const sealed = sealWith(randomBytes(32)).seal('secret', 'row:1');

    expect(() => secrets.open(sealed, 'row:1')).toThrow(
      'A stored credential was encrypted with another SECRETS_KEY. Add that key to SECRETS_KEY_PREVIOUS.',
    );
  });

  test('opens under a key of before as well, and is made with the newest', () => {
    const [before, now] = [randomBytes(32), randomBytes(32)];
    const old = sealWith(before).seal('secret', 'row:1');
    const both = sealWith(now, before);

    expect(both.open(old, 'row:1')).toBe('secret');
    expect(sealWith(now).open(both.seal('secret', 'row:1'), 'row:1')).toBe('secret');
    expect(both.keyIds).toEqual([keyIdOf(now), keyIdOf(before)]);
  });

  test.each(['', 'secret', 'v1', 'v2.00000000.AAAA', 'v1.00000000.AAAA'])(
    'is not what was never sealed: “%s”',
    (text) => {
      expect(() => secrets.open(asSealed(text), 'row:1')).toThrow();
    },
  );
});

describe('a secret in the store', () => {
  let server: TestServer;
  let person: Person;
  beforeAll(async () => {
    server = await startTestServer({ own: true });
    person = await newPerson(server);
  });
  afterAll(() => server.stop());

  test('of a webhook is encrypted there, for its row alone', async () => {
    const plain = 'a secret that nobody reads';
    for (const path of ['one', 'two']) {
      await person.post('/buyer/webhook-subscriptions', {
        url: `https://hooks.example/${path}`,
        secret: plain,
        eventTypes: ['discovery.revision'],
      });
    }

    const rows = await server.store.db
      .selectFrom('webhook_subscriptions')
      .select(['id', 'secret'])
      .where('organization_id', '=', person.organizationId)
      .execute();

    const { secrets: ports } = server.running.app.services.ports;
    const [one, other] = rows;
    expect(rows).toHaveLength(2);
    expect(JSON.stringify(rows)).not.toContain(plain);
    expect(ports.open(one?.secret ?? asSealed(''), secretOwner(one?.id ?? ''))).toBe(plain);
    expect(() => ports.open(one?.secret ?? asSealed(''), secretOwner(other?.id ?? ''))).toThrow();
  });

  test('of a source is encrypted there, and of a key only the hash is kept', async () => {
    const token = 'token-of-the-far-seller';
    await person.post('/storefront', { name: 'Far', defaultCurrency: 'USD', acceptsAllCountries: true });
    const made = await person.post('/storefront/inventory-sources', {
      name: 'Agent',
      executionType: 'AGENT',
      endpointUrl: 'https://far.example/mcp',
      authenticationType: 'API_KEY',
      auth: { type: 'bearer', token },
    });

    const sources = await server.store.db
      .selectFrom('inventory_sources')
      .selectAll()
      .where('organization_id', '=', person.organizationId)
      .execute();
    const keys = await server.store.db
      .selectFrom('api_keys')
      .selectAll()
      .where('organization_id', '=', person.organizationId)
      .execute();

    expect(made.status).toBe(201);
    expect(sources).toHaveLength(1);
    expect(sources[0]?.auth).toMatch(/^v1\./);
    expect(JSON.stringify(sources)).not.toContain(token);
    expect(keys[0]?.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(keys)).not.toContain(person.key);
  });
});
