import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { REVISIONS } from '../../adapters/mcp/server-parts.ts';
import { mcpSurfaces } from '../../tools/core/surfaces.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import {
  initialize,
  messagesOf,
  type RawClient,
  rawClient,
  scriptHeaders,
  stateless,
} from '../support/mcp/mcp.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

describe('what a host knows of a server', () => {
  let server: TestServer;
  let client: RawClient;
  let person: Person;
  beforeAll(async () => {
    server = await startTestServer();
    client = rawClient(server.url);
    person = await newPerson(server);
  });
  afterAll(async () => {
    client.close();
    await server.stop();
  });

  const get = (path: string) => client.send({ method: 'GET', path });

  test.each(mcpSurfaces)('is, without a credential, the card of the %s', async (surface) => {
    const { status, headers, text } = await get(`/mcp/v2/${surface}/server-card`);

    expect(status).toBe(200);
    expect(headers['content-type']).toContain('application/mcp-server-card+json');
    expect(headers.etag).toBeDefined();
    const card = JSON.parse(text);
    expect(card).toMatchObject({
      name: `io.rialto/${surface}`,
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      remotes: [
        {
          type: 'streamable-http',
          url: `${server.url}/mcp/v2/${surface}`,
          headers: [{ name: 'Authorization', isRequired: true, isSecret: true }],
          supportedProtocolVersions: REVISIONS,
        },
      ],
    });
    expect(card.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
    expect(card.description.length).toBeLessThanOrEqual(100);
    expect(card).not.toHaveProperty('tools');
  });

  test('is found from the name of the host alone', async () => {
    const { headers, text } = await get('/.well-known/ai-catalog.json');

    expect(headers['content-type']).toContain('application/ai-catalog+json');
    const urls = JSON.parse(text).entries.map(({ url }: { url: string }) => url);
    expect(urls).toEqual(mcpSurfaces.map((name) => `${server.url}/mcp/v2/${name}/server-card`));
    const [card, ...older] = await Promise.all(
      ['/mcp/v2/buyer/server-card', '/.well-known/mcp/server-card.json', '/.well-known/mcp.json'].map(get),
    );
    for (const { text: old } of older) expect(old).toBe(card?.text);
  });

  test('names revisions that are spoken', async () => {
    for (const revision of REVISIONS.slice(1)) {
      const { text } = await client.send({
        path: '/mcp/v2/buyer',
        headers: scriptHeaders(person.key),
        body: initialize(revision),
      });
      expect(JSON.parse(text).result.protocolVersion).toBe(revision);
    }
    const discovered = await client.send({
      path: '/mcp/v2/buyer',
      ...stateless(person.key, 'server/discover'),
    });
    expect(messagesOf(discovered)).toMatchObject([{ result: { supportedVersions: REVISIONS.slice(0, 1) } }]);
  });

  test('has an icon that pages of others may show, in both eras', async () => {
    const begun = await client.send({
      path: '/mcp/v2/buyer',
      headers: scriptHeaders(person.key),
      body: initialize(),
    });
    const listed = await client.send({ path: '/mcp/v2/buyer', ...stateless(person.key, 'tools/list') });

    const icons = [{ src: `${server.url}/icon.svg`, mimeType: 'image/svg+xml', sizes: ['any'] }];
    expect(messagesOf(begun)).toMatchObject([{ result: { serverInfo: { icons } } }]);
    expect(messagesOf(listed)).toMatchObject([
      { result: { _meta: { 'io.modelcontextprotocol/serverInfo': { icons } } } },
    ]);
    const { status, headers, text } = await get('/icon.svg');
    expect(status).toBe(200);
    expect(headers['content-type']).toContain('image/svg+xml');
    expect(headers['cross-origin-resource-policy']).toBe('cross-origin');
    expect(text).toMatch(/^<svg /);
  });

  test('changes by no other method', async () => {
    const { status } = await client.send({ method: 'DELETE', path: '/.well-known/ai-catalog.json' });

    expect(status).toBe(405);
  });
});
