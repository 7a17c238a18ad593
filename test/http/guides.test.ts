import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isOverMcp } from '../../tools/core/define.ts';
import { mcpSurfaces, surfaces } from '../../tools/core/surfaces.ts';
import { tools } from '../../tools/registry.ts';
import { newPerson } from '../support/callers/people.ts';
import { messagesOf, rawClient, stateless } from '../support/mcp/mcp.ts';
import { requestText, sendBytes } from '../support/server/raw-http.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

describe('the guides for programs that read', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ settings: { BRAND: 'bazaar' } });
  });
  afterAll(() => server.stop());

  const read = async (path: string) => {
    const response = await fetch(`${server.url}${path}`);
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  const GUIDES = ['/api/v2/buyer/skill.md', '/api/v2/storefront/skill.md'];

  test.each([...GUIDES, '/llms.txt'])('answer anybody at %s in Markdown that may be kept', async (path) => {
    const { status, headers, text } = await read(path);
    const condition = { 'If-None-Match': headers.get('etag') ?? '' };
    const again = await sendBytes(server.url, requestText(`GET ${path}`, condition));

    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(text).toContain('# Bazaar');
    expect(text).not.toContain('Rialto');
    expect(text).toContain('key create');
    expect(text).not.toMatch(/undefined|\{\{|\[object/);
    expect(again).toMatchObject({ status: 304, text: '' });
  });

  test.each([...GUIDES, '/llms.txt', '/openapi.json'])(
    'name every way to a credential at %s',
    async (path) => {
      const { text } = await read(path);

      for (const way of ['OAuth', '/settings', 'key create', '/auth.md']) expect(text).toContain(way);
    },
  );

  test.each(mcpSurfaces)('call the installation as MCP does in its instructions: %s', async (surface) => {
    const { key } = await newPerson(server);
    const client = rawClient(server.url);
    const path = `/mcp/v2/${surface}`;
    const told = messagesOf(await client.send({ path, ...stateless(key, 'server/discover') }));
    client.close();

    const { about } = surfaces[surface].mcp;
    expect(told).toMatchObject([
      { result: { instructions: expect.stringMatching(new RegExp(`^Bazaar ${about}`)) } },
    ]);
    expect(told).toMatchObject([
      {
        result: {
          instructions: expect.stringContaining(`people, such as /settings, are below ${server.url}.`),
        },
      },
    ]);
    expect((await read(`/api/v2/${surface}/skill.md`)).text).toContain(`description: Bazaar ${about}\n`);
  });

  test.each(mcpSurfaces)('name every tool and every toolset: %s', async (surface) => {
    const { text } = await read(`/api/v2/${surface}/skill.md`);

    const own = tools.filter(isOverMcp).filter((tool) => [surface, 'platform'].includes(tool.surface));
    expect(
      own.filter(({ name, toolset }) => !text.includes(`\`${name}\``) || !text.includes(toolset)),
    ).toEqual([]);
    expect(text).toContain(`${server.url}/mcp/v2/${surface}`);
    for (const code of ['TOS_ACCEPTANCE_REQUIRED', 'RATE_LIMITED']) expect(text).toContain(code);
  });

  test('show for each step a call that the tool takes', async () => {
    for (const path of GUIDES) {
      const { text } = await read(path);
      const calls = [...text.matchAll(/^ +MCP {3}(\{.*\})$/gm)].map(([, json = '']) => JSON.parse(json));

      expect(calls.length).toBeGreaterThan(5);
      for (const { name, arguments: args } of calls) {
        const tool = tools.find((one) => one.name === name);
        expect(tool?.input.safeParse(args), name).toMatchObject({ success: true });
      }
    }
  });

  test('are led to from the unversioned address, from the first page and from /llms.txt', async () => {
    const { text } = await read('/llms.txt');

    expect((await read('/api/buyer/skill.md')).text).toBe((await read('/api/v2/buyer/skill.md')).text);
    for (const path of GUIDES) expect(text).toContain(`${server.url}${path}`);
    expect((await read('/')).text).toContain('llms.txt');
  });
});
