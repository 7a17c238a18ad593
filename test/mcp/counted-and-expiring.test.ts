import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey } from '../../tools/domain/organizations/keys.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import {
  initialize,
  messagesOf,
  type RawClient,
  rawClient,
  rpc,
  scriptHeaders,
  stateless,
} from '../support/mcp/mcp.ts';
import { type SkippingClock, skippingClock } from '../support/run/skipping-clock.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const BUYER = '/mcp/v2/buyer';
const VALID_MS = 20_000;
const LIMIT = 10;
/** Whatever tier an account has. */
const LIMITS = Object.fromEntries(
  ['BASIC', 'STANDARD', 'PREMIUM'].map((tier) => [`RATE_LIMIT_${tier}`, `${LIMIT}`]),
);
const call = { name: 'advertiser_list', arguments: {} };

describe('a request of MCP', () => {
  let server: TestServer;
  let clock: SkippingClock;
  let client: RawClient;
  beforeAll(async () => {
    clock = skippingClock();
    server = await startTestServer({ clock, settings: LIMITS });
    client = rawClient(server.url);
  });
  afterAll(async () => {
    client.close();
    await server.stop();
  });

  async function sessionOf(key: string, version?: string, path = BUYER): Promise<string> {
    const begun = await client.send({ path, headers: scriptHeaders(key), body: initialize(version) });
    return String(begun.headers['mcp-session-id']);
  }

  const send = (key: string, session: string, body: string) =>
    client.send({ path: BUYER, headers: scriptHeaders(key, session), body });
  const batchOf = (messages: number) =>
    `[${Array.from({ length: messages }, (_, id) => rpc('tools/call', call, id)).join(',')}]`;
  const remaining = ({ headers }: { headers: Readonly<Record<string, unknown>> }) =>
    Number(headers['ratelimit-remaining']);

  test('counts against the limit of the account by its messages', async () => {
    const { key } = await newPerson(server);
    const session = await sessionOf(key, '2025-03-26');

    const answer = await send(key, session, batchOf(4));

    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toHaveLength(4);
    expect(remaining(answer)).toBe(LIMIT - 1 - 4);
  });

  test('is refused whole when it has more messages than are left, and none of it is carried out', async () => {
    const person = await newPerson(server);
    const session = await sessionOf(person.key, '2025-03-26');
    const create = (id: number) =>
      rpc(
        'tools/call',
        {
          name: 'advertiser_create',
          arguments: { name: `No ${id}`, brand: 'acme.example', saveBrand: true, primaryCurrency: 'USD' },
        },
        id,
      );

    const messages = Array.from({ length: LIMIT }, (_, id) => create(id));
    const answer = await send(person.key, session, `[${messages.join(',')}]`);

    expect(answer.status).toBe(429);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(await advertisersOf(person)).toBe(0);
  });

  async function advertisersOf({ organizationId }: Person): Promise<number> {
    const rows = await server.store.db
      .selectFrom('advertisers')
      .select('id')
      .where('organization_id', '=', organizationId)
      .execute();
    return rows.length;
  }

  describe('at the address of one tool', () => {
    const path = `${BUYER}/advertiser-list`;

    test('needs a session in the revisions that have them, and none in the one that has not', async () => {
      const { key } = await newPerson(server);

      const without = await client.send({ path, headers: scriptHeaders(key), body: rpc('tools/call', call) });
      const session = await sessionOf(key, undefined, path);
      const within = await client.send({
        path,
        headers: scriptHeaders(key, session),
        body: rpc('tools/call', call),
      });
      const modern = await client.send({ path, ...stateless(key, 'tools/call', call) });

      expect(without.status).toBe(400);
      expect(messagesOf(without)).toMatchObject([
        { error: { code: -32000, message: expect.stringContaining('Mcp-Session-Id') } },
      ]);
      for (const answer of [within, modern]) {
        expect(answer.status).toBe(200);
        expect(messagesOf(answer)).toMatchObject([{ result: { structuredContent: { total: 0 } } }]);
      }
    });
  });

  describe('with a key that expires', () => {
    async function shortKey(): Promise<string> {
      const owner = await newPerson(server);
      const { value } = await createKey(server.operator, {
        organizationId: owner.organizationId,
        name: 'Short',
        permissions: ['buyer:read'],
        expiresAt: new Date(clock.now() + VALID_MS).toISOString(),
      });
      return value;
    }

    test('ends the event stream of its session then, and the session', async () => {
      const key = await shortKey();
      const session = await sessionOf(key);
      const stream = await fetch(`${server.url}${BUYER}`, {
        headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream', 'mcp-session-id': session },
      });

      clock.skip(VALID_MS);

      expect(await stream.text()).toMatch(/^: listening\n\n: ended: .+\n\n$/);
      expect((await send(key, session, rpc('tools/call', call))).status).toBe(401);
    });
  });
});
