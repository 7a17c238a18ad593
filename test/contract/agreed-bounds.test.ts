import { describe, expect, test } from 'vitest';
import type { Tool } from '../../tools/core/define.ts';
import { type JsonSchema, jsonSchema } from '../../tools/core/schemas/json-schema.ts';
import { asSchema } from '../support/house/schema-walk.ts';
import { type Difference, type Exceptions, idleAmong, unexplained } from './agreed-exceptions.ts';
import { AGREED, type AgreedKind, readAgreed } from './agreed-notation.ts';
import { agreedTools } from './agreed-tools.ts';
import { isAnything, schemasAt } from './placed-schemas.ts';

const WHOLE = 'AdCP, where it goes, takes whole numbers there.';
const FORM = 'AdCP, where it goes, takes that form alone.';
const CLOSED = 'Another word names nothing: the refusal lists those that do.';
const MOMENT = 'Nothing else can be meant; a day is taken for a moment.';
const LIST = 'A text is taken for a list of one, or of several between commas.';
const OTHER_TYPE = 'It is taken as text, too.';
const NO_MORE = 'There are no more of them.';
const LONG_ENOUGH = 'No answer holds more.';

/** Where less is taken than was agreed, each with the reason. */
const NARROWER: Exceptions = [
  [/\b(interval|max_impressions|priority|start_hour|end_hour)$/, /whole/, WHOLE],
  [/\b(age_restriction\.min|logo\.(width|height)|min_exposures)$/, /whole/, WHOLE],
  [/^(pagination\.max_results|adcp_major_version)$/, /whole/, WHOLE],
  [/\blanguage\[\]$|^adcp_version$|\blogo\.url$/, /form of text/, FORM],
  [/^(startDate|endDate)$|\bend_time$/, /form of text/, MOMENT],
  [/^auth\.token$/, /form of text/, 'It goes into a header.'],
  [/^sourceId$/, /form of text/, 'It stands in addresses.'],
  [/\bconstraints\.channels\[\]$|^channel$|^fields\[\]$/, /closed list/, CLOSED],
  [/^mode$/, /no any/, CLOSED],
  [/\bgeometry\.coordinates\[\]$/, /no any/, 'GeoJSON has lists of numbers there.'],
  [/^(actions|resourceTypes|fields|mediaBuyId|storefrontIds|storefrontNames)$/, /no text/, LIST],
  [/^(debug|advertiserId|products\[\]\.storefrontId)$/, /no text/, OTHER_TYPE],
  [/^operatorId$/, /no text/, OTHER_TYPE],
  [/^discoveryId$/, /beyond 128/, 'No id that is given out is longer.'],
  [/\bpriority$/, /beyond 10/, 'There are ten goals at the most.'],
  [/\bfrequencyCaps$/, /beyond 1,/, 'A second one is refused by name as not built.'],
  [/\bdaypart_targets\[\]\.days$/, /beyond 7/, NO_MORE],
  [/^adcp_major_version$/, /beyond 999/, NO_MORE],
  [/^maxProducts$/, /beyond 100/, LONG_ENOUGH],
  [/^placementLimit$/, /beyond 250/, LONG_ENOUGH],
  [/^filters\.budget_range\.max$/, /beneath >0/, 'Nothing can be bought for nothing.'],
];

/** Where nothing was agreed, a bound leaves at least this much room. */
const ROOM: Readonly<Record<string, number>> = { text: 32, list: 10, int: 1_000, number: 1_000 };

const served = agreedTools
  .map((one) => ({ ...one, written: Object.entries(AGREED[one.address] ?? {}) }))
  .filter(({ written }) => written.length > 0);

interface Taken {
  readonly always: boolean;
  readonly schemas: readonly JsonSchema[];
}

/** What an input takes at each place. */
function takenAt({ input }: Tool): ReadonlyMap<string, Taken> {
  const schemas = schemasAt(jsonSchema(input, 'input'));
  return new Map(
    [...schemas].map(([path, here]) => [path, { always: isAlways(schemas, path), schemas: here }]),
  );
}

/** Whether no object around a field lets it be left out. */
function isAlways(schemas: ReturnType<typeof schemasAt>, path: string): boolean {
  const [, around = '', name = ''] = /^(?:(.*)\.)?([^.]*)$/.exec(path) ?? [];
  const objects = (schemas.get(around) ?? []).filter((schema) => schema['properties'] !== undefined);
  return objects.length > 0 && objects.every((schema) => [schema['required']].flat().includes(name));
}

