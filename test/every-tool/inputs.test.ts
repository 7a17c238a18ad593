import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type JsonSchema, jsonSchema } from '../../tools/core/schemas/json-schema.ts';
import { byTool, capabilityOf, firstSteps, overMcpAlone, overRestAlone } from '../journeys/journey.ts';
import type { Fields, Step } from '../journeys/step.ts';
import { type Moment, walk } from '../journeys/walk.ts';
import { type Outcome, overMcp, overRest } from '../support/callers/tool-lanes.ts';
import { asSchema } from '../support/house/schema-walk.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

interface Issue {
  readonly path: string;
  readonly message: string;
}

function issuesOf({ content }: Outcome): Issue[] {
  expect(content).toMatchObject({ code: 'VALIDATION_ERROR', message: expect.stringMatching(/./) });
  const { issues }: { issues: Issue[] } = JSON.parse(JSON.stringify(content['details']));
  for (const { message } of issues) expect(message).toMatch(/\w{3}/);
  return issues;
}

const pathsOf = (outcome: Outcome) => issuesOf(outcome).map(({ path }) => path);

/** Every place is named, or as many as a reader can take in, and how many more there are. */
function expectToldOf(outcome: Outcome, paths: readonly string[]): void {
  const told = pathsOf(outcome);
  const { moreIssues = 0 }: { moreIssues?: number } = JSON.parse(JSON.stringify(outcome.content['details']));
  if (paths.length > 20 || moreIssues > 0) expect(told).toHaveLength(20);
  else expect(told).toEqual(expect.arrayContaining([...paths]));
  expect(told.length + moreIssues).toBeGreaterThanOrEqual(paths.length);
}

function schemaOf(step: Step): JsonSchema {
  return jsonSchema(capabilityOf(step).input, 'input');
}

function fieldsOf(schema: JsonSchema): [string, JsonSchema][] {
  return Object.entries(asSchema(schema['properties'])).map(([name, field]) => [name, asSchema(field)]);
}

function requiredIn(schema: JsonSchema): string[] {
  return Array.isArray(schema['required']) ? schema['required'].map(String) : [];
}

/** A field that is not there, and the one that it is nearest to: its longest, without the last letter. */
function misspelled(step: Step): { unknown: string; meant: string | undefined } {
  const [meant] = fieldsOf(schemaOf(step))
    .map(([name]) => name)
    .sort((one, other) => other.length - one.length);
  return { unknown: meant === undefined ? 'colour' : meant.slice(0, -1), meant };
}

interface Wrong {
  readonly value: unknown;
  /** Where it is wrong. */
  readonly paths: readonly string[];
}

/** A value that is wrong wherever a part of it can be: nothing where none can. */
function wrongFor(part: { schema: JsonSchema; path: string }, leaf: Leaf): Wrong {
  const { schema, path } = part;
  if (schema['type'] === 'array') {
    const whole = leaf(schema);
    if (Array.isArray(whole)) return { value: whole, paths: [path] };
    const { value, paths } = wrongFor({ schema: asSchema(schema['items']), path: `${path}.0` }, leaf);
    return { value: [value], paths };
  }
  const fields = fieldsOf(schema);
  if (fields.length === 0) {
    const value = leaf(schema);
    return { value, paths: value === undefined ? [] : [path] };
  }
  const parts = fields
    .map(([name, field]) => [name, wrongFor({ schema: field, path: `${path}.${name}` }, leaf)] as const)
    .filter(([, { paths }]) => paths.length > 0);
  return {
    value: Object.fromEntries(parts.map(([name, { value }]) => [name, value])),
    paths: parts.flatMap(([, { paths }]) => paths),
  };
}

/** Where no object is wanted, one of which no text can be made. */
const ofAnotherType: Leaf = ({ type }) => (type === 'object' ? 'a text' : { toString: 1, valueOf: 1 });

type Leaf = (schema: JsonSchema) => unknown;

/** Just above what the published schema allows; undefined where it allows everything. */
const above: Leaf = ({ type, enum: words, maxLength, maximum, format, pattern }) => {
  if (Array.isArray(words)) return 'none of these';
  if (type === 'string' && (format !== undefined || pattern !== undefined)) return '?\u00e4!';
  if (typeof maxLength === 'number') return 'x'.repeat(maxLength + 1);
  if (typeof maximum === 'number') return maximum + 1;
  return type === 'integer' ? 0.5 : undefined;
};

