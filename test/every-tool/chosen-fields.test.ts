import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tools } from '../../tools/registry.ts';
import { type Moment, walk } from '../journeys/walk.ts';
import { overMcp, overRest } from '../support/callers/tool-lanes.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';
import { Seen } from './support.ts';

interface Pair {
  readonly way: string;
  readonly without: unknown;
  readonly empty: unknown;
}

const choosing = tools.filter(({ input }) => 'fields' in input.shape);
const LANES = { REST: overRest, MCP: overMcp };

/** An answer without what differs from call to call: which members it has, and of which kind they are. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]));
}

/** The step asked without the list and with an empty one, in each detail there is, over each way. */
async function pairsOf({ args: { detail: _, ...args }, capability, ask }: Moment): Promise<Pair[]> {
  const details = 'detail' in capability.input.shape ? [{}, { detail: 'compact' }, { detail: 'full' }] : [{}];
  const pairs: Pair[] = [];
  for (const [name, lane] of Object.entries(LANES)) {
    for (const detail of details) {
      const without = await ask({ lane, args: { ...args, ...detail } });
      const empty = await ask({ lane, args: { ...args, ...detail, fields: [] } });
      const way = `${name} ${JSON.stringify(detail)}`;
      pairs.push({ way, without: shapeOf(without.content), empty: shapeOf(empty.content) });
    }
  }
  return pairs;
}

describe('an empty list of fields', () => {
  const seen = new Seen<Pair>();
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ own: true });
    await walk(server, {
      after: async (moment) => {
        if (!choosing.some(({ name }) => name === moment.step.tool)) return;
        for (const pair of await pairsOf(moment)) seen.add(moment.step.tool, pair);
      },
    });
  }, 120_000);
  afterAll(() => server.stop());

  test('can be given where fields can be chosen at all', () => {
    expect(choosing.map(({ name }) => name)).toEqual(['product_query', 'campaign_list', 'campaign_get']);
  });

  test.each(choosing.map(({ name }) => name))(
    'chooses nothing in %s, which answers as without it',
    (name) => {
      expect(seen.of(name).length).toBeGreaterThan(0);
      for (const { way, without, empty } of seen.of(name))
        expect({ way, said: empty }).toEqual({ way, said: without });
    },
  );
});