const TYPES: Readonly<Record<string, readonly string[]>> = {
  text: ['string'],
  int: ['integer', 'number'],
  number: ['integer', 'number'],
  list: ['array'],
  object: ['object'],
  null: ['null'],
};

/** What is refused of one kind of value that was agreed, in words. */
function narrowed(agreed: AgreedKind, { schemas }: Taken): string[] {
  if (schemas.some(isAnything)) return [];
  const own = schemas.filter((schema) => typesOf(schema).some((type) => TYPES[agreed.kind]?.includes(type)));
  if (own.length === 0) return [`takes no ${agreed.kind}`];
  const open = own.filter((schema) => schema['enum'] === undefined && schema['const'] === undefined);
  if (open.length === 0) return ['takes words of a closed list alone'];
  return [
    ...(agreed.kind === 'number' && own.every((schema) => schema['type'] === 'integer')
      ? ['takes whole numbers alone']
      : []),
    ...(agreed.kind === 'text' && !agreed.hasForm && open.every(hasForm)
      ? ['takes one form of text alone']
      : []),
    ...beneath(agreed, open),
    ...beyond(agreed, open),
  ];
}

const typesOf = (schema: JsonSchema) => [schema['type'] ?? typeof schema['const']].flat().map(String);

const hasForm = (schema: JsonSchema) => schema['pattern'] !== undefined || schema['format'] !== undefined;

const BOUNDS: Readonly<Record<string, readonly [least: string, most: string]>> = {
  string: ['minLength', 'maxLength'],
  array: ['minItems', 'maxItems'],
  integer: ['minimum', 'maximum'],
  number: ['minimum', 'maximum'],
};

function beneath(agreed: AgreedKind, open: readonly JsonSchema[]): string[] {
  const leasts = open.map((schema) => {
    const above = schema['exclusiveMinimum'];
    const least = above ?? schema[BOUNDS[String(schema['type'])]?.[0] ?? ''];
    return { least: numberOr(least, Number.NEGATIVE_INFINITY), above: above !== undefined };
  });
  const least = Math.min(...leasts.map((one) => one.least));
  const above = leasts.every((one) => one.least > least || one.above);
  if (least <= -Number.MAX_SAFE_INTEGER) return [];
  // One is the least that is anything at all.
  if (agreed.min === undefined)
    return least > 1 ? [`takes nothing beneath ${least}, of which nothing was agreed`] : [];
  const isNarrower = least > agreed.min || (least === agreed.min && above && !agreed.above);
  return isNarrower ? [`takes nothing beneath ${above ? '>' : ''}${least}, agreed were ${agreed.min}`] : [];
}

function beyond(agreed: AgreedKind, open: readonly JsonSchema[]): string[] {
  const most = Math.max(
    ...open.map((schema) =>
      numberOr(
        schema[BOUNDS[String(schema['type'])]?.[1] ?? ''] ?? schema['exclusiveMaximum'],
        Number.POSITIVE_INFINITY,
      ),
    ),
  );
  if (agreed.max !== undefined) {
    return most < agreed.max ? [`takes nothing beyond ${most}, agreed were ${agreed.max}`] : [];
  }
  return most < roomFor(agreed, open) ? [`takes nothing beyond ${most}, of which nothing was agreed`] : [];
}

/** A list of words has room for each. */
function roomFor({ kind }: AgreedKind, open: readonly JsonSchema[]): number {
  const words = open.flatMap((schema) => asSchema(schema['items'])['enum']);
  const known = words.filter((word) => word !== undefined);
  return known.length > 0 ? known.length : (ROOM[kind] ?? 0);
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}

/** Everything that a capability refuses of what was agreed: `limit: takes nothing beyond 50, agreed were 100`. */
function differences(tool: Tool, written: readonly (readonly [string, string])[]): Difference[] {
  const taken = takenAt(tool);
  return written.flatMap(([place, what]) => {
    const agreed = readAgreed(what);
    const ours = taken.get(place);
    // Other names, and what is not built, are seen in agreed-requests.test.ts.
    if (ours === undefined) return [];
    const said = agreed.kinds.flatMap((kind) => narrowed(kind, ours));
    const needed = ours.always && !agreed.always ? ['may not be left out'] : [];
    return [...said, ...needed].map((one): Difference => [place, one]);
  });
}

describe('what was agreed that a request may hold', () => {
  test.each(served)('is taken as widely at $address', ({ tool, written }) => {
    expect(unexplained(differences(tool, written), NARROWER)).toEqual([]);
  });

  test('has no reason for less of which nothing is left', () => {
    const all = served.flatMap(({ tool, written }) => differences(tool, written));

    expect(idleAmong(NARROWER, all)).toEqual([]);
  });
});
