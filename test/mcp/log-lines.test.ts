import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../support/callers/people.ts';
import {
  initialize,
  metaOf,
  type RawClient,
  rawClient,
  rpc,
  scriptHeaders,
  stateless,
} from '../support/mcp/mcp.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const BUYER = '/mcp/v2/buyer';
const call = { name: 'advertiser_list', arguments: {} };

describe('the line of the log', () => {
  let server: TestServer;
  let client: RawClient;
  let person: Person;
  let session: string;
  beforeAll(async () => {
    server = await startTestServer({ own: true });
    client = rawClient(server.url);
    person = await newPerson(server);
    const begun = await client.send({ path: BUYER, headers: scriptHeaders(person.key), body: initialize() });
    session = String(begun.headers['mcp-session-id']);
  });
  afterAll(async () => {
    client.close();
    await server.stop();
  });

  /** What the line of one request says was called. */
  async function targetOf(body: string | undefined, more: object = {}): Promise<unknown> {
    const id = `line-${Math.random().toString(36).slice(2)}`;
    const headers = { ...scriptHeaders(person.key, session), 'x-request-id': id, ...more };
    const method = body === undefined ? 'DELETE' : 'POST';
    await client.send({ method, path: BUYER, headers, ...(body === undefined ? {} : { body }) });
    const lines = () =>
      server.log.lines
        .map(({ fields }) => new Map(Object.entries(fields)))
        .filter((line) => line.get('requestId') === id);
    await expect.poll(() => lines().length).toBeGreaterThan(0);
    return lines().at(-1)?.get('target');
  }

  test('names the tool that is called in a session', async () => {
    expect(await targetOf(rpc('tools/call', call))).toBe('mcp advertiser_list');
  });

  test('names the tool of a stateless call that asks for progress', async () => {
    const { headers } = stateless(person.key, 'tools/call', call);
    const body = rpc('tools/call', { ...call, _meta: metaOf({ progressToken: 1 }) });

    expect(await targetOf(body, headers)).toBe('mcp advertiser_list');
  });

  test.each([
    ['a method', rpc('prompts/list'), 'mcp prompts/list'],
    ['no tool that is not there', rpc('tools/call', { name: 'steal\n_all' }), 'mcp tools/call'],
    ['no method that somebody made up', rpc('x'.repeat(5_000)), 'mcp answer'],
    ['an answer to a question', '{"jsonrpc":"2.0","id":1,"result":{}}', 'mcp answer'],
    ['the end of a session', undefined, 'mcp delete'],
  ])('names %s', async (_what, body, target) => {
    expect(await targetOf(body)).toBe(target);
  });
});
