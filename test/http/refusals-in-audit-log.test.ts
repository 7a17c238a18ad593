import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../support/callers/people.ts';
import { gateRead, gateTool } from '../support/server/gate-tool.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

describe('a refused call that would change something', () => {
  const { tool } = gateTool();
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ tools: [tool, gateRead] });
  });
  afterAll(() => server.stop());

  const entries = (person: Person) =>
    server.store.db
      .selectFrom('audit_logs')
      .selectAll()
      .where('organization_id', '=', person.organizationId)
      // What made the person known is in the log as well.
      .where('surface', '!=', 'operator')
      .orderBy('id')
      .execute();

  /** Of every organization: a question that only a test may ask, past the guard of scopes. */
  const countOfAll = async () => {
    const { entries: count } = await server.store.db
      .withoutPlugins()
      .selectFrom('audit_logs')
      .where('surface', '!=', 'operator')
      .select((eb) => eb.fn.countAll().as('entries'))
      .executeTakeFirstOrThrow();
    return Number(count);
  };

  const post = (person: Person, campaignId: string, { body = '{"size":1}', id = 'r-1' } = {}) =>
    person.send(`/buyer/gates/${campaignId}`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', 'x-request-id': id },
    });

  test.each([
    ['absent', { body: '{' }, 'BAD_REQUEST'],
    ['absent', { body: '{"size":0}' }, 'VALIDATION_ERROR'],
    ['absent', {}, 'NOT_FOUND'],
    ['beyond', {}, 'ACCESS_DENIED'],
    ['conflict', {}, 'CONFLICT'],
    ['credit', {}, 'CREDIT_LIMIT_EXCEEDED'],
  ])('on the object “%s” with %o is in the audit log as denied, %s', async (campaignId, options, code) => {
    const pioneer = await newPerson(server, { alpha: true });

    await post(pioneer, campaignId, { ...options, id: `r-${code}` });

    expect(await entries(pioneer)).toMatchObject([
      {
        tool: 'gate_pass',
        outcome: 'denied',
        error_code: code,
        request_id: `r-${code}`,
        credential_id: `api_key:${pioneer.keyId}`,
        actor_origin: 'agent',
        ip: '127.0.0.1',
        customer_id: pioneer.accounts.BUYER,
      },
    ]);
  });

  test('for want of a permission, of terms or of alpha is in the audit log, each with its code', async () => {
    const hasty = await newPerson(server, { terms: false });
    const settled = await newPerson(server);

    await post(await hasty.withKey(['buyer:read']), 'fine');
    await post(hasty, 'fine');
    await post(settled, 'fine');

    expect((await entries(hasty)).map(({ error_code }) => error_code)).toEqual([
      'FORBIDDEN',
      'TOS_ACCEPTANCE_REQUIRED',
    ]);
    expect((await entries(settled)).map(({ error_code }) => error_code)).toEqual(['ALPHA_OPT_IN_REQUIRED']);
  });

  test('names the object that it was about, and keeps no parameter of a body that did not pass', async () => {
    const pioneer = await newPerson(server, { alpha: true });

    await post(pioneer, 'conflict');
    await post(pioneer, 'conflict', { body: '{"size":"much"}' });
    await post(pioneer, 'conflict', { body: '{"size":' });

    const [passed, ...failed] = await entries(pioneer);
    expect(passed).toMatchObject({ resource_type: 'CAMPAIGN', resource_id: 'conflict', action: 'EXECUTE' });
    expect(JSON.parse(passed?.parameters ?? 'null')).toEqual({ campaignId: 'conflict', size: 1 });
    expect(failed.map(({ error_code }) => error_code)).toEqual(['VALIDATION_ERROR', 'BAD_REQUEST']);
    for (const entry of failed) {
      expect(entry).toMatchObject({ resource_type: 'CAMPAIGN', resource_id: 'conflict', parameters: null });
    }
  });

  test('names no object where what stands for its id is none', async () => {
    const pioneer = await newPerson(server, { alpha: true });

    await post(pioneer, 'longer-than-an-id-of-a-gate', { body: '{"size":1}' });

    expect(await entries(pioneer)).toMatchObject([
      { error_code: 'VALIDATION_ERROR', resource_type: 'CAMPAIGN', resource_id: null, parameters: null },
    ]);
  });

  test('names no object by text that hides something, which not every database stores', async () => {
    const pioneer = await newPerson(server, { alpha: true });

    const { status } = await post(pioneer, 'absent%00', { body: '{"size":0}' });

    expect(status).toBe(400);
    expect(await entries(pioneer)).toMatchObject([{ outcome: 'denied', resource_id: null }]);
  });

  test('is not in the audit log when nobody is known to have made it', async () => {
    const before = await countOfAll();

    const { status } = await (await newPerson(server)).send('/buyer/gates/fine', {
      method: 'POST',
      body: '{"size":1}',
      headers: { 'content-type': 'application/json', authorization: 'Bearer nobody' },
    });

    const after = await countOfAll();
    expect(status).toBe(401);
    expect(after).toEqual(before);
  });

  test('leaves no entry when it only reads', async () => {
    const person = await newPerson(server);

    expect((await person.get('/buyer/gates/here?colour=red')).status).toBe(400);

    expect(await entries(person)).toEqual([]);
  });

  test('shows in the log that the organization reads', async () => {
    const own = await startTestServer();
    const buyer = await newPerson(own, { terms: false });

    await buyer.post('/buyer/advertisers', {
      name: 'A',
      brand: 'a.example',
      saveBrand: true,
      primaryCurrency: 'USD',
    });

    const { body } = await buyer.get('/buyer/audit-logs');
    await own.stop();
    expect(body.data.logs).toMatchObject([{ resourceType: 'ADVERTISER', action: 'CREATE' }]);
    expect(JSON.stringify(body.data.logs[0])).toContain('TOS_ACCEPTANCE_REQUIRED');
  });
});
