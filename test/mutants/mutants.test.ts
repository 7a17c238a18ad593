import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMcp, type McpAdapter } from '../../adapters/mcp/endpoint.ts';
import { newPerson } from '../support/callers/people.ts';
import { type RawAnswer, type RawClient, rawClient } from '../support/mcp/mcp.ts';
import { essence } from '../support/mcp/mcp-compare.ts';
import { damagedOnce, sentBy } from '../support/mcp/mcp-requests.ts';
import { listenBeside, listTools, newTwin, readOnly, type Twin } from '../support/mcp/mcp-twins.ts';
import { openStorefront } from '../support/sellers/market.ts';
import type { RawServer } from '../support/sellers/seller-agent.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';
import { mutants } from './mutants.ts';
import { type Field, newField } from './plant.ts';

interface Beside {
  readonly client: RawClient;
  close(): Promise<void>;
}

/** A call that is refused for now, with the time to come back at: it is sent undamaged only. */
const tooMany = {
  method: 'tools/call',
  own: { name: 'discover_products', arguments: { advertiserId: '{{advertiserId}}' } },
} as const;
const calls = [...readOnly, tooMany];

/** A test of both lanes is worth what it finds: each fault in the table has to be told from the project as it is. */
describe('the single damages', () => {
  let server: TestServer;
  let field: Field;
  let twin: Twin;
  let requests: (readonly [string, string, ReturnType<typeof sentBy>])[];
  let expected: ReadonlyMap<string, string>;
  beforeAll(async () => {
    server = await startTestServer({ settings: { DISCOVERY_SESSIONS_OPEN: '1' } });
    field = newField();
    await openStorefront(await newPerson(server), { name: 'Everybody’s Media' });
    twin = await newTwin(server);
    // From now on another search is one too many.
    await server.store.db
      .updateTable('discovery_sessions')
      .set({ status: 'collecting' })
      .where('organization_id', '=', twin.organizationId)
      .execute();
    const official = await beside(createMcp(server.running.app, { directLane: false }));
    const tools = await listTools(official.client, twin.key, 'buyer');
    const damagesOf = (call: (typeof calls)[number]) =>
      call === tooMany ? damagedOnce('buyer', tools, call).slice(0, 1) : damagedOnce('buyer', tools, call);
    requests = calls.flatMap((call, which) =>
      damagesOf(call).map(([what, raw], index) => {
        const requestId = `official-${which * 1_000 + index}`;
        return [requestId, what, sentBy(raw, { ...twin, requestId })] as const;
      }),
    );
    const answers = new Map<string, string>();
    for (const [id, , raw] of requests) answers.set(id, told(await official.client.send(raw)));
    expected = answers;
    await official.close();
  }, 300_000);
  afterAll(async () => {
    field.clear();
    await server.stop();
  });

  const told = (answer: RawAnswer) => JSON.stringify(essence(answer));

  async function beside(adapter: McpAdapter): Promise<Beside> {
    const listening: RawServer = await listenBeside(server, adapter);
    const client = rawClient(listening.url);
    return {
      client,
      close: async () => {
        client.close();
        await adapter.close();
        await listening.stop();
      },
    };
  }

  /** The first request that is answered otherwise than the official server answers it. */
  async function killerOf(adapter: McpAdapter): Promise<string | undefined> {
    const { client, close } = await beside(adapter);
    try {
      for (const [id, what, raw] of requests) {
        const answer = await client.send(raw).then(told).catch(String);
        if (answer !== expected.get(id)) return what;
      }
      return undefined;
    } finally {
      await close();
    }
  }

  test('find nothing in the project as it is', async () => {
    expect(await killerOf(createMcp(server.running.app))).toBeUndefined();
  }, 300_000);

  test.each(mutants)(
    'find the endpoint that $what',
    async (mutant) => {
      const { createMcp: createMutant } = await field.plant(mutant);

      expect(await killerOf(createMutant(server.running.app))).toBeDefined();
    },
    300_000,
  );
});
