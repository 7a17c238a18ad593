import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { restPaths } from '../../tools/core/addresses.ts';
import { isOverMcp, type Tool } from '../../tools/core/define.ts';
import { mcpSurfaces, surfaces } from '../../tools/core/surfaces.ts';
import { tools } from '../../tools/registry.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { overMcp } from '../support/callers/tool-lanes.ts';
import { secretPaths } from '../support/house/secret-paths.ts';
import { everythingKept } from '../support/server/everything-stored.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const kept = tools.filter((tool) => !isOverMcp(tool));

function toolNamed(name: string): Tool {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`No tool is called ${name}.`);
  return tool;
}

/** What `buyer:admin` is for by its name (interface, Authentication rule 1): over REST, keys may as well. */
const OPEN_TO_KEYS = new Set([
  'browser_origin_create',
  'browser_origin_delete',
  'browser_origin_list',
  'invitation_delete',
  'invitation_list',
  'member_delete',
  'member_list',
]);

/** What a program or a seller is told in a chat, and the token of a day (decisions, section 6). */
const GIVEN_IN_CHATS: readonly string[] = [
  'inventory_source_create takes auth.token',
  'inventory_source_update takes auth.token',
  'service_token_create gives accessClientSecret',
  'webhook_create takes secret',
];

describe('what is kept from MCP', () => {
  let server: TestServer;
  let owner: Person;
  let before: string;
  beforeAll(async () => {
    server = await startTestServer();
    owner = await newPerson(server);
    await owner.browser();
    before = await keysOf();
  });
  afterAll(() => server.stop());

  async function keysOf(): Promise<string> {
    const { db } = server.store;
    const of = ['organization_id', '=', owner.organizationId] as const;
    const keys = await db
      .selectFrom('api_keys')
      .select(['id', 'revoked_at'])
      .where(...of)
      .execute();
    const applications = await db
      .selectFrom('m2m_applications')
      .select('id')
      .where(...of)
      .execute();
    return JSON.stringify([keys, applications]);
  }

  test('is the management of keys, applications, people, domains and origins, and decisions on spends', () => {
    expect(kept.map(({ name }) => name).sort()).toEqual([
      'account_create',
      'account_delete',
      'account_domain_update',
      'account_membership_get',
      'account_membership_update',
      'account_switch',
      'browser_origin_create',
      'browser_origin_delete',
      'browser_origin_list',
      'domain_create',
      'domain_list',
      'domain_update',
      'invitation_create',
      'invitation_delete',
      'invitation_list',
      'join_request_list',
      'join_request_update',
      'legacy_key_delete',
      'legacy_key_list',
      'm2m_application_create',
      'm2m_application_delete',
      'm2m_application_get',
      'm2m_application_list',
      'm2m_secret_create',
      'm2m_secret_delete',
      'member_delete',
      'member_list',
      'member_update',
      'org_api_key_create',
      'org_api_key_delete',
      'org_api_key_list',
      'spend_approval_approve',
      'spend_approval_reject',
      'widget_token_get',
    ]);
    for (const { name, access, rest } of kept) {
      expect(access).toMatchObject(OPEN_TO_KEYS.has(name) ? { permission: 'buyer:admin' } : { human: true });
      expect(rest).toBeDefined();
    }
  });

  test('is in no list and at no address of either server, not even for a person at a browser', async () => {
    const manifest = await (await fetch(`${server.url}/mcp-manifest.json`)).text();
    for (const { name, toolset } of kept) {
      expect(manifest).not.toContain(`"${name}"`);
      for (const surface of mcpSurfaces) {
        for (const path of [`/${name.replaceAll('_', '-')}`, `?toolsets=${toolset}`]) {
          const answer = await owner.send(`${server.url}${surfaces[surface].mcp.path}${path}`, {
            method: 'POST',
            headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
            body: JSON.stringify({
              jsonrpc: '2.0',
              id: 1,
              method: 'tools/call',
              params: { name, arguments: {} },
            }),
          });
          expect(answer.status, `${surface}${path}`).toBeGreaterThanOrEqual(400);
        }
      }
    }
  });

  test.each(kept.map((tool) => [tool.name, tool] as const))(
    '%s is not found by capability_search and not reached by api_call',
    async (name, tool) => {
      const [path = ''] = restPaths(tool.surface, tool.rest);
      for (const key of [owner.key, await owner.browser()]) {
        const call = (one: string, args: Record<string, unknown>) =>
          overMcp({ url: server.url, key, tool: toolNamed(one), args });
        const found = await call('capability_search', { query: name, limit: 20 });
        expect(JSON.stringify(found.content)).not.toContain(`"operation":"${name}"`);
        const input = { pathParams: { id: 'x', key_id: 'key_x', secretId: 'sec_x' } };
        for (const asked of [{ operation: name }, { method: tool.rest?.method, path }]) {
          const { content, failed } = await call('api_call', { ...asked, ...input });
          expect(failed).toBe(true);
          expect(content).toMatchObject({
            code: 'VALIDATION_ERROR',
            message: expect.stringContaining('cannot be called over MCP'),
            suggestion: expect.stringContaining('while signed in'),
          });
        }
      }
      expect(await keysOf()).toBe(before);
    },
  );

  test('no tool of MCP takes or gives a secret but those whose work it is, and none that of a key or application', async () => {
    const found = tools
      .filter(isOverMcp)
      .flatMap(({ name, input, output }) => [
        ...secretPaths(input, 'input').map((path) => `${name} takes ${path}`),
        ...secretPaths(output, 'output').map((path) => `${name} gives ${path}`),
      ]);

    expect(found.sort()).toEqual(GIVEN_IN_CHATS);
    expect(kept.flatMap(({ output }) => secretPaths(output, 'output'))).toEqual(
      expect.arrayContaining(['apiKey.value', 'clientSecret', 'token']),
    );
    expect(await everythingKept(server)).not.toContain(owner.key);
  });
});
