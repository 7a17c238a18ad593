import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { byTool, capabilityOf, firstSteps, knownArguments } from '../journeys/journey.ts';
import type { Fields, Step } from '../journeys/step.ts';
import { walk } from '../journeys/walk.ts';
import type { Outcome } from '../support/callers/tool-lanes.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

/** What an example cannot know beside ids: an address that nobody has to look up, and whom else a server holds. */
const OF_THE_JOURNEY: Readonly<Record<string, readonly string[]>> = {
  webhook_create: ['url'],
  discover_products: ['storefrontIds', 'waitSeconds'],
};

const isId = (value: unknown) => typeof value === 'string' && value.startsWith('{{');

/** The example, with the ids of the journey where the journey has ids. */
function withIds(example: unknown, placeholders: unknown, made: unknown): unknown {
  if (isId(placeholders)) return made;
  if (typeof placeholders !== 'object' || placeholders === null || example === undefined) return example;
  const merged: unknown = Array.isArray(example) ? [...example] : { ...Object(example) };
  for (const [key, inner] of Object.entries(placeholders)) {
    const value = withIds(Object(example)[key], inner, Object(made)[key]);
    if (value !== undefined) Object.assign(Object(merged), { [key]: value });
  }
  return merged;
}

describe('the examples', () => {
  const known = knownArguments();
  const outcomes = new Map<string, Outcome>();
  const called = new Map<string, Fields>();
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ own: true });
    await walk(server, {
      respell: exampleOf,
      after: async ({ step }, outcome) => {
        if (!outcomes.has(step.tool)) outcomes.set(step.tool, outcome);
      },
    });
  }, 120_000);
  afterAll(() => server.stop());

  /** The first call of each capability is made with its example. */
  function exampleOf(step: Step, args: Fields): Fields {
    if (called.has(step.tool)) return args;
    const { example = {} } = capabilityOf(step);
    const kept = Object.entries(args).filter(([name]) => OF_THE_JOURNEY[step.tool]?.includes(name));
    const filled = withIds(example, known.get(step.tool), args);
    const given = { ...Object(filled), ...Object.fromEntries(kept) };
    called.set(step.tool, given);
    return given;
  }

  test.each(byTool(firstSteps))('of %s is there, is what its input takes, and works', (tool, step) => {
    const { example, input } = capabilityOf(step);

    expect(input.safeParse(example ?? {})).toMatchObject({ success: true });
    if (Object.keys(input.shape).length > 0) expect(Object.keys(example ?? {})).not.toEqual([]);
    expect(Object.keys(called.get(tool) ?? {})).toEqual(expect.arrayContaining(Object.keys(example ?? {})));
    expect(outcomes.get(tool)?.failed).toBe(false);
  });
});
