import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { describe, expect, test } from 'vitest';
import { catalogOf } from '../../adapters/mcp/catalog.ts';
import { everything, toolsOf } from '../../adapters/mcp/choice.ts';
import type { JsonSchema } from '../../tools/core/schemas/json-schema.ts';
import { type McpSurface, mcpSurfaces } from '../../tools/core/surfaces.ts';
import { tools } from '../../tools/registry.ts';
import { asSchema, type Part, partsOf } from '../support/house/schema-walk.ts';
import { wholeOutput } from '../support/house/whole-output.ts';

/** What a family of hosts takes in the schema of an input: the words, and what else has to hold at each place. */
interface HostRules {
  readonly words: readonly string[];
  readonly formats: readonly string[];
  holds?(schema: JsonSchema): boolean;
}

const COMMON = ['type', 'properties', 'required', 'items', 'enum', 'description', 'additionalProperties'];
const BOUNDS = ['minimum', 'maximum', 'minItems', 'maxItems'];
const TYPES = ['object', 'array', 'string', 'integer', 'number', 'boolean'];

const hasOneType = ({ type }: JsonSchema) => typeof type === 'string' && TYPES.includes(type);

const families: Readonly<Record<string, HostRules>> = {
  'strict schemas of functions: every object closed, no limits of texts': {
    words: [...COMMON, ...BOUNDS, 'format'],
    formats: ['date-time', 'date', 'time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'],
    holds: ({ type, additionalProperties }) => type !== 'object' || additionalProperties === false,
  },
  'a subset of OpenAPI: one type a place, lists with entries of one kind, words as texts': {
    words: [...COMMON, ...BOUNDS, 'format'],
    formats: ['date-time'],
    holds: ({ type, items, enum: words }) =>
      (type !== 'array' || hasOneType(asSchema(items))) && (words === undefined || type === 'string'),
  },
  'checkers of arguments that know one type a place and nothing that points elsewhere': {
    words: [...COMMON, ...BOUNDS, 'format'],
    formats: ['date-time'],
    holds: hasOneType,
  },
};

function broken({ words, formats, holds = () => true }: HostRules, parts: readonly Part[]): string[] {
  return parts.flatMap(({ path, schema }) => [
    ...Object.keys(schema).flatMap((word) => (words.includes(word) ? [] : `${path}: ${word}`)),
    ...(schema['format'] === undefined || formats.includes(String(schema['format']))
      ? []
      : `${path}: format`),
    ...(holds(schema) ? [] : `${path}: ${JSON.stringify(schema)}`),
  ]);
}

const OPEN_PLACES = new Set(['pathParams', 'query', 'body'].map((field) => `api_call.${field}`));
const lastOf = (path: string) => path.split('.').at(-1) ?? '';

/** The schema as a validator wants it. */
const schemaOf = (schema: unknown): JsonSchema => ({ ...asSchema(schema) });

const listOf = (surface: McpSurface) => catalogOf(toolsOf(tools, surface, everything)).list;
const everyTool = mcpSurfaces.flatMap((surface) =>
  listOf(surface).map((tool) => [surface, tool.name, tool] as const),
);

describe.each(Object.entries(families))('hosts with %s', (_, rules) => {
  test.each(everyTool)('take what %s publishes of the input of %s', (_surface, name, { inputSchema }) => {
    // What any operation takes stands open: a host that wants every object closed calls tools by their names.
    const parts = partsOf(inputSchema).filter(({ path }) => !OPEN_PLACES.has(`${name}.${lastOf(path)}`));

    expect(parts.length).toBeGreaterThan(0);
    expect(broken(rules, parts)).toEqual([]);
  });
});

