import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newPerson, type Person } from '../support/callers/people.ts';
import { initialize, type RawClient, rawClient, rpc, scriptHeaders } from '../support/mcp/mcp.ts';
import { type SkippingClock, skippingClock } from '../support/run/skipping-clock.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';
import { slowTool } from '../support/server/slow-tool.ts';

const PATH = '/mcp/v2/buyer';
/** A session that is not used for so long has no place in memory any more. */
const LONG_MS = 600_000;

const slow = slowTool();

let server: TestServer;
let client: RawClient;
let clock: SkippingClock;
beforeAll(async () => {
  clock = skippingClock();
  server = await startTestServer({ clock, tools: [slow.tool], settings: { MCP_SESSIONS_LIVE: '4' } });
  client = rawClient(server.url);
});
beforeEach(() => {
  slow.again();
});
afterAll(async () => {
  client.close();
  await server.stop();
});

const opened = async ({ key }: Person) => {
  const { headers } = await client.send({ path: PATH, headers: scriptHeaders(key), body: initialize() });
  return String(headers['mcp-session-id']);
};
const call = ({ key }: Person, id: string, body: string) =>
  client.send({ path: PATH, headers: scriptHeaders(key, id), body });

test('an organization with many sessions cuts no call of another’s, and each of its own goes on with its next call', async () => {
  const [one, many] = [await newPerson(server), await newPerson(server)];
  const session = await opened(one);
  const calling = call(one, session, rpc('tools/call', { name: 'slow', arguments: {} }));
  await slow.begun.passed;

  const sessions: string[] = [];
  for (let count = 0; count < 10; count += 1) sessions.push(await opened(many));
  slow.held.open();

  const { status, text } = await calling;
  expect(status).toBe(200);
  expect(JSON.parse(text).result.structuredContent).toEqual({ done: true });
  for (const id of sessions) {
    const { text: pong } = await call(many, id, rpc('ping'));
    expect(JSON.parse(pong)).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
  }
});

test('an organization’s many sessions cut no call of its own, however long it is under way', async () => {
  const person = await newPerson(server);
  const session = await opened(person);
  const calling = call(person, session, rpc('tools/call', { name: 'slow', arguments: {} }));
  await slow.begun.passed;

  for (let count = 0; count < 10; count += 1) await opened(person);
  clock.skip(LONG_MS);
  const { text: pong } = await call(person, session, rpc('ping', {}, 2));
  slow.held.open();

  expect(JSON.parse(pong)).toEqual({ jsonrpc: '2.0', id: 2, result: {} });
  const { status, text } = await calling;
  expect(status).toBe(200);
  expect(JSON.parse(text).result.structuredContent).toEqual({ done: true });
});
