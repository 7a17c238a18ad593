import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isRestTool } from '../../tools/core/define.ts';
import { withTextIds } from '../../tools/core/output-ids.ts';
import { tools } from '../../tools/registry.ts';
import { walkAlike, withoutChance } from '../journeys/alike.ts';
import type { Walked } from '../journeys/walk.ts';
import type { TestServer } from '../support/server.ts';
import { lanes } from '../support/tool-lanes.ts';

describe('every tool', () => {
  const servers: TestServer[] = [];
  const walks = new Map<string, Walked['outcomes']>();
  beforeAll(async () => {
    for (const [name, lane] of Object.entries(lanes)) {
      const { server, outcomes } = await walkAlike({ lane });
      servers.push(server);
      walks.set(name, outcomes);
    }
  });
  afterAll(async () => {
    for (const server of servers) await server.stop();
  });

  describe.each(Object.keys(lanes).slice(1))('over %s', (lane) => {
    test.each(tools.filter(isRestTool).map((tool) => [tool.name, tool] as const))(
      '%s gives what REST gives',
      (name, tool) => {
        const rest = walks.get('REST')?.get(name);
        const mcp = walks.get(lane)?.get(name);

        expect(rest).toMatchObject({ status: tool.rest.status ?? 200, failed: false });
        expect(mcp).toMatchObject({ status: 200, failed: false });
        const output = mcp?.content ?? {};
        // REST may show an output in the contract's wrapping.
        const shown = tool.rest.shows === undefined ? output : tool.rest.shows.from(output);
        // Ids are text over MCP, whatever the contract has.
        const expected =
          tool.rest.shows === undefined ? withTextIds(tool, rest?.content ?? {}) : rest?.content;
        expect(withoutChance(shown)).toEqual(withoutChance(expected));
      },
    );
  });
});