describe('the published schemas', () => {
  test.each(everyTool)('of %s: %s have an object at the root of what comes out', (_surface, _name, tool) => {
    const { outputSchema = {} } = tool;

    expect(outputSchema['type']).toBe('object');
    expect(Object.keys(outputSchema).sort()).toEqual(['properties', 'type']);
    for (const { schema } of partsOf(outputSchema)) {
      const words = Object.keys(schema).filter((word) => /^\$|Of$|^pattern$|^format$/.test(word));
      expect(words).toEqual('anyOf' in schema ? ['anyOf'] : []);
    }
  });

  test.each(everyTool)(
    'of %s: %s say one type a place, and null as a branch of its own',
    (_surface, _name, tool) => {
      for (const { path, schema } of partsOf(tool.outputSchema ?? {})) {
        expect(schema['type'], path).not.toBeInstanceOf(Array);
        const { anyOf } = schema;
        if (!Array.isArray(anyOf)) continue;
        expect(anyOf).toHaveLength(2);
        expect(anyOf, path).toContainEqual({ type: 'null' });
      }
    },
  );

  test.each(everyTool)(
    'of %s: %s let a failure pass, against which clients hold them',
    (_surface, _name, tool) => {
      const validate = new AjvJsonSchemaValidator().getValidator(schemaOf(tool.outputSchema));
      const failure = {
        code: 'NOT_FOUND',
        message: 'No.',
        field: 'a',
        suggestion: 'Look.',
        recovery: 'correctable',
      };

      expect(validate({ ...failure, details: { issues: [] }, retry_after: 2 })).toMatchObject({
        valid: true,
      });
      expect(validate('text').valid).toBe(false);
    },
  );

  test('say in words what they leave out', () => {
    const [create] = listOf('buyer').filter(({ name }) => name === 'campaign_create');
    const total = partsOf(create?.inputSchema ?? {}).find(({ path }) => path === 'budget.total');

    expect(total?.schema).toEqual({ type: 'number', description: expect.stringContaining('More than 0.') });
  });

  /** Records of the interface that type their ids as numbers: no input takes what has text elsewhere from them. */
  const TYPED = {
    service_token_create: 'id customerId seatId userId organizationId createdByUserId',
    media_buy_get: 'tactic_id customer_id',
  };

  test.each(Object.entries(TYPED))('of %s have its ids as the interface types them', (tool, ids) => {
    const [, , { outputSchema = {} } = {}] = everyTool.find(([, name]) => name === tool) ?? [];
    const parts = new Map(partsOf(outputSchema).map(({ path, schema }) => [path, schema]));

    for (const id of ids.split(' ')) expect(parts.get(id), id).toMatchObject({ type: 'integer' });
  });

  /** All that a tool answers, of which the list shows the beginning. */
  function wholeOf(name: string): JsonSchema {
    const tool = tools.find((one) => one.name === name);
    return tool === undefined ? {} : wholeOutput(tool);
  }

  test('of an id are of one type in what comes out and in what goes in', () => {
    const parts = everyTool
      .filter(([, name]) => !name.startsWith('service_token_'))
      .flatMap(([, name, tool]) => [...partsOf(tool.inputSchema), ...partsOf(wholeOf(name))]);
    const ids = parts.filter(
      ({ path, schema }) =>
        // Those in snake case stand in records of the interface, as it types them, and no input is named so.
        /[a-z]Ids?$/.test(path) && !('anyOf' in schema) && schema['type'] !== 'null',
    );

    expect(ids.length).toBeGreaterThan(10);
    for (const { path, schema } of ids) {
      const { type } = schema['type'] === 'array' ? asSchema(schema['items']) : schema;
      const types = [type].flat().filter((one) => one !== 'null');
      // Ids of formats are objects, both ways.
      expect([['string'], ['object']], path).toContainEqual(types);
    }
  });

  test('of a service token name it by the number that its record has', () => {
    for (const [, name, { inputSchema }] of everyTool) {
      if (name !== 'service_token_archive') continue;
      expect(asSchema(inputSchema.properties?.['id'])['type']).toBe('integer');
    }
  });

  test('of outputs show as many levels as fit, and the first of what is larger', () => {
    const shownOfTool = (name: string) => everyTool.find(([, one]) => one === name)?.[2].outputSchema ?? {};
    const [small, large] = ['accept_tos', 'campaign_get'].map(shownOfTool);

    expect(partsOf(small ?? {}).map(({ path }) => path)).toContain('acceptance.tosVersion');
    expect(large).toEqual({ type: 'object', properties: { campaign: { type: 'object' } } });
  });

  test.each(everyTool)('of %s: %s tell no title twice', (_surface, _name, { title, annotations }) => {
    expect(title).toEqual(expect.any(String));
    expect(annotations).not.toHaveProperty('title');
  });
});
