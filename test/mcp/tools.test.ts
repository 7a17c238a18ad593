import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isOverMcp } from '../../tools/core/define.ts';
import { mcpSurfaces } from '../../tools/core/surfaces.ts';
import { tools as registry } from '../../tools/registry.ts';
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
import { newAdvertiser } from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

/**
 * What the lists weigh at the most, and a tool of them: each is fetched before anything is done. There is room for
 * some kinds of objects more, which the audit logs name.
 */
const LIST_BYTES = { buyer: 61_000, storefront: 32_800 } as const;
const TOOL_BYTES = 2_180;

interface Listed {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: { readonly type: string };
  readonly outputSchema: { readonly type: string };
  readonly annotations: Readonly<Record<string, unknown>>;
}

interface Result {
  readonly isError?: true;
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent: Readonly<Record<string, unknown>>;
}

interface Params {
  /** The surface, with the query of its address. */
  readonly at?: string;
  readonly [name: string]: unknown;
}

let server: TestServer;
let client: RawClient;
let buyer: Person;
beforeAll(async () => {
  server = await startTestServer();
  client = rawClient(server.url);
  buyer = await newPerson(server);
});
afterAll(async () => {
  client.close();
  await server.stop();
});

/** One request in the stateless era. */
async function ask<T>(key: string, method: string, { at = 'buyer', ...params }: Params = {}): Promise<T> {
  const answer = await client.send({ path: `/mcp/v2/${at}`, ...stateless(key, method, params) });
  expect(answer.status).toBe(200);
  const [message] = messagesOf(answer) as [{ result: T }];
  return message.result;
}

/** One request in a session of its own. */
async function askInSession<T>(key: string, method: string, { at = 'buyer', ...params }: Params = {}) {
  const path = `/mcp/v2/${at}`;
  const begun = await client.send({ path, headers: scriptHeaders(key), body: initialize() });
  const headers = scriptHeaders(key, String(begun.headers['mcp-session-id']));
  const answer = await client.send({ path, headers, body: rpc(method, params) });
  const [message] = messagesOf(answer) as [{ result: T }];
  return message.result;
}

const list = async (key: string, at = 'buyer') =>
  (await ask<{ tools: Listed[] }>(key, 'tools/list', { at })).tools;

describe('tools/list', () => {
  test.each(mcpSurfaces)(
    'shows the registry’s tools of the %s surface in the registry’s order',
    async (surface) => {
      const names = (await list(buyer.key, surface)).map(({ name }) => name);

      const own = registry
        .filter(isOverMcp)
        .filter((tool) => tool.surface === surface || tool.surface === 'platform')
        .filter(({ inDefaultList }) => inDefaultList === true);
      expect(names).toEqual(own.map(({ name }) => name));
      expect(names.length).toBeLessThanOrEqual(60);
    },
  );

  test('is the same for every caller, in both eras', async () => {
    const reader = await buyer.withKey(['buyer:read']);
    const newcomer = await newPerson(server, { roles: ['BUYER'], terms: false, tier: 'basic' });

    const tools = await list(buyer.key);

    expect(await list(reader.key)).toEqual(tools);
    expect(await list(newcomer.key)).toEqual(tools);
    expect((await askInSession<{ tools: Listed[] }>(reader.key, 'tools/list')).tools).toEqual(tools);
  });

  test.each(mcpSurfaces)('of the %s surface weighs what was agreed, in both eras', async (surface) => {
    const stateless = await ask<{ tools: Listed[] }>(buyer.key, 'tools/list', { at: surface });
    const inSession = await askInSession<{ tools: Listed[] }>(buyer.key, 'tools/list', { at: surface });

    for (const { tools } of [stateless, inSession]) {
      const bytes = Buffer.byteLength(JSON.stringify(tools));
      expect(bytes).toBeLessThanOrEqual(LIST_BYTES[surface]);
      // Where it got lighter, the budget follows.
      expect(bytes).toBeGreaterThan(LIST_BYTES[surface] * 0.95);
      expect(bytes / tools.length).toBeLessThan(TOOL_BYTES);
    }
  });

  test('may be kept for a while by anybody', async () => {
    const result = await ask(buyer.key, 'tools/list');

    expect(result).toMatchObject({ cacheScope: 'public', ttlMs: 300_000, resultType: 'complete' });
    expect(result).not.toHaveProperty('nextCursor');
  });

  test('says of every tool what it does, takes and returns', async () => {
    const tools = [...(await list(buyer.key)), ...(await list(buyer.key, 'storefront'))];

    for (const tool of tools) {
      const found = registry.find(({ name }) => name === tool.name);
      const effect = found?.passesOn ? 'act' : found?.effect;
      const openWorld = found?.openWorld !== undefined;
      expect(tool.annotations, tool.name).toEqual({
        readOnlyHint: effect === 'read',
        destructiveHint: effect === 'delete' || effect === 'act',
        idempotentHint: effect === 'read' || effect === 'update' || effect === 'delete',
        openWorldHint: openWorld,
      });
      expect(tool.title.length * tool.description.length, tool.name).toBeGreaterThan(0);
      expect(tool.inputSchema.type, tool.name).toBe('object');
      expect(tool.outputSchema.type, tool.name).toBe('object');
      // Some clients hold failures against it, too: they have other fields than a success.
      expect(Object.keys(tool.outputSchema).sort(), tool.name).toEqual(['properties', 'type']);
    }
  });

  test('costs a host fewer than 15,000 tokens', async () => {
    for (const surface of mcpSurfaces) {
      const tools = await list(buyer.key, surface);
      const handed = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));

      expect(JSON.stringify(handed).length / CHARACTERS_A_TOKEN, surface).toBeLessThan(15_000);
    }
  });

  test('shows the chosen toolsets, or what reads alone, and calls no other', async () => {
    const webhooks = await list(buyer.key, 'buyer?toolsets=webhooks,system');
    const reading = await list(buyer.key, 'buyer?readonly=true');
    const path = '/mcp/v2/buyer?readonly=true';
    const params = { name: 'advertiser_create', arguments: {} };
    const refused = await client.send({ path, ...stateless(buyer.key, 'tools/call', params) });

    expect(webhooks.map(({ name }) => name)).toEqual(
      registry
        .filter(({ toolset }) => toolset === 'webhooks' || toolset === 'system')
        .map(({ name }) => name),
    );
    const careful = reading.filter(({ annotations }) => annotations['readOnlyHint'] !== true);
    // What asks sellers stores the question; what passes calls on meets the same refusals there.
    expect(careful.map(({ name }) => name)).toEqual(['discover_products', 'api_call']);
    expect(messagesOf(refused)).toMatchObject([{ error: { code: -32602 } }]);
  });
});

