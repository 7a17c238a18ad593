import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientFor } from '../support/callers/client.ts';
import { type Browser, signedInPerson } from '../support/callers/consenting.ts';
import { connect, program } from '../support/callers/programs.ts';
import { initialize, type RawClient, rawClient, rpc, scriptHeaders } from '../support/mcp/mcp.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const BUYER = '/mcp/v2/buyer';
const webhook = {
  url: 'https://hooks.acme.example/in',
  secret: 'sixteen characters and more',
  eventTypes: ['discovery.revision'],
};

describe('two programs that one person let in', () => {
  let server: TestServer;
  let client: RawClient;
  let person: Browser;
  beforeAll(async () => {
    server = await startTestServer();
    client = rawClient(server.url);
    person = await signedInPerson(server);
  });
  afterAll(async () => {
    client.close();
    await server.stop();
  });

  async function openSession(token: string): Promise<string> {
    const { headers } = await client.send({ path: BUYER, headers: scriptHeaders(token), body: initialize() });
    return String(headers['mcp-session-id']);
  }
  const statusIn = async (session: string, token: string) =>
    (
      await client.send({
        path: BUYER,
        headers: scriptHeaders(token, session),
        body: rpc('tools/list', {}, 1),
      })
    ).status;
  const refreshed = async ({ clientId, tokens }: Awaited<ReturnType<typeof connect>>) => {
    const { body } = await program(server).token({
      grant_type: 'refresh_token',
      client_id: clientId,
      refresh_token: tokens.refresh_token,
    });
    return body;
  };

  test('share no MCP session, which goes on with renewed tokens and ends with what was given', async () => {
    const [one, other] = [await connect(server, person), await connect(server, person)];
    const session = await openSession(one.tokens.access_token);

    expect(await statusIn(session, one.tokens.access_token)).toBe(200);
    expect(await statusIn(session, other.tokens.access_token)).toBe(404);
    const renewed = await refreshed(one);
    expect(await statusIn(session, renewed.access_token)).toBe(200);
    await program(server).revoke(renewed.refresh_token);
    expect(await statusIn(session, renewed.access_token)).toBe(401);
    expect(await statusIn(session, other.tokens.access_token)).toBe(404);
  });

  test('see the webhook subscriptions of their account, which stay when the program that made them goes', async () => {
    const both = { resource: '/api/v2' };
    const [maker, other] = [await connect(server, person, both), await connect(server, person, both)];
    const asMaker = clientFor(server.url, maker.tokens.access_token);
    const asOther = clientFor(server.url, other.tokens.access_token);
    const made = await asMaker.post('/buyer/webhook-subscriptions', webhook);
    expect(made.status).toBe(201);

    await program(server).revoke(maker.tokens.refresh_token);

    expect((await asMaker.get('/buyer/webhook-subscriptions')).status).toBe(401);
    const { subscriptions } = (await asOther.get('/buyer/webhook-subscriptions')).body.data;
    expect(subscriptions).toMatchObject([{ id: made.body.data.subscription.id, status: 'active' }]);
  });
});
