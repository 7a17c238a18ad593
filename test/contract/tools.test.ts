import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { catalogOf } from '../../adapters/mcp/catalog.ts';
import { restPaths } from '../../adapters/rest/routes.ts';
import { packageRoot } from '../../adapters/settings/package-root.ts';
import type { Tool } from '../../tools/core/define.ts';
import { jsonSchema } from '../../tools/core/json-schema.ts';
import type { Stream } from '../../tools/core/streams.ts';
import { streams, tools } from '../../tools/registry.ts';
import { sortedJson } from '../support/sorted-json.ts';

/**
 * What clients rely on, one file a capability. A change here is a change for them: look at it, then write the
 * files anew with UPDATE_CONTRACT=1.
 */
const FOLDER = join(packageRoot, 'test/contract/tools');
const updating = process.env['UPDATE_CONTRACT'] === '1';

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
    rest: {
      addresses: restPaths(surface, rest).map((path) => `${rest.method} ${path}`),
      status: rest.status ?? 200,
      list: rest.list,
      shows: rest.shows === undefined ? undefined : jsonSchema(rest.shows.schema, 'output'),
    },
    mcp: { annotations: listed?.annotations },
    input: jsonSchema(tool.input, 'input'),
    output: jsonSchema(tool.output, 'output'),
  };
}

function contractOfStream(stream: Stream): object {
  const { name, title, description, surface, toolset, access, errors, resumesAfter } = stream;
  const addresses = restPaths(surface, stream).map((path) => `GET ${path}`);
  const input = jsonSchema(stream.input, 'input');
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

const fileOf = (name: string) => `${name.replaceAll('_', '-')}.json`;

describe('the contract', () => {
  test.each(contracts)('of %s is as it was agreed', (name, contract) => {
    const path = join(FOLDER, fileOf(name));
    if (updating) {
      mkdirSync(FOLDER, { recursive: true });
      writeFileSync(path, sortedJson(contract));
    }

    expect(sortedJson(contract)).toBe(readFileSync(path, 'utf8'));
  });

  test('has a file for every capability and for nothing else', () => {
    expect(readdirSync(FOLDER).sort()).toEqual(contracts.map(([name]) => fileOf(name)).sort());
  });
});
