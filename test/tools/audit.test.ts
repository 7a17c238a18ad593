import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson } from '../support/callers/people.ts';
import { expectRefusal } from '../support/callers/refusals.ts';
import { callTool } from '../support/mcp/mcp-call.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const fields = { name: 'Acme', brand: 'acme.example', saveBrand: true, primaryCurrency: 'USD' };

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

    expectRefusal(reply, 500, { code: 'INTERNAL_ERROR', words: 'Something went wrong on our side.' });
    expect((await buyer.get('/buyer/advertisers')).body.data.items).toEqual([]);
    const { requestId } = Object.fromEntries(
      Object.entries(server.log.lines.find(({ message }) => message === 'audit entry lost')?.fields ?? {}),
    );
    expect(requestId).toBe(reply.headers.get('x-request-id'));
    expect((await buyer.post('/buyer/advertisers', fields)).status).toBe(201);
  });

  test('tells why: of a change, of a deletion by its query, and of what was refused', async () => {
    const buyer = await newPerson(server);
    const made = await buyer.post('/buyer/advertisers', {
      ...fields,
      reason: '  The client\nasked for it. ',
    });
    const { id } = made.body.data;
    const silent = await buyer.put(`/buyer/advertisers/${id}`, { name: 'Other' });
    const refused = await buyer.put('/buyer/advertisers/999999', { name: 'Other', reason: 'A slip.' });
    const hook = {
      url: 'https://hooks.example/in',
      eventTypes: ['discovery.revision'],
      secret: 's'.repeat(32),
    };
    const { subscription } = (await buyer.post('/buyer/webhook-subscriptions', hook)).body.data;
    const path = `/buyer/webhook-subscriptions/${subscription.id}?reason=No%20longer%20needed`;
    const gone = await buyer.delete(path);

    expect([made, silent, refused, gone].map(({ status }) => status)).toEqual([201, 200, 404, 200]);
    const { logs } = (await buyer.get('/buyer/audit-logs')).body.data;
    expect(logs.map(({ reason }: { reason: string | null }) => reason)).toEqual([
      'No longer needed',
      null,
      'A slip.',
      null,
      'The client\nasked for it.',
    ]);
  });

  test('tells why also of what was refused before its input was read', async () => {
    const buyer = await newPerson(server);
    const campaign = '/buyer/campaigns/cmp_none';
    const buy = '/buyer/media-buys/mb_none';
    const withKey = (key: string, body: object) =>
      buyer.send('/buyer/advertisers', {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
      });

    const refused = [
      await buyer.put(campaign, { reason: 'Of its own.', unheardOf: 1 }),
      await buyer.patch(buy, { updated_reason: 'By another name.', unheardOf: 1 }),
      await buyer.patch(buy, { reason: 'a\u202eb' }),
      await withKey('', { ...fields, reason: 'With a bad key.' }),
    ];

    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
    const { logs } = (await buyer.get('/buyer/audit-logs')).body.data;
    expect(logs.map(({ reason }: { reason: string | null }) => reason)).toEqual([
      'With a bad key.',
      null,
      'By another name.',
      'Of its own.',
    ]);
  });

  test('tells of what, and why, also of what was refused for want of a permission', async () => {
    const buyer = await newPerson(server);
    const { id } = (await buyer.post('/buyer/advertisers', fields)).body.data;
    const reader = await buyer.withKey(['buyer:read']);
    const path = `/buyer/advertisers/${id}`;

    const refused = [
      await reader.delete(`${path}?reason=Gone`),
      await reader.put(path, { name: 'Other', reason: 'In a body that nobody read.' }),
      await reader.delete(`${path}?reason=a%E2%80%AEb`),
      await reader.delete(`/buyer/advertisers/${'9'.repeat(30)}?reason=No%20id`),
    ];
    const renamed = { advertiserId: id, name: 'Other', reason: 'Over MCP.' };
    const overMcp = await callTool(server, reader, { name: 'advertiser_update', arguments: renamed });

    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    expect(overMcp.structuredContent).toMatchObject({ code: 'FORBIDDEN' });
    const { logs } = (await buyer.get('/buyer/audit-logs?outcome=denied')).body.data;
    expect(
      logs.map(({ errorCode, resourceId, advertiserId, reason }: Record<string, unknown>) => [
        ...[errorCode, resourceId, advertiserId, reason],
      ]),
    ).toEqual([
      ['FORBIDDEN', id, Number(id), 'Over MCP.'],
      ['FORBIDDEN', null, null, 'No id'],
      ['FORBIDDEN', id, Number(id), null],
      ['FORBIDDEN', id, Number(id), null],
      ['FORBIDDEN', id, Number(id), 'Gone'],
    ]);
  });

  test.each([
    ['empty', ''],
    ['of another type', 7],
    ['too long', 'x'.repeat(1_001)],
    ['with something hidden in it', 'a\u202eb'],
  ])('refuses a reason that is %s, and changes nothing', async (_, reason) => {
    const buyer = await newPerson(server);
    const reply = await buyer.post('/buyer/advertisers', { ...fields, reason });

    expectRefusal(reply, 400, {
      code: 'VALIDATION_ERROR',
      at: { reason: 'Give 1 to 1000 characters, none of them hidden.' },
    });
    expect((await buyer.get('/buyer/advertisers')).body.data.items).toEqual([]);
  });
});
