import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tools } from '../../../tools/registry.ts';
import { askForToken, newApplication } from '../../support/callers/applications.ts';
import { newBrowser } from '../../support/callers/browsers.ts';
import { clientFor } from '../../support/callers/client.ts';
import { signedInPerson } from '../../support/callers/consenting.ts';
import { newPerson } from '../../support/callers/people.ts';
import { connect } from '../../support/callers/programs.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { newServiceToken } from '../../support/callers/service-tokens.ts';
import { overMcp } from '../../support/callers/tool-lanes.ts';
import { everythingKept } from '../../support/server/everything-stored.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const DAY_MS = 86_400_000;
const FIELDS =
  'accessClientId accessClientSecret createdAt createdByUserId customerId description expiresAt id name organizationId role seatId userId';

describe('service_token_create', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  test('201 gives the record with its secret once, for a day', async () => {
    const owner = await newPerson(server);

    const { record, maker, bearer } = await newServiceToken(server, owner, { name: 'Tonight' });

    expect(Object.keys(record).sort()).toEqual(FIELDS.split(' '));
    expect(record).toMatchObject({
      organizationId: owner.organizationId,
      userId: maker.userId,
      createdByUserId: maker.userId,
      name: 'Tonight',
      description: '',
      role: 'READ',
    });
    expect(Date.parse(record.expiresAt) - Date.parse(record.createdAt)).toBe(DAY_MS);
    expect((await clientFor(server.url, bearer).get('/buyer/campaigns')).status).toBe(200);
    const kept = await everythingKept(server);
    expect(kept).not.toContain(record.accessClientSecret);
  });

  test('has numbers for its ids over MCP too, as the interface types them', async () => {
    const owner = await newPerson(server);
    const key = await owner.browser();
    const over = async (name: string, args: object) => {
      const tool = tools.find((one) => one.name === name);
      if (tool === undefined) throw new Error('There is no such tool.');
      return (await overMcp({ url: server.url, key, tool, args: { ...args } })).content;
    };

    const made = await over('service_token_create', { name: 'Tonight' });
    const listed = await over('service_token_list', {});
    const archived = await over('service_token_archive', { id: made['id'] });

    const { id } = made;
    const { organizationId } = owner;
    expect(made).toMatchObject({ id: expect.any(Number), organizationId, customerId: expect.any(Number) });
    const { userId } = made;
    expect(made).toMatchObject({ userId: expect.any(Number), createdByUserId: userId, seatId: userId });
    expect(listed).toMatchObject({ items: [{ id, organizationId, userId }] });
    expect(archived).toEqual({ id, archivedAt: expect.any(String) });
    expect(await over('service_token_archive', { id: String(id) })).toEqual(archived);
  });

  test.each([
    ['READ', [200, 403, 403]],
    ['READ_WRITE', [200, 404, 403]],
    ['ADMIN', [200, 404, 200]],
  ])('a token of role %s may do this much and no more', async (role, statuses) => {
    const { bearer } = await newServiceToken(server, await newPerson(server), { role });
    const client = clientFor(server.url, bearer);

    expect([
      (await client.get('/buyer/campaigns')).status,
      (await client.put('/buyer/advertisers/999999', { name: 'Else' })).status,
      (await client.get('/buyer/audit-logs')).status,
    ]).toEqual(statuses);
    expect((await client.post('/service-tokens', {})).status).toBe(403);
    expect((await client.get('/org-api-keys')).status).toBe(403);
  });

  test('a token ends with the membership of the person it acts for', async () => {
    const owner = await newPerson(server);
    const { bearer, maker } = await newServiceToken(server, owner, { role: 'ADMIN' });
    await server.store.db
      .deleteFrom('memberships')
      .where('organization_id', '=', owner.organizationId)
      .where('user_id', '=', maker.userId)
      .execute();

    expect((await clientFor(server.url, bearer).get('/buyer/campaigns')).status).toBe(401);
  });

  test('a half of it, or another half to it, is 401', async () => {
    const owner = await newPerson(server);
    const [one, other] = [await newServiceToken(server, owner), await newServiceToken(server, owner)];

    for (const wrong of [
      one.record.accessClientSecret,
      `${one.record.accessClientId}.`,
      `${one.record.accessClientId}.${other.record.accessClientSecret}`,
      `${one.record.accessClientId}.${one.record.accessClientId}`,
    ]) {
      expect((await clientFor(server.url, wrong).get('/buyer/campaigns')).status).toBe(401);
    }
  });

  test('403 FORBIDDEN to keys, applications and whoever is no administrator of this very organization', async () => {
    const parent = await newPerson(server);
    const owner = await newPerson(server, { parentId: parent.organizationId });
    const application = await newApplication(server, owner, ['buyer:admin']);
    const { access_token: token } = (await askForToken(server, application)).body;
    const member = await newBrowser(server, owner.organizationId, 'MEMBER');
    const above = await newBrowser(server, parent.organizationId);
    await server.store.db
      .updateTable('web_sessions')
      .set({ chosen_organization_id: owner.organizationId })
      .where('id', '=', above.sessionId)
      .execute();

    const noPerson = 'This call is for people; a key, an application or a service token cannot make it.';
    const refused = [
      [owner.key, noPerson],
      [token, noPerson],
      [member.credential, 'This call needs the permission buyer:admin.'],
      [
        above.credential,
        'Only a person with a role of ADMIN or SUPER_ADMIN on this very organization makes service tokens.',
      ],
    ] as const;
    for (const [credential, words] of refused) {
      const reply = await clientFor(server.url, credential).post('/service-tokens', {});
      expectRefusal(reply, 403, { code: 'FORBIDDEN', words });
    }
    const count = await server.store.db
      .selectFrom('service_tokens')
      .selectAll()
      .where('organization_id', '=', owner.organizationId)
      .execute();
    expect(count).toEqual([]);
  });

  test('lives 30 days at the most, and a day where it is made over MCP', async () => {
    const owner = await newPerson(server);
    const credential = await owner.browser();
    const client = clientFor(server.url, credential);
    const now = Date.parse((await newServiceToken(server, owner)).record.createdAt);
    const inDays = (days: number) => new Date(now + days * DAY_MS).toISOString();
    const tool = tools.find(({ name }) => name === 'service_token_create');
    if (tool === undefined) throw new Error('There is no such tool.');
    const overChat = (days: number) =>
      overMcp({ url: server.url, key: credential, tool, args: { expiresAt: inDays(days) } });

    expect((await client.post('/service-tokens', { expiresAt: inDays(29) })).status).toBe(201);
    const tooLong = await client.post('/service-tokens', { expiresAt: inDays(32) });
    expect([tooLong.status, tooLong.body.error.field]).toEqual([400, 'expiresAt']);
    expect((await client.post('/service-tokens', { expiresAt: inDays(-1) })).status).toBe(400);
    expect((await overChat(0.5)).failed).toBe(false);
    expect((await overChat(2)).content).toMatchObject({ code: 'VALIDATION_ERROR', field: 'expiresAt' });
  });

  test('lives a day too where a program of the person makes it over REST', async () => {
    const person = await signedInPerson(server);
    const { tokens } = await connect(server, person);
    const program = clientFor(server.url, tokens.access_token);
    const now = server.running.app.services.ports.clock.now();
    const inDays = (days: number) => ({ expiresAt: new Date(now + days * DAY_MS).toISOString() });

    const tooLong = await program.post('/service-tokens', inDays(2));

    expect([tooLong.status, tooLong.body.error.field]).toEqual([400, 'expiresAt']);
    expect((await program.post('/service-tokens', inDays(0.5))).status).toBe(201);
  });

  test('409 CONFLICT where the organization has no account', async () => {
    const bare = await newPerson(server, { roles: ['BUYER'] });
    const { operator, store } = server;
    const organization = await store.db
      .insertInto('organizations')
      .values({
        name: 'Bare',
        kind: 'customer',
        tier: 'basic',
        alpha: 0,
        created_at: operator.now,
        updated_at: operator.now,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await store.db
      .insertInto('terms_acceptances')
      .columns(['organization_id', 'version', 'via', 'accepted_at'])
      .expression((eb) =>
        eb
          .selectFrom('terms_acceptances')
          .select(({ val }) => [val(organization.id).as('id'), 'version', 'via', 'accepted_at'])
          .where('organization_id', '=', bare.organizationId),
      )
      .execute();
    const admin = await newBrowser(server, organization.id);

    const reply = await clientFor(server.url, admin.credential).post('/service-tokens', {});

    expectRefusal(reply, 409, { code: 'CONFLICT', words: 'Your organization has no account.' });
  });
});
