import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../support/callers/people.ts';
import { initialize, messagesOf, type RawClient, rawClient, rpc, scriptHeaders } from '../support/mcp/mcp.ts';
import { done, flightDates, newAdvertiser } from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const BUYER = '/mcp/v2/buyer';

describe('a call that reads, in a session', () => {
  let server: TestServer;
  let client: RawClient;
  let person: Person;
  let advertiserId: string;
  beforeAll(async () => {
    server = await startTestServer();
    client = rawClient(server.url);
    person = await newPerson(server);
    advertiserId = await newAdvertiser(person);
  });
  afterAll(async () => {
    client.close();
    await server.stop();
  });

  const open = async (version: string, path = BUYER) => {
    const headers = scriptHeaders(person.key);
    const answer = await client.send({ path, headers, body: initialize(version) });
    return String(answer.headers['mcp-session-id']);
  };
  const ask = async (
    params: Readonly<Record<string, unknown>>,
    {
      id,
      version,
      key = person.key,
      path = BUYER,
    }: { id: string; version: string; key?: string; path?: string },
  ) => {
    const accept = 'application/json, text/event-stream';
    const headers = { ...scriptHeaders(key, id), accept, 'mcp-protocol-version': version };
    return client.send({ path, headers, body: rpc('tools/call', params) });
  };

  describe.each(['2025-06-18', '2025-11-25'])('of revision %s', (version) => {
    test.each([
      ['an answer', 'advertiser_get', () => ({ advertiserId })],
      ['a list', 'advertiser_list', () => ({ take: 1 })],
      ['a refusal', 'advertiser_get', () => ({ advertiserId: '999999' })],
      ['an input that does not fit', 'advertiser_list', () => ({ take: 'all', more: true })],
    ])('is told in %s what the official server tells', async (_what, name, args) => {
      const id = await open(version);

      const direct = await ask({ name, arguments: args() }, { id, version });
      // With a token to tell progress by, the call is the official server’s.
      const official = await ask({ name, arguments: args(), _meta: { progressToken: 1 } }, { id, version });

      expect(direct.status).toBe(200);
      expect(direct.headers['content-type']).toMatch(/^application\/json/);
      expect(official.headers['content-type']).toBe('text/event-stream');
      expect(messagesOf(direct)).toEqual(messagesOf(official));
    });
  });

  test('is asked of the official server where only an argument makes it reach the sellers', async () => {
    const version = '2025-11-25';
    const id = await open(version);
    const fields = { advertiserId, name: 'Winter', flightDates, budget: { total: 100 } };
    const { campaignId } = done(await person.post('/buyer/campaigns', fields)).campaign;
    const get = (more: object) =>
      ask({ name: 'campaign_get', arguments: { campaignId, ...more } }, { id, version });

    const stored = await get({});
    const fresh = await get({ fresh: true });

    expect(stored.headers['content-type']).toMatch(/^application\/json/);
    expect(fresh.headers['content-type']).toBe('text/event-stream');
    expect(messagesOf(stored)).toMatchObject([
      { result: { structuredContent: { campaign: { campaignId } } } },
    ]);
    expect(messagesOf(fresh)).toEqual(messagesOf(stored));
  });

  test('finds no session of somebody else', async () => {
    const version = '2025-11-25';
    const id = await open(version);
    const { key } = await newPerson(server);

    const answer = await ask({ name: 'advertiser_list', arguments: {} }, { id, version, key });

    expect(answer.status).toBe(404);
    expect(messagesOf(answer)).toMatchObject([{ error: { message: 'Session not found' } }]);
  });

  test('finds no session that was opened at a narrower address', async () => {
    const version = '2025-11-25';
    const id = await open(version, `${BUYER}?toolsets=advertisers`);

    const answer = await ask({ name: 'advertiser_list', arguments: {} }, { id, version });

    expect(answer.status).toBe(404);
    expect(messagesOf(answer)).toMatchObject([
      { error: { message: expect.stringMatching(/opened at the address with/) } },
    ]);
  });
});
