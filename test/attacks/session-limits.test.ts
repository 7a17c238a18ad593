import { afterAll, beforeAll, expect, test } from 'vitest';
import { newPerson, type Person } from '../support/callers/people.ts';
import { initialize, type RawClient, rawClient, scriptHeaders } from '../support/mcp/mcp.ts';
import { type SkippingClock, skippingClock } from '../support/run/skipping-clock.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const HOUR_MS = 3_600_000;

let server: TestServer;
let client: RawClient;
let clock: SkippingClock;
beforeAll(async () => {
  clock = skippingClock();
  server = await startTestServer({
    clock,
    settings: { MCP_SESSIONS_PER_CREDENTIAL: '2', MCP_SESSIONS_PER_ORGANIZATION: '3' },
  });
  client = rawClient(server.url);
});
afterAll(async () => {
  client.close();
  await server.stop();
});

const open = ({ key }: Person) =>
  client.send({ path: '/mcp/v2/buyer', headers: scriptHeaders(key), body: initialize() });
/** In how many hours there is room again, as a refusal says. */
const hoursIn = ({ status, headers }: Awaited<ReturnType<typeof open>>) => {
  expect(status).toBe(429);
  return Math.round((Number(headers['retry-after']) * 1_000) / HOUR_MS);
};

test('a session too many is told when the limit that it met has room: of the credential, or of all', async () => {
  const person = await newPerson(server);
  const [first, other] = [await person.withKey(['buyer:read']), await person.withKey(['buyer:read'])];
  await open(first);
  clock.skip(2 * HOUR_MS);
  await open(other);
  clock.skip(3 * HOUR_MS);
  await open(other);
  clock.skip(4 * HOUR_MS);

  // A day after its own first use each; the stalest of all was used nine hours ago, its own seven and four.
  expect(hoursIn(await open(other))).toBe(24 - 7);
  expect(hoursIn(await open(first))).toBe(24 - 9);
});