/** Just below it. */
const below: Leaf = ({ minLength, minimum, exclusiveMinimum, minItems }) => {
  if (typeof minItems === 'number') return [];
  if (typeof minLength === 'number') return 'x'.repeat(minLength - 1);
  if (exclusiveMinimum !== undefined) return exclusiveMinimum;
  return typeof minimum === 'number' ? minimum - 1 : undefined;
};

/** The fields of a step's input, each wrong where it can be. */
function wrongIn(step: Step, leaf: Leaf): { args: Fields; paths: string[] } {
  const wrong = fieldsOf(schemaOf(step))
    .map(([path, schema]) => [path, wrongFor({ schema, path }, leaf)] as const)
    .filter(([, { paths }]) => paths.length > 0);
  return {
    args: Object.fromEntries(wrong.map(([name, { value }]) => [name, value])),
    paths: wrong.flatMap(([, { paths }]) => paths),
  };
}

const ofTools = firstSteps.filter((step) => 'handler' in capabilityOf(step));
const withFields = ofTools.filter((step) => fieldsOf(schemaOf(step)).length > 0);
const withLimits = ofTools.filter((step) =>
  [above, below].some((leaf) => wrongIn(step, leaf).paths.length > 0),
);
const withRequired = ofTools.filter((step) => requiredIn(schemaOf(step)).length > 0);

/** Over REST a field of the path cannot be left out, and what only stands there has no other way. */
const overBoth = (step: Step) => !overRestAlone(step);

describe('an input', () => {
  let server: TestServer;
  const moments = new Map<string, Moment>();
  beforeAll(async () => {
    server = await startTestServer();
    // What does not pass as an input gets no further: any time is the right one.
    await walk(server, {
      before: async (moment) => void moments.set(moment.step.tool, moment),
      onlyMakes: true,
    });
  }, 120_000);
  afterAll(() => server.stop());

  function momentOf(tool: string): Moment {
    const moment = moments.get(tool);
    if (moment === undefined) throw new Error(`${tool} had no turn.`);
    return moment;
  }

  test.each(byTool(firstSteps))(
    'of %s with an unknown field is refused, and the nearest one is named',
    async (tool, step) => {
      const { ask, args } = momentOf(tool);
      const { unknown, meant = '' } = misspelled(step);

      const asked = { ...args, [unknown]: 'x' };
      const outcomes = [
        await ask({ lane: overRest, args: asked }),
        await ask({ lane: overMcp, args: asked }),
      ];
      for (const outcome of outcomes) {
        const [issue, ...others] = issuesOf(outcome);
        expect(others).toEqual([]);
        expect(issue).toEqual({ path: unknown, message: expect.stringContaining(meant) });
        expect(outcome.content['field']).toBe(unknown);
      }
      // Over MCP a refusal is an answer like any other.
      const status = overMcpAlone(step) ? 200 : 400;
      expect(outcomes[0]?.status).toBe(status);
    },
  );

  test.each(byTool(withFields.filter(overBoth)))(
    'of %s that is wrong everywhere is told of every place at once',
    async (tool, step) => {
      const { args, paths } = wrongIn(step, ofAnotherType);

      const outcome = await momentOf(tool).ask({ lane: overMcp, args: { ...args, colour: 'red' } });

      expectToldOf(outcome, ['colour', ...paths]);
    },
  );

  test.each(byTool(withLimits.filter(overBoth)))(
    'of %s keeps within the limits that are published',
    async (tool, step) => {
      const { ask, args } = momentOf(tool);
      for (const leaf of [above, below]) {
        const wrong = wrongIn(step, leaf);
        if (wrong.paths.length === 0) continue;

        const outcome = await ask({ lane: overMcp, args: { ...args, ...wrong.args } });

        expectToldOf(outcome, wrong.paths);
      }
    },
  );

  test.each(byTool(withRequired.filter(overBoth)))(
    'of %s has to have every field that is required, and null is none',
    async (tool, step) => {
      const { ask, args } = momentOf(tool);
      const required = requiredIn(schemaOf(step));
      const nothing = Object.fromEntries(required.map((name) => [name, null]));

      const missing = await ask({ lane: overMcp, args: {} });
      const empty = await ask({ lane: overMcp, args: { ...args, ...nothing } });

      expect(pathsOf(missing)).toEqual(expect.arrayContaining(required));
      expect(pathsOf(empty).sort()).toEqual([...required].sort());
    },
  );
});
