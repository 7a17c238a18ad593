import { describe, expect, test } from 'vitest';
import { routesOf } from '../../adapters/rest/routes.ts';
import type { Tool } from '../../tools/core/define.ts';
import { type JsonSchema, jsonSchema } from '../../tools/core/schemas/json-schema.ts';
import { buyGoalsNotBuilt } from '../../tools/domain/campaigns/goals.ts';
import { productsNotBuilt } from '../../tools/domain/order-remaking/product-fields.ts';
import { targetingNotBuilt } from '../../tools/domain/targeting/overlay.ts';
import { streams, tools } from '../../tools/registry.ts';
import { partsOf } from '../support/house/schema-walk.ts';
import agreed from './agreed-requests.json' with { type: 'json' };

/**
 * What was agreed with the callers of such services that a request may hold, copied from there for each operation
 * that is served: the fields two levels deep, `products[].pageId` for one in the entries of a list, and
 * `status[]=DRAFT` or `plan=basic` for each value of a closed list.
 */
const AGREED: Readonly<Record<string, readonly string[]>> = agreed;

/** Words that are documented for such a field, though not for this operation. */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  'POST /api/v2/buyer/campaigns': ['mode=directed'],
  'PUT /api/v2/buyer/campaigns/{}': [
    ...productsNotBuilt.map((field) => `mediaBuys[].${field}`),
    ...buyGoalsNotBuilt('mediaBuys[].'),
    ...targetingNotBuilt.map((field) => `mediaBuys[].packages[].targetingOverlay.${field}`),
  ],
  'POST /api/v2/buyer/discovery/{}/products': targetingNotBuilt.map(
    (field) => `products[].targetingOverlay.${field}`,
  ),
};

const served = routesOf(tools, streams).flatMap(({ method, path, target }) => {
  const address = `${method} ${path.replace(/\{\w+\}/g, '{}')}`;
  return 'tool' in target && address in AGREED ? [{ address, tool: target.tool }] : [];
});

/** Every place of the input that is taken, with its other names, and every word that a closed list there takes. */
function takenBy({ input, spellings = {} }: Tool): Set<string> {
  const taken = new Set<string>(Object.values(spellings).flat());
  for (const { path, schema } of partsOf(jsonSchema(input, 'input'))) {
    taken.add(path);
    for (const word of wordsOf(schema)) taken.add(`${path}=${word}`);
  }
  return taken;
}

function wordsOf(schema: JsonSchema): unknown[] {
  if (schema['type'] === 'boolean') return [true, false];
  return [schema['enum'] ?? schema['const'] ?? []].flat();
}

/** Whether a place, or something around it, is said not to be built. */
function isRefused({ notBuilt = [] }: Tool, place: string): boolean {
  return notBuilt.some((entry) => {
    const field = entry.replace(/=true$/, '');
    return place === entry || place === field || /^(\[\]|[.=])/.test(after(place, field));
  });
}

function after(place: string, field: string): string {
  return place.startsWith(field) ? place.slice(field.length) : '';
}

describe('what was agreed that a request may hold', () => {
  test('is written down for what is served', () => {
    expect(served.length).toBe(Object.keys(AGREED).length);
  });

  test.each(served)('is taken at $address, or refused by name as not built', ({ address, tool }) => {
    const taken = takenBy(tool);
    const passed = (AGREED[address] ?? []).filter((place) => !taken.has(place) && !isRefused(tool, place));

    expect(passed).toEqual([]);
  });

  test.each(served)('holds all that $address says is not built', ({ address, tool }) => {
    const places = new Set([...(AGREED[address] ?? []), ...(ELSEWHERE[address] ?? [])]);
    const beyond = (tool.notBuilt ?? []).filter(
      (entry) => !places.has(entry) && !places.has(entry.replace(/=true$|\[\d+\]$/, '')),
    );

    expect(beyond).toEqual([]);
  });

  test.each(served)(
    'names no brand at $address: such a word is the name of the installation',
    ({ address, tool }) => {
      const branded = (AGREED[address] ?? []).filter((place) => /=(.*_)?brand(_.*)?$/i.test(place));

      expect(branded.filter((place) => !isRefused(tool, place))).toEqual([]);
    },
  );
});
