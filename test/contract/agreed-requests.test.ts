import { describe, expect, test } from 'vitest';
import type { Tool } from '../../tools/core/define.ts';
import { type JsonSchema, jsonSchema } from '../../tools/core/schemas/json-schema.ts';
import { schemaAt } from '../../tools/core/schemas/schema-parts.ts';
import { targetingNotBuilt } from '../../tools/domain/targeting/overlay.ts';
import { partsOf } from '../support/house/schema-walk.ts';
import { AGREED, readAgreed } from './agreed-notation.ts';
import { agreedTools } from './agreed-tools.ts';

/** What is documented for such a field, though not for this operation. */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  'POST /api/v2/buyer/campaigns': ['mode=directed'],
  'POST /api/v2/buyer/media-buys/batch': ['campaign.create.mode=directed'],
  'PATCH /api/v2/buyer/media-buys/{}': overlayOf('packages[]'),
  'PUT /api/v2/buyer/campaigns/{}': overlayOf('mediaBuys[].packages[]'),
};

function overlayOf(place: string): string[] {
  return targetingNotBuilt.map((field) => `${place}.targetingOverlay.${field}`);
}

/** Targets of goals of kind `event`, which are not built: of no other goal there is such a target. */
const OF_EVENTS = /target\.kind=(per_ad_spend|maximize_value)$/;

const served = agreedTools.map((one) => ({ ...one, places: placesOf(AGREED[one.address] ?? {}) }));

/** Every place, and every word of its closed list, `status[]=DRAFT`. */
function placesOf(written: Readonly<Record<string, string>>): string[] {
  return Object.entries(written).flatMap(([place, what]) => [
    place,
    ...readAgreed(what).words.map((word) => `${place}=${word}`),
  ]);
}

/** Every place of the input that is taken, and every word that a closed list there takes. */
function takenBy({ input }: Tool): Set<string> {
  const taken = new Set<string>();
  for (const { path, schema } of partsOf(jsonSchema(input, 'input'))) {
    taken.add(path);
    for (const word of wordsOf(schema)) {
      taken.add(`${path}=${word}`);
      // One thing is taken for a list of one.
      taken.add(`${path.replace(/\[\]$/, '')}=${word}`);
    }
  }
  return taken;
}

function wordsOf(schema: JsonSchema): unknown[] {
  if (schema['type'] === 'boolean') return [true, false];
  return [schema['enum'] ?? schema['const'] ?? []].flat();
}

function isTaken(tool: Tool, place: string, taken: ReadonlySet<string>): boolean {
  const others = Object.values(tool.spellings ?? {}).flat();
  const isOther = others.some((name) => place === name || /^(\[\]|\.)/.test(after(place, name)));
  return taken.has(place) || isOther || takesWord(tool, place);
}

/** Whether a word of a closed list is taken where the schema that is shown says in words alone which there are. */
function takesWord({ input }: Tool, place: string): boolean {
  const [field = '', word] = place.split('=');
  const path = field.split('.').flatMap((name) => (name.endsWith('[]') ? [name.slice(0, -2), 0] : [name]));
  return word !== undefined && schemaAt(input, path)?.safeParse(word).success === true;
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
  test('is written down for every operation that is served', () => {
    expect(agreedTools.map(({ address }) => address).sort()).toEqual(Object.keys(AGREED).sort());
  });

  test.each(served)('is taken at $address, or refused by name as not built', ({ tool, places }) => {
    const taken = takenBy(tool);
    const passed = places.filter(
      (place) => !isTaken(tool, place, taken) && !isRefused(tool, place) && !OF_EVENTS.test(place),
    );

    expect(passed).toEqual([]);
  });

  test.each(served)('holds all that $address says is not built', ({ address, tool, places }) => {
    const known = new Set([...places, ...(ELSEWHERE[address] ?? [])]);
    const beyond = (tool.notBuilt ?? []).filter(
      (entry) => !known.has(entry) && !known.has(entry.replace(/=true$|\[\d+\]$/, '')),
    );

    expect(beyond).toEqual([]);
  });

  test.each(served)(
    'names no brand at $address: such a word is the name of the installation',
    ({ tool, places }) => {
      const branded = places.filter((place) => /=(.*_)?brand(_.*)?$/i.test(place));

      expect(branded.filter((place) => !isRefused(tool, place))).toEqual([]);
    },
  );
});
