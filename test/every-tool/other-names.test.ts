import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isFields } from '../../tools/core/schemas/checks.ts';
import { walkAlike, withoutChance } from '../journeys/alike.ts';
import { byTool, capabilityOf, firstSteps, overRestAlone } from '../journeys/journey.ts';
import type { Fields, Step } from '../journeys/step.ts';
import type { Moment } from '../journeys/walk.ts';
import { type Outcome, overMcp } from '../support/callers/tool-lanes.ts';
import type { TestServer } from '../support/server/server.ts';

type Spelling = readonly [canonical: string, others: readonly string[]];

function spellingsOf(step: Step): Spelling[] {
  const capability = capabilityOf(step);
  return 'spellings' in capability ? Object.entries(capability.spellings ?? {}) : [];
}

const spelled = firstSteps.filter((step) => spellingsOf(step).length > 0 && !overRestAlone(step));
/** As many rounds as a field has further names at the most. */
const rounds = Math.max(...spelled.flatMap((step) => spellingsOf(step).map(([, others]) => others.length)));

/** What no step of the journey gives. */
const UNGIVEN: Fields = { version_hash: 'ffff', optimization_goals: [] };

function read(fields: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, name) => (inner as Fields | undefined)?.[name], fields);
}

function put(fields: Record<string, unknown>, path: string, value: unknown): void {
  const [name = '', ...rest] = path.split('.');
  if (rest.length === 0) fields[name] = value;
  else {
    const inner = { ...(fields[name] as Fields | undefined) };
    put(inner, rest.join('.'), value);
    fields[name] = inner;
  }
}

/** The arguments with every field under another of its names: the first in the first round. */
function renamed(step: Step, args: Fields, round: number): Fields {
  const fields: Record<string, unknown> = JSON.parse(JSON.stringify(args));
  for (const [canonical, others] of spellingsOf(step)) {
    const value = read(args, canonical);
    put(fields, canonical, undefined);
    put(fields, others[Math.min(round, others.length - 1)] ?? canonical, value);
  }
  return fields;
}

describe('the other names of fields', () => {
  const walks: ReadonlyMap<string, Outcome>[] = [];
  const moments = new Map<string, Moment>();
  const servers: TestServer[] = [];
  beforeAll(async () => {
    for (let round = -1; round < rounds; round += 1) {
      const { server, outcomes } = await walkAlike({
        lane: overMcp,
        respell: (step, args) => (round === -1 || overRestAlone(step) ? args : renamed(step, args, round)),
        before: async (moment) => {
          if (round === -1) moments.set(moment.step.tool, moment);
        },
      });
      servers.push(server);
      walks.push(outcomes);
    }
  }, 120_000);
  afterAll(async () => {
    for (const server of servers) await server.stop();
  });

  test('are as many as the rounds that try them', () => {
    expect(rounds).toBeGreaterThan(1);
    expect(walks).toHaveLength(rounds + 1);
  });

  test.each(byTool(spelled))('do for %s what the first name does', (tool) => {
    const [plain, ...others] = walks.map((walked) => withoutChance(walked.get(tool)?.content));

    expect(plain).toBeDefined();
    for (const other of others) expect(other).toEqual(plain);
  });

  const pairs = spelled.flatMap((step) =>
    spellingsOf(step).flatMap(([canonical, others]) =>
      others.map((other) => [step.tool, other, canonical] as const),
    ),
  );
  test.each(pairs)(
    'of %s: %s and %s with two values are refused, and the other name is named',
    async (tool, other, canonical) => {
      const moment = moments.get(tool);
      if (moment === undefined) throw new Error(`${tool} had no turn.`);
      const args: Record<string, unknown> = JSON.parse(JSON.stringify(moment.args));
      const value = read(args, canonical) ?? UNGIVEN[canonical];
      put(args, canonical, value);
      put(args, other, otherThan(value));

      const { content } = await moment.ask({ args });

      expect(content).toMatchObject({
        code: 'VALIDATION_ERROR',
        field: other,
        details: { issues: [{ path: other, message: expect.stringContaining(canonical) }] },
      });
    },
  );

  test.each(pairs)(
    'of %s: what is wrong under %s is told under that name',
    async (tool, other, canonical) => {
      const moment = moments.get(tool);
      if (moment === undefined) throw new Error(`${tool} had no turn.`);
      const args: Record<string, unknown> = JSON.parse(JSON.stringify(moment.args));
      // An object may hold any fields where its type says no more.
      const isObject = isFields(read(args, canonical));
      put(args, canonical, undefined);
      put(args, other, isObject ? 'not of this type' : { not: 'of this type' });

      const { content } = await moment.ask({ args });

      const paths = (content['details'] as { issues: { path: string }[] }).issues.map(({ path }) => path);
      expect(paths).toContain(other);
      expect(paths).not.toContain(canonical);
    },
  );
});

function otherThan(value: unknown): unknown {
  return typeof value === 'number' ? value + 1 : `${value}x`;
}
