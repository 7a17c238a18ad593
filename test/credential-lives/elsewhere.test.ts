import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { claimedAgent, personAtBrowser, stranger } from '../support/callers/agents.ts';
import { clientFor } from '../support/callers/client.ts';
import { expectRefusal } from '../support/callers/refusals.ts';
import { rawClient, stateless } from '../support/mcp/mcp.ts';
import { makers, newPlace } from './kinds.ts';
import { kinds } from './table.ts';
import { newWorld, type World } from './world.ts';

describe('a credential where it is not for', () => {
  let world: World;
  beforeAll(async () => {
    world = await newWorld();
  });
  afterAll(() => world.stop());

  const routes = [
    ['GET', '/org-api-keys'],
    ['POST', '/org-api-keys'],
    ['DELETE', '/org-api-keys/key_example'],
    ['GET', '/org-api-keys/widget-token'],
  ] as const;

  test.each(kinds.filter((kind) => kind !== 'browser session'))(
    'a key is neither listed, made, revoked nor delegated by %s: 403, and nothing is written',
    async (kind) => {
      const { one } = world;
      const { shown } = await makers[kind](await newPlace(world));
      const client = clientFor(one.url, shown);
      await client.get('/buyer/advertisers');
      const before = await keysIn(world);

      for (const [method, path] of routes) {
        const body =
          method === 'POST' ? { body: JSON.stringify({ name: 'Mine', permissions: ['buyer:read'] }) } : {};
        const headers = { 'content-type': 'application/json' };
        const reply = await client.send(path, { method, headers, ...body });
        expectRefusal(reply, 403, {
          code: 'FORBIDDEN',
          words:
            /^(This call needs an interactive session of a person; a key or token cannot make it|An agent that nobody has claimed may only read advertisers, over REST)\.$/,
        });
      }

      expect(await keysIn(world)).toEqual(before);
    },
  );

  test.each([
    ['/mcp/v2/buyer', [200, 401, 200, 401]],
    ['/mcp/v2/storefront', [401, 200, 401, 200]],
    ['/api/v2/buyer', [401, 401, 200, 401]],
    ['/api/v2', [401, 401, 200, 200]],
    ['', [200, 200, 200, 200]],
  ])(
    'a token of a claimed agent for %j is taken where it is for, and refused elsewhere',
    async (resource, expected) => {
      const { one } = world;
      const { owner } = await newPlace(world);
      const agent = stranger(one);
      const person = await personAtBrowser(one, { organizationIds: [owner.organizationId] });
      const { assertion } = await claimedAgent(agent, person);
      const { body } = await agent.exchange(assertion, { resource: `${one.url}${resource}` });
      const token: string = body.access_token;
      const mcp = async (path: string) => {
        const client = rawClient(one.url);
        const { status } = await client.send({ path, ...stateless(token, 'tools/list') });
        client.close();
        return status;
      };
      const rest = async (path: string) => (await clientFor(one.url, token).get(path)).status;

      expect([
        await mcp('/mcp/v2/buyer'),
        await mcp('/mcp/v2/storefront'),
        await rest('/buyer/campaigns'),
        await rest('/storefront/products'),
      ]).toEqual(expected);
    },
  );
});

/** Every key there is, whoever's. */
function keysIn({ one }: World) {
  return one.store.db
    .withoutPlugins()
    .selectFrom('api_keys')
    .select(['id', 'revoked_at'])
    .orderBy('id')
    .execute();
}
