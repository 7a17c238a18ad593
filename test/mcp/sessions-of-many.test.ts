import { afterAll, beforeAll, expect, test } from 'vitest';
import { initialize, type RawClient, rawClient, rpc, scriptHeaders } from '../support/mcp.ts';
import { newPerson, type Person } from '../support/people.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { slowTool } from '../support/slow-tool.ts';

const PATH = '/mcp/v2/buyer';

const { tool: slow, begun, held } = slowTool();

let server: TestServer;
let client: RawClient;
beforeAll(async () => {
  server = await startTestServer({ tools: [slow], settings: { MCP_SESSIONS_LIVE: '4' } });
  client = rawClient(server.url);
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
  await begun.passed;

  const sessions: string[] = [];
  for (let count = 0; count < 10; count += 1) sessions.push(await opened(many));
  held.open();

  const { status, text } = await calling;
  expect(status).toBe(200);
  expect(JSON.parse(text).result.structuredContent).toEqual({ done: true });
  for (const id of sessions) {
    const { text: pong } = await call(many, id, rpc('ping'));
    expect(JSON.parse(pong)).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
  }
});
