import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refusalOf } from '../support/answers.ts';
import { newPerson } from '../support/people.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const fields = { name: 'Acme', brand: 'acme.example', primaryCurrency: 'USD' };

describe('the audit log', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ own: true });
  });
  afterAll(() => server.stop());

  test('is written with the change or neither is: what cannot be told of does not happen', async () => {
    const buyer = await newPerson(server);
    const { schema } = server.store.db;
    await schema.alterTable('audit_logs').renameTo('audit_logs_away').execute();
    const reply = await buyer.post('/buyer/advertisers', fields);
    await schema.alterTable('audit_logs_away').renameTo('audit_logs').execute();

    expect(refusalOf(reply)).toEqual({ status: 500, code: 'INTERNAL_ERROR' });
    expect((await buyer.get('/buyer/advertisers')).body.data.items).toEqual([]);
    const { requestId } = Object.fromEntries(
      Object.entries(server.log.lines.find(({ message }) => message === 'audit entry lost')?.fields ?? {}),
    );
    expect(requestId).toBe(reply.headers.get('x-request-id'));
    expect((await buyer.post('/buyer/advertisers', fields)).status).toBe(201);
  });
});
