import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseInput } from '../../tools/core/validation.ts';
import { tools } from '../../tools/registry.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { overMcp, overOfficialMcp, overRest } from '../support/callers/tool-lanes.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const fields = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, 1]));
/** Nearly as many unknown fields as a body may hold. */
const manyFields = fields(9_900);
const tooManyFields = fields(60_000);
const longName = { [`x${'y'.repeat(900_000)}`]: 1 };
const manyChoices = { discoveryId: 'disc_x', products: Array.from({ length: 4_900 }, () => ({})) };

function toolOf(name: string) {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`No tool is called ${name}.`);
  return tool;
}

const lanes = { REST: overRest, 'the direct lane': overMcp, 'the official server': overOfficialMcp };
const inputs = [
  ['9,900 unknown fields', 'advertiser_create', manyFields, 9_900],
  ['a name of 900,000 letters', 'advertiser_create', longName, 1],
  ['4,900 empty choices', 'discovery_add_products', manyChoices, 1],
] as const;

describe('a body full of problems', () => {
  let server: TestServer;
  let person: Person;
  beforeAll(async () => {
    server = await startTestServer();
    person = await newPerson(server);
  });
  afterAll(() => server.stop());

  const cases = Object.entries(lanes).flatMap(([lane, call]) =>
    inputs.map(
      ([what, tool, args, least]) => [what, lane, { call, tool: toolOf(tool), args, least }] as const,
    ),
  );

  test.each(cases)('%s gets a small answer over %s, which counts the rest', async (...[, , attack]) => {
    const { call, tool, args, least } = attack;
    const { content, failed } = await call({ url: server.url, key: person.key, tool, args });

    const { issues, moreIssues = 0 }: { issues: unknown[]; moreIssues?: number } = JSON.parse(
      JSON.stringify(content['details']),
    );
    expect(failed).toBe(true);
    expect(JSON.stringify(content).length).toBeLessThan(20_000);
    expect(issues.length).toBeLessThanOrEqual(20);
    expect(issues.length + moreIssues).toBeGreaterThanOrEqual(least);
    if (moreIssues > 0) expect(content['message']).toContain(`There are ${moreIssues} more problems.`);
  });

  test.each(Object.entries(lanes))(
    'is refused unread over %s when it holds more than any call needs',
    async (...[, call]) => {
      const args = tooManyFields;
      const tool = toolOf('advertiser_create');
      const { content, failed, status } = await call({ url: server.url, key: person.key, tool, args });

      expect(failed).toBe(true);
      expect(status).toBe(400);
      expect(content['message']).toMatch(/^The body holds more than 10000 values/);
    },
  );

  test('has words made for as many problems only as are named', () => {
    let asked = 0;
    const shape = toolOf('advertiser_create').input;
    const counting = new Proxy(manyFields, {
      get: (fields, name) => {
        asked += 1;
        return Reflect.get(fields, name);
      },
    });

    expect(() => parseInput({ input: shape }, counting)).toThrow('There are ');
    // Each field is looked at a fixed number of times, whatever is said of it.
    expect(asked).toBeLessThan(500);
  });

  test('is searched once for what is documented and not built, however many fields nobody knows', () => {
    let asked = 0;
    const { input, notBuilt } = toolOf('campaign_create');
    const counting = new Proxy(manyFields, {
      getOwnPropertyDescriptor: (fields, name) => {
        asked += 1;
        return Reflect.getOwnPropertyDescriptor(fields, name);
      },
    });

    expect(() => parseInput({ input, ...(notBuilt === undefined ? {} : { notBuilt }) }, counting)).toThrow(
      'There are ',
    );
    expect(asked).toBeLessThan(2 * 9_900);
  });

  test('still says what is not built among fields that nobody knows', () => {
    const { input, notBuilt = [] } = toolOf('campaign_create');
    const [first = ''] = notBuilt.filter((name) => /^\w+$/.test(name));

    expect(() => parseInput({ input, notBuilt }, { ...manyFields, [first]: 'x' })).toThrow(first);
  });
});
