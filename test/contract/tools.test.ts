import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { catalogOf } from '../../adapters/mcp/catalog.ts';
import { packageRoot } from '../../adapters/settings/package-root.ts';
import { restPaths } from '../../tools/core/addresses.ts';
import type { Tool } from '../../tools/core/define.ts';
import { type JsonSchema, jsonSchema } from '../../tools/core/schemas/json-schema.ts';
import type { Stream } from '../../tools/core/streams.ts';
import { streams, tools } from '../../tools/registry.ts';
import { sortedJson } from '../support/run/sorted-json.ts';
import { SharedRecords } from './shared-records.ts';

/**
 * What clients rely on, one file a capability, and one a record that several of them show. A change here is a
 * change for them: look at it, then write the files anew with UPDATE_CONTRACT=1.
 */
const TOOLS = join(packageRoot, 'test/contract/tools');
const RECORDS = join(packageRoot, 'test/contract/records');
const updating = process.env['UPDATE_CONTRACT'] === '1';

const records = new SharedRecords();

/** A schema without the records in it, which have files of their own. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  return records.extract(jsonSchema(schema, io));
}

function contractOf(tool: Tool): object {
  const { name, title, description, surface, toolset, effect, access, rest, errors, spellings } = tool;
  const [listed] = catalogOf([tool]).list;
  return {
    name,
    title,
    description,
    surface,
    toolset,
    effect,
    access,
    errors,
    spellings,
    alpha: tool.alpha ?? false,
    rest: rest && {
      addresses: restPaths(surface, rest).map((path) => `${rest.method} ${path}`),
      status: rest.status ?? 200,
      list: rest.list,
      shows: rest.shows === undefined ? undefined : schemaOf(rest.shows.schema, 'output'),
    },
    mcp: { annotations: listed?.annotations },
    input: schemaOf(tool.input, 'input'),
    output: schemaOf(tool.output, 'output'),
  };
}

function contractOfStream(stream: Stream): object {
  const { name, title, description, surface, toolset, access, errors, resumesAfter } = stream;
  const addresses = restPaths(surface, stream).map((path) => `GET ${path}`);
  const input = schemaOf(stream.input, 'input');
  return {
    name,
    title,
    description,
    surface,
    toolset,
    access,
    errors,
    resumesAfter,
    rest: { addresses },
    input,
  };
}

const contracts: readonly (readonly [string, object])[] = [
  ...tools.map((tool) => [tool.name, contractOf(tool)] as const),
  ...streams.map((stream) => [stream.name, contractOfStream(stream)] as const),
];

const toolFiles = contracts.map(
  ([name, contract]) => [`${name.replaceAll('_', '-')}.json`, contract] as const,
);
const recordFiles = records.all().map(([id, record]) => [`${id}.json`, record] as const);

describe.each([
  ['capability', TOOLS, toolFiles],
  ['record', RECORDS, recordFiles],
] as const)('the contract of a %s', (_, folder, files) => {
  test.each(files)('in %s is as it was agreed', (file, contract) => {
    const path = join(folder, file);
    if (updating) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(path, sortedJson(contract));
    }

    expect(sortedJson(contract)).toBe(readFileSync(path, 'utf8'));
  });

  test('has a file for each and for nothing else', () => {
    if (updating) for (const file of leftOver(folder, files)) rmSync(join(folder, file));

    expect(leftOver(folder, files)).toEqual([]);
  });
});

function leftOver(folder: string, files: readonly (readonly [string, object])[]): string[] {
  return readdirSync(folder).filter((name) => files.every(([file]) => file !== name));
}

describe('a record', () => {
  const point = (id: string) => ({ $ref: `#/$defs/${id}` });

  test('stands in a file of its own, to which the others point', () => {
    const shared = new SharedRecords();

    const own = shared.extract({
      properties: { ship: point('Ship') },
      $defs: { Ship: { items: point('Crew') }, Crew: { type: 'string' } },
    });

    expect(own).toEqual({ properties: { ship: { $ref: '../records/Ship.json' } } });
    expect(shared.all()).toEqual([
      ['Crew', { type: 'string' }],
      ['Ship', { items: { $ref: '../records/Crew.json' } }],
    ]);
  });

  test('cannot share its id with another one, nor be pointed at without having one', () => {
    const shared = new SharedRecords();
    shared.extract({ $defs: { Ship: { type: 'string' } } });

    expect(() => shared.extract({ $defs: { Ship: { type: 'object' } } })).toThrow('the id Ship');
    expect(() => shared.extract({ items: { $ref: '#' } })).toThrow('no record');
  });
});
