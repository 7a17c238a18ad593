import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { secretOwner } from '../../../tools/domain/webhooks/secret-owner.ts';
import { auditOf, refusalOf } from '../../support/answers.ts';
import { done } from '../../support/market.ts';
import { newPerson, type Person } from '../../support/people.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

const PATH = '/buyer/webhook-subscriptions';
const SECRET = 'a-secret-nobody-guesses';
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
            status: 'active',
            failureCount: 0,
            lastSuccess: null,
            lastFailure: null,
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
      expect((await buyer.post(PATH, { ...fields, secret: 'x'.repeat(length) })).status).toBe(201);
    });

    test('takes a name that does not resolve: what it leads to is looked at when it is called', async () => {
      const reply = await buyer.post(PATH, { ...fields, url: 'https://nowhere.invalid:8443/a?b=c' });

      expect(reply.status).toBe(201);
      expect(reply.body.data.subscription.url).toBe('https://nowhere.invalid:8443/a?b=c');
    });

    test('keeps the secret encrypted for its row, and tells it to nobody', async () => {
      const owner = await newPerson(server);
      const logged = server.log.lines.length;

      const made = await owner.post(PATH, fields);

      const [row] = await rowsOf(owner);
      const { secrets } = server.running.app.services.ports;
      expect(secrets.open(row?.secret ?? '', secretOwner(row?.id ?? ''))).toBe(SECRET);
      expect(() => secrets.open(row?.secret ?? '', secretOwner('wh_other'))).toThrow();
      const audit = await auditOf(server, owner, 'webhook_create');
      const told = [made.text, (await owner.get(PATH)).text, row, audit, server.log.lines.slice(logged)];
      expect(JSON.stringify(told)).not.toContain(SECRET);
      expect(JSON.parse(audit[0]?.parameters ?? '')).toEqual({ ...fields, secret: '[secret]' });
    });
  });

  describe('400', () => {
    test.each([
      ['no URL', 'hooks.acme.example'],
      ['plain http', 'http://hooks.acme.example/in'],
      ['a user', 'https://me@hooks.acme.example/in'],
      ['a password', 'https://me:pass@hooks.acme.example/in'],
      ['a fragment', 'https://hooks.acme.example/in#here'],
      ['this machine', 'https://localhost/in'],
      ['this machine, fully qualified', 'https://localhost./in'],
      ['a name of this machine', 'https://any.localhost/in'],
      ['the local network', 'https://printer.local/in'],
      ['a host inside', 'https://vault.internal/in'],
      ['the metadata service', 'https://metadata.google.internal/in'],
      ['the host of a container', 'https://host.docker.internal/in'],
      ['a host without a dot', 'https://intranet/in'],
      ['an address too long', `https://hooks.acme.example/${'x'.repeat(2048)}`],
    ])('VALIDATION_ERROR for a url with %s', async (_what, url) => {
      const reply = await buyer.post(PATH, { ...fields, url });

      expect(refusalOf(reply)).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
      expect(reply.body.error.field).toBe('url');
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
      for (let count = 0; count < 50; count += 1) done(await owner.post(PATH, fields));

      const reply = await owner.post(PATH, fields);

      expect(refusalOf(reply)).toEqual({ status: 409, code: 'CONFLICT' });
      const rows = await rowsOf(owner);
      expect(rows).toHaveLength(50);
      done(await owner.delete(`${PATH}/${rows[0]?.id}`));
      expect((await owner.post(PATH, fields)).status).toBe(201);
    });
  });
});
