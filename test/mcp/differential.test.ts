import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMcp, type McpAdapter } from '../../adapters/mcp/endpoint.ts';
import { mcpSurfaces } from '../../tools/core/surfaces.ts';
import { newPerson } from '../support/callers/people.ts';
import { asSchema } from '../support/house/schema-walk.ts';
import { type RawClient, type RawRequest, rawClient } from '../support/mcp/mcp.ts';
import { essence } from '../support/mcp/mcp-compare.ts';
import { damagedOnce, type ListedTool, sentBy, statelessRequests } from '../support/mcp/mcp-requests.ts';
import { listenBeside, listTools, newTwin, readOnly, type Twin } from '../support/mcp/mcp-twins.ts';
import { casesOf, timeoutOf } from '../support/run/effort.ts';
import { openStorefront } from '../support/sellers/market.ts';
import type { RawServer } from '../support/sellers/seller-agent.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

/** Buyers have more tools, and more that a request can get wrong. */
const SHARES = { buyer: 0.4, storefront: 0.2 } as const;
/** A case is two requests in full, and the tools matter less to it than the protocol does. */
const EASE = 0.1;

/** Which requests the direct lane answered, by their ids. */
const wentDirectly = new Set<string>();

/**
 * Two twins send the same requests, one to the server as it is and one to an adapter of the same service that
 * knows the official lane alone. Both have to be told the same.
 */
describe('the direct lane', () => {
  let server: TestServer;
  const adapters: McpAdapter[] = [];
  const besides: RawServer[] = [];
  let direct: RawClient;
  let official: RawClient;
  let twins: { direct: Twin; official: Twin };
  beforeAll(async () => {
    server = await startTestServer({ own: true });
    const beside = async (directLane: boolean) => {
      const onDirect = (requestId: string) => wentDirectly.add(requestId);
      const adapter = createMcp(server.running.app, { directLane, onDirect });
      adapters.push(adapter);
      const listening = await listenBeside(server, adapter);
      besides.push(listening);
      return rawClient(listening.url);
    };
    direct = await beside(true);
    official = await beside(false);
    await openStorefront(await newPerson(server), { name: 'Everybody’s Media' });
    twins = { direct: await newTwin(server), official: await newTwin(server) };
  });
  afterAll(async () => {
    direct.close();
    official.close();
    for (const adapter of adapters) await adapter.close();
    for (const beside of besides) await beside.stop();
    await server.stop();
  });

  /** What both lanes answer to the same. */
  async function both(raw: RawRequest, count: number) {
    const one = await direct.send(sentBy(raw, { ...twins.direct, requestId: `direct-${count}` }));
    const other = await official.send(sentBy(raw, { ...twins.official, requestId: `official-${count}` }));
    return { one: essence(one), other: essence(other) };
  }

  test.each(readOnly)(
    'answers $method like the official server, with each single damage',
    async (call) => {
      const tools = await listTools(direct, twins.direct.key, 'buyer');
      for (const [index, [what, raw]] of damagedOnce('buyer', tools, call).entries()) {
        const { one, other } = await both(raw, index);
        expectSame(one, other, what);
      }
    },
    120_000,
  );

  test.each(mcpSurfaces)(
    'answers like the official server, whatever it is sent: %s',
    async (surface) => {
      let count = 0;
      wentDirectly.clear();
      const tools = await listTools(direct, twins.direct.key, surface);
      const numRuns = casesOf({ share: SHARES[surface], tools: tools.length * EASE });
      const property = fc.asyncProperty(statelessRequests(surface, tools, knownIn(tools)), async (raw) => {
        count += 1;
        const { one, other } = await both(raw, count);
        expectSame(one, other);
      });

      await fc.assert(property, { numRuns });

      const [others, ours] = ['official-', 'direct-'].map(
        (twin) => [...wentDirectly].filter((requestId) => requestId.startsWith(twin)).length,
      );
      expect(ours).toBeGreaterThan(numRuns / 3);
      expect(ours).toBeLessThan(count * 0.9);
      expect(others).toBe(0);
    },
    timeoutOf(180_000),
  );
});

/** Lists of tools are long: they are gone through field by field only where their text differs. */
function expectSame(one: unknown, other: unknown, what?: string): void {
  if (JSON.stringify(one) !== JSON.stringify(other)) expect(one, what).toEqual(other);
}

/** Ids that exist, ids that do not, and fields that keep a call quick and inside the house. */
const id = (name: string) => fc.constantFrom(`{{${name}}}`, `{{${name}}}`, '999999');
const known = {
  advertiserId: id('advertiserId'),
  discoveryId: id('discoveryId'),
  campaignId: id('campaignId'),
  mediaBuyId: id('mediaBuyId'),
  storefrontId: id('storefrontId'),
  storefrontIds: fc.constant(['{{storefrontId}}']),
  sourceId: id('sourceId'),
  productId: id('productId'),
  salesAgentId: id('agentId'),
  agentId: id('agentId'),
  waitSeconds: fc.constant(5),
  endpointUrl: fc.constantFrom('ftp://far.example', 'https://user:secret@far.example'),
  url: fc.constantFrom('http://news.example/hook', 'https://'),
};

/** What nobody made for both is nobody's: a small number would be the id of what one of the twins has. */
function knownIn(tools: readonly ListedTool[]): Readonly<Record<string, fc.Arbitrary<unknown>>> {
  const numbers = tools
    .flatMap(({ inputSchema }) => Object.entries(asSchema(inputSchema['properties'])))
    .filter(([name, field]) => /[a-z]Id$/.test(name) && asSchema(field)['type'] === 'integer')
    .map(([name]) => [name, fc.constant(999_999)] as const);
  return { ...Object.fromEntries(numbers), ...known };
}
