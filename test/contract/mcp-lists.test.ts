import { describe, expect, test } from 'vitest';
import { catalogOf } from '../../adapters/mcp/catalog.ts';
import { everything, shownOf, toolsOf } from '../../adapters/mcp/choice.ts';
import { mcpSurfaces } from '../../tools/core/surfaces.ts';
import { tools } from '../../tools/registry.ts';

const TOOLS_MAX = 60;
const TOKENS_MAX = 15_000;
/** What a token of English and JSON comes to. */
const BYTES_A_TOKEN = 4;

describe.each(mcpSurfaces)('the default list of the %s surface', (surface) => {
  const { list } = catalogOf(shownOf(toolsOf(tools, surface, everything), everything));

  test('shows what the surface has, in the order of the registry', () => {
    const expected = tools.filter(
      (tool) => [surface, 'platform'].includes(tool.surface) && tool.inDefaultList,
    );

    expect(list.map(({ name }) => name)).toEqual(expected.map(({ name }) => name));
    expect(list.length).toBeGreaterThan(5);
  });

  test('has 60 tools at the most', () => {
    expect(list.length).toBeLessThanOrEqual(TOOLS_MAX);
  });

  test('costs a model fewer than 15,000 tokens: names, descriptions and input schemas', () => {
    const shown = list.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));

    expect(Buffer.byteLength(JSON.stringify(shown)) / BYTES_A_TOKEN).toBeLessThan(TOKENS_MAX);
  });

  test('has an object at the root of every schema', () => {
    for (const { inputSchema, outputSchema } of list) {
      expect(inputSchema.type).toBe('object');
      expect(outputSchema?.['type']).toBe('object');
    }
  });
});
