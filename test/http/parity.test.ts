import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { isOverMcp, isRestTool, type RestTool } from '../../tools/core/define.ts';
import { withTextIds } from '../../tools/core/schemas/text-ids.ts';
import { tools } from '../../tools/registry.ts';
import { walkAlike, withoutChance } from '../journeys/alike.ts';
import type { Walked } from '../journeys/walk.ts';
import { lanes, type Outcome } from '../support/callers/tool-lanes.ts';
import type { TestServer } from '../support/server/server.ts';

function expectSame(tool: RestTool, rest: Outcome | undefined, output: Outcome['content']): void {
  const { shows } = tool.rest;
  const content = rest?.content ?? {};
  // 204 has nothing to say.
  if (rest?.status === 204) {
    expect(content).toEqual({});
    return;
  }
  // REST may show an output in the contract's wrapping; ids are text over MCP, whatever the contract has.
  const shown = shows === undefined ? output : shows.from(output);
  const answer = z.object({ shown: shows?.schema ?? tool.output });
  const expected = withTextIds({ output: answer }, { shown: content });
  expect(withoutChance({ shown })).toEqual(withoutChance(expected));
}

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
    test.each(
      tools
        .filter(isRestTool)
        .filter(isOverMcp)
        .map((tool) => [tool.name, tool] as const),
    )('%s gives what REST gives', (name, tool) => {
      const rest = walks.get('REST')?.get(name);
      const mcp = walks.get(lane)?.get(name);

      const { status = 200, instead } = tool.rest;
      expect([status, instead?.status]).toContain(rest?.status);
      expect(rest?.failed).toBe(false);
      expect(mcp).toMatchObject({ status: 200, failed: false });
      expectSame(tool, rest, mcp?.content ?? {});
    });
  });
});
