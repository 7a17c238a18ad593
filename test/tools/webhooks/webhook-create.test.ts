import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asSealed } from '../../../store/engine/codec.ts';
import { secretOwner } from '../../../tools/domain/webhooks/secret-owner.ts';
import { auditOf } from '../../support/callers/answers.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { done } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const PATH = '/buyer/webhook-subscriptions';
const SECRET = 'a-secret-nobody-guesses';
const EVERY_EVENT = [
  'discovery.revision',
  'campaign.updated',
  'media_buy.updated',
  'media_buy.delivery',
  'approval.needed',
];
const fields = { url: 'https://hooks.acme.example/in', secret: SECRET, eventTypes: ['discovery.revision'] };

describe('webhook_create', () => {
  let server: TestServer;
  let buyer: Person;
  beforeAll(async () => {
    server = await startTestServer();
    buyer = await newPerson(server);
  });
  afterAll(() => server.stop());

  function rowsOf({ organizationId }: Person) {
    return server.store.db
      .selectFrom('webhook_subscriptions')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .execute();
  }

  describe('201', () => {
    test('registers an active subscription that has not failed yet', async () => {
      const { status, body } = await buyer.post(PATH, fields);

      expect(status).toBe(201);
      expect(body).toEqual({
        data: {
          subscription: {
            id: expect.stringMatching(/^wh_\d{13}_[A-Za-z0-9]+$/),
            url: fields.url,
            eventTypes: ['discovery.revision'],
            sandbox: false,
            status: 'active',
            failureCount: 0,
            lastSuccess: null,
            lastFailure: null,
            lastFailureReason: null,
            createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
            updatedAt: body.data.subscription.createdAt,
          },
        },
        error: null,
      });
      const [, milliseconds] = body.data.subscription.id.split('_');
      expect(new Date(Number(milliseconds)).toISOString()).toBe(body.data.subscription.createdAt);
    });

    test.each([16, 256])('takes a secret of %i characters', async (length) => {
      const url = `${fields.url}/${length}`;

      expect((await buyer.post(PATH, { ...fields, url, secret: 'x'.repeat(length) })).status).toBe(201);
    });

    test('takes a name that does not resolve: what it leads to is looked at when it is called', async () => {
      const reply = await buyer.post(PATH, { ...fields, url: 'https://nowhere.invalid:8443/a?b=c' });

      expect(reply.status).toBe(201);
      expect(reply.body.data.subscription.url).toBe('https://nowhere.invalid:8443/a?b=c');
    });

    test('shows the host in the letters that are looked up', async () => {
      // The first letter is Cyrillic.
      const { body } = await buyer.post(PATH, { ...fields, url: 'HTTPS://\u0430pple.example/in' });

      expect(body.data.subscription.url).toBe('https://xn--pple-43d.example/in');
    });

    test('registers the same address beside the first for another secret, so that none is missed', async () => {
      const owner = await newPerson(server);
      const { subscription } = done(await owner.post(PATH, fields));

      const other = await owner.post(PATH, { ...fields, secret: 'a-secret-of-another-day' });

      expect(other.status).toBe(201);
      expect(other.body.data.subscription.id).not.toBe(subscription.id);
      expect(await rowsOf(owner)).toHaveLength(2);
    });

    test('logs that it was made once, however often the same is registered', async () => {
      const owner = await newPerson(server);
      const { subscription } = done(await owner.post(PATH, fields));

      const again = done(await owner.post(PATH, fields));

      expect(again.subscription.id).toBe(subscription.id);
      expect(await auditOf(server, owner, 'webhook_create')).toHaveLength(1);
    });

    test('takes every event of campaigns and media buys', async () => {
      const owner = await newPerson(server);

      const { subscription } = done(await owner.post(PATH, { ...fields, eventTypes: EVERY_EVENT }));

      expect(subscription.eventTypes).toEqual(EVERY_EVENT);
    });

    test('keeps the secret encrypted for its row, and tells it to nobody', async () => {
      const owner = await newPerson(server);
      const logged = server.log.lines.length;

      const made = await owner.post(PATH, fields);

      const [row] = await rowsOf(owner);
      const { secrets } = server.running.app.services.ports;
      expect(secrets.open(row?.secret ?? asSealed(''), secretOwner(row?.id ?? ''))).toBe(SECRET);
      expect(() => secrets.open(row?.secret ?? asSealed(''), secretOwner('wh_other'))).toThrow();
      const audit = await auditOf(server, owner, 'webhook_create');
      const told = [made.text, (await owner.get(PATH)).text, row, audit, server.log.lines.slice(logged)];
      expect(JSON.stringify(told)).not.toContain(SECRET);
      expect(JSON.parse(audit[0]?.parameters ?? '')).toEqual({ ...fields, secret: '[secret]' });
    });
  });

  describe('200', () => {
    test.each([
      ['letter by letter', {}],
      ['in another spelling', { url: 'HTTPS://Hooks.Acme.Example:443/in' }],
    ])('for the same address, secret and events again, %s: the one that is there', async (_how, given) => {
      const owner = await newPerson(server);
      const first = done(await owner.post(PATH, fields));

      const again = await owner.post(PATH, { ...fields, ...given });

      expect(again.status).toBe(200);
      expect(again.body.data).toEqual(first);
      expect(await rowsOf(owner)).toHaveLength(1);
    });

    test('is not for a subscription that failed: it is registered anew', async () => {
      const owner = await newPerson(server);
      const { subscription } = done(await owner.post(PATH, fields));
      await server.store.db
        .updateTable('webhook_subscriptions')
        .set({ status: 'failed' })
        .where('organization_id', '=', owner.organizationId)
        .execute();

      const again = await owner.post(PATH, fields);

      expect(again.status).toBe(201);
      expect(again.body.data.subscription.id).not.toBe(subscription.id);
    });
  });

  describe('400', () => {
    const A_SECRET =
      'a secret of 16 to 256 characters that nobody can guess: `openssl rand -hex 32` makes one.';
    const EVENTS = `${EVERY_EVENT.join(', ')}.`;
    const NONE = `Required: give the events to send, at least one of: ${EVENTS}`;
    const HOST = 'Give a host that is reachable from outside.';
    const PUBLIC =
      'Give a public address: webhooks reach this one only when the operator opens its range (WEBHOOK_ALLOWED_CIDRS).';
    const NO_USER = 'Leave out user and password.';
    const hidden = (code: string) => `Leave out hidden characters: U+${code}.`;
    test.each([
      ['no URL', 'hooks.acme.example', 'Give a URL such as https://hooks.acme.example/rialto.'],
      ['plain http', 'http://hooks.acme.example/in', 'Must be https.'],
      ['a user', 'https://me@hooks.acme.example/in', NO_USER],
      ['a password', 'https://me:pass@hooks.acme.example/in', NO_USER],
      ['a fragment', 'https://hooks.acme.example/in#here', 'Leave out the fragment.'],
      ['this machine', 'https://localhost/in', PUBLIC],
      ['this machine, fully qualified', 'https://localhost./in', PUBLIC],
      ['a name of this machine', 'https://any.localhost/in', PUBLIC],
      ['the local network', 'https://printer.local/in', HOST],
      ['a host inside', 'https://vault.internal/in', HOST],
      ['the metadata service', 'https://metadata.google.internal/in', HOST],
      ['the host of a container', 'https://host.docker.internal/in', HOST],
      ['a host without a dot', 'https://intranet/in', HOST],
      ['a private address', 'https://10.0.0.1/in', PUBLIC],
      ['an address of this machine', 'https://127.0.0.1/in', PUBLIC],
      ['an address of this machine in short', 'https://127.1/in', PUBLIC],
      ['the metadata service by its address', 'https://169.254.169.254/in', PUBLIC],
      ['a private address of IPv6', 'https://[fd00::1]/in', PUBLIC],
      ['an IPv4 address in IPv6 clothes', 'https://[::ffff:10.0.0.1]/in', PUBLIC],
      [
        'a port nobody has',
        'https://hooks.acme.example:0/in',
        'Port 0 is for other services: give 443 or another port of a web server.',
      ],
      [
        'the port of SSH',
        'https://hooks.acme.example:22/in',
        'Port 22 is for other services: give 443 or another port of a web server.',
      ],
      [
        'the port of mail',
        'https://hooks.acme.example:25/in',
        'Port 25 is for other services: give 443 or another port of a web server.',
      ],
      [
        'the port of Redis',
        'https://hooks.acme.example:6379/in',
        'Port 6379 is for other services: give 443 or another port of a web server.',
      ],
      ['a line feed', 'https://hooks.acme.example/in\nHost: other.example', hidden('000A')],
      ['a line feed at its end', 'https://hooks.acme.example/in\n', hidden('000A')],
      ['a hidden character', 'https://hooks.acme.example/i\u200bn', hidden('200B')],
      ['a mark of direction', 'https://hooks.acme.example/\u202ein', hidden('202E')],
      [
        'an address too long once it is written out',
        `https://hooks.acme.example/${'ü'.repeat(1_000)}`,
        'Give at most 2048 characters, counted as they are sent.',
      ],
      [
        'an address too long',
        `https://hooks.acme.example/${'x'.repeat(2048)}`,
        '2048 characters at the most.',
      ],
    ])('VALIDATION_ERROR for a url with %s', async (_what, url, words) => {
      const reply = await buyer.post(PATH, { ...fields, url });

      expectRefusal(reply, 400, { code: 'VALIDATION_ERROR', at: { url: words } });
    });

    test('names everything that is wrong with a url', async () => {
      const reply = await buyer.post(PATH, { ...fields, url: 'http://me@hooks.acme.example:22/in#here' });

      expectRefusal(reply, 400, {
        code: 'VALIDATION_ERROR',
        at: {
          url: 'Must be https. Leave out user and password. Leave out the fragment. Port 22 is for other services: give 443 or another port of a web server.',
        },
      });
    });

    test.each([
      ['none', undefined],
      ['one of 15 characters', 'x'.repeat(15)],
      ['one of 257 characters', 'x'.repeat(257)],
      ['a number', 1_234_567_890_123_456],
    ])('VALIDATION_ERROR for %s as the secret, and says how to make one', async (_what, secret) => {
      const reply = await buyer.post(PATH, { ...fields, secret });

      const words = `${secret === undefined ? 'Required: give' : 'Give'} ${A_SECRET}`;
      expectRefusal(reply, 400, { code: 'VALIDATION_ERROR', at: { secret: words } });
    });

    test.each([
      ['no events', undefined, { eventTypes: NONE }],
      ['null for the events', null, { eventTypes: NONE }],
      [
        'an event for the list of them that nobody sends',
        'campaign.done',
        { 'eventTypes.0': `Give one of: ${EVENTS}` },
      ],
    ])('VALIDATION_ERROR for %s, and names those that there are', async (_what, given, at) => {
      const reply = await buyer.post(PATH, { ...fields, eventTypes: given });

      expectRefusal(reply, 400, { code: 'VALIDATION_ERROR', at });
    });

    test('VALIDATION_ERROR for a list without an event', async () => {
      const reply = await buyer.post(PATH, { ...fields, eventTypes: [] });

      expectRefusal(reply, 400, { code: 'VALIDATION_ERROR', at: { eventTypes: '1 entry at the least.' } });
    });

    test('repeats nothing of a secret that it refuses, and audits nothing of it', async () => {
      const owner = await newPerson(server);

      const reply = await owner.post(PATH, { ...fields, secret: SECRET.slice(0, 15) });

      const [entry] = await auditOf(server, owner, 'webhook_create');
      expect(entry).toMatchObject({ outcome: 'denied', error_code: 'VALIDATION_ERROR', parameters: null });
      expect(JSON.stringify([reply.text, entry])).not.toContain(SECRET.slice(0, 15));
    });
  });

  describe('409', () => {
    test('CONFLICT for one more than an account may have, until one is deleted', async () => {
      const owner = await newPerson(server);
      for (let count = 0; count < 50; count += 1) {
        done(await owner.post(PATH, { ...fields, url: `${fields.url}/${count}` }));
      }

      const reply = await owner.post(PATH, fields);

      expectRefusal(reply, 409, {
        code: 'CONFLICT',
        words: 'The account has 50 subscriptions, which is the limit.',
      });
      const rows = await rowsOf(owner);
      expect(rows).toHaveLength(50);
      done(await owner.delete(`${PATH}/${rows[0]?.id}`));
      expect((await owner.post(PATH, fields)).status).toBe(201);
    });
  });
});