/** What English and JSON come to on the average, counted low. */
const CHARACTERS_A_TOKEN = 3.5;

describe('server/discover', () => {
  test('names the revision, what the server can do, and how to use it', async () => {
    const result = await ask(buyer.key, 'server/discover', { at: 'storefront' });

    expect(result).toMatchObject({
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {} },
      instructions: expect.stringContaining('storefront_record_create'),
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'rialto-storefront' } },
    });
  });
});

const eras = [
  ['a stateless request', ask],
  ['a session', askInSession],
] as const;

describe.each(eras)('tools/call in %s', (_era, send) => {
  const call = (key: string, name: string, args: object) =>
    send<Result>(key, 'tools/call', { name, arguments: args });

  test('gives what REST gives, as structure and as text', async () => {
    const advertiserId = await newAdvertiser(buyer);
    const rest = await buyer.get(`/buyer/advertisers/${advertiserId}`);

    const result = await call(buyer.key, 'advertiser_get', { advertiserId });

    expect(result.isError).toBeUndefined();
    expect(result.structuredContent).toEqual(rest.body.data);
    expect(result.content).toHaveLength(1);
    expect(JSON.parse(result.content[0]?.text ?? '')).toEqual(rest.body.data);
  });

  test('takes a call without arguments for one with none', async () => {
    const result = await send<Result>(buyer.key, 'tools/call', { name: 'advertiser_list' });

    expect(result.structuredContent).toHaveProperty('items');
  });

  const fields = { name: 'Acme', brand: 'acme.example', saveBrand: true, primaryCurrency: 'USD' };
  const people = {
    buyer: async () => buyer,
    reader: () => buyer.withKey(['buyer:read']),
    seller: () => newPerson(server, { roles: ['SELLER'] }),
    newcomer: () => newPerson(server, { terms: false }),
  };

  test.each([
    { code: 'VALIDATION_ERROR', status: 400, who: 'buyer', args: { ...fields, name: '', colour: 'red' } },
    { code: 'VALIDATION_ERROR', status: 400, who: 'buyer', args: { ...fields, brand: 'no domain' } },
    { code: 'FORBIDDEN', status: 403, who: 'reader', args: fields },
    { code: 'FORBIDDEN', status: 403, who: 'seller', args: fields },
    { code: 'TOS_ACCEPTANCE_REQUIRED', status: 403, who: 'newcomer', args: fields },
  ] as const)('fails with $code where REST does ($status)', async ({ code, status, who, args }) => {
    const person = await people[who]();
    const rest = await person.post('/buyer/advertisers', args);

    const result = await call(person.key, 'advertiser_create', args);

    const recovery = code === 'FORBIDDEN' ? 'terminal' : 'correctable';
    expectSameFailure(result, rest, { code, status, recovery });
  });

  test('fails with NOT_FOUND where REST does (404)', async () => {
    const foreign = await newAdvertiser(await newPerson(server));
    const rest = await buyer.get(`/buyer/advertisers/${foreign}`);

    const result = await call(buyer.key, 'advertiser_get', { advertiserId: foreign });

    expectSameFailure(result, rest, { code: 'NOT_FOUND', status: 404, recovery: 'correctable' });
  });
});

function expectSameFailure(
  { isError, content, structuredContent }: Result,
  rest: Awaited<ReturnType<Person['get']>>,
  { code, status, recovery }: { code: string; status: number; recovery: string },
): void {
  const { error } = rest.body;
  const { suggestion, ...details } = error.details ?? {};
  expect(rest.status).toBe(status);
  expect(isError).toBe(true);
  expect(structuredContent).toEqual({
    code,
    message: error.message,
    recovery,
    ...(error.field === undefined ? {} : { field: error.field }),
    ...(suggestion === undefined ? {} : { suggestion }),
    ...(Object.keys(details).length === 0 ? {} : { details }),
  });
  expect(error.code).toBe(code);
  expect(content).toHaveLength(1);
  expect(content[0]?.text).toContain(`${code}: ${error.message}`);
}
