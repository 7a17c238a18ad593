import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type JsonSchema, jsonSchema } from '../../tools/core/schemas/json-schema.ts';
import { walkAlike, withoutChance } from '../journeys/alike.ts';
import { byTool, capabilityOf, firstSteps, overRestAlone } from '../journeys/journey.ts';
import type { Fields, Step } from '../journeys/step.ts';
import { type Outcome, overMcp } from '../support/callers/tool-lanes.ts';
import { asSchema } from '../support/house/schema-walk.ts';
import type { TestServer } from '../support/server/server.ts';

const schemaOf = (step: Step) => jsonSchema(capabilityOf(step).input, 'input');

/** Null is a value of its own there: it takes back what was set. */
const takesNull = ({ anyOf, type }: JsonSchema): boolean =>
  (Array.isArray(type) && type.includes('null')) ||
  (Array.isArray(anyOf) && anyOf.some((branch) => asSchema(branch)['type'] === 'null'));

/** The fields with null for each that may be left out and is, at every depth. */
function withNulls(fields: Fields, schema: JsonSchema): Fields {
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const parts = Object.entries(asSchema(schema['properties'])).flatMap(([name, part]) => {
    const value = fields[name];
    if (value === undefined)
      return required.includes(name) || takesNull(asSchema(part)) ? [] : [[name, null]];
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return [[name, isObject ? withNulls({ ...value }, asSchema(part)) : value]];
  });
  // Under a second name a field is there, too.
  return { ...fields, ...Object.fromEntries(parts) };
}

/** How many nulls a step gets. */
function nullsFor(step: Step): number {
  const { properties, required } = schemaOf(step);
  return Object.keys(asSchema(properties)).length - (Array.isArray(required) ? required.length : 0);
}

/** In a query and a path, where streams and most of what only REST knows have their fields, nothing is null. */
const takesNulls = (step: Step) => 'handler' in capabilityOf(step) && !overRestAlone(step);
const ofTools = firstSteps.filter((step) => takesNulls(step) && nullsFor(step) > 0);

describe('null in a field that may be left out', () => {
  const walks: ReadonlyMap<string, Outcome>[] = [];
  const servers: TestServer[] = [];
  beforeAll(async () => {
    for (const nulls of [false, true]) {
      const { server, outcomes } = await walkAlike({
        lane: overMcp,
        respell: (step, args) => (nulls && takesNulls(step) ? withNulls(args, schemaOf(step)) : args),
      });
      servers.push(server);
      walks.push(outcomes);
    }
  }, 120_000);
  afterAll(async () => {
    for (const server of servers) await server.stop();
  });

  test.each(byTool(ofTools))('means to %s what leaving it out means', (tool) => {
    const [without, given] = walks.map((walked) => withoutChance(walked.get(tool)?.content));

    expect(without).toBeDefined();
    expect(given).toEqual(without);
  });
});
