import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { byTool, capabilityOf, changes, firstSteps } from '../journeys/journey.ts';
import { isObject, type Step } from '../journeys/step.ts';
import { type Moment, newWalkers, walk } from '../journeys/walk.ts';
import { withoutTerms } from '../support/callers/without-terms.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';
import { endOf, Seen } from './support.ts';

/** Lists of ids: an entry that nobody has is a problem of its list, wherever it is refused. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  discover_products: ['storefrontIds'],
  campaign_create: ['storefrontIds'],
  campaign_update: ['storefrontIds'],
};

/** Ids that name nothing by themselves: parts of the object that another field names. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  campaign_create: ['productIds'],
  discovery_remove_products: ['productIds'],
};

interface Note {
  readonly field: string;
  readonly withTerms: string;
  readonly without: string;
}

const NOBODYS = String(Number.MAX_SAFE_INTEGER);

function objectsOf({ names = {} }: Step): string[] {
  return Object.keys(names).filter((field) => isObject(names[field]));
}

const steps = firstSteps.filter(
  (step) => changes(step) && objectsOf(step).length + (LISTS[step.tool] ?? []).length > 0,
);

describe('an object that is not there', () => {
  const seen = new Seen<Note>();
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
    const walkers = await newWalkers(server);
    const before = async (moment: Moment): Promise<void> => {
      const { step, args, person, ask } = moment;
      if (!steps.includes(step)) return;
      const tried = [
        ...objectsOf(step).map((field) => ({ field, value: NOBODYS as unknown })),
        ...(LISTS[step.tool] ?? []).map((field) => ({ field, value: [NOBODYS] })),
      ];
      for (const { field, value } of tried) {
        const call = () => ask({ args: { ...args, [field]: value } });
        const without = endOf(await withoutTerms(server, person, call));
        seen.add(step.tool, { field, without, withTerms: endOf(await call()) });
      }
    };
    await walk(server, { walkers, before, onlyMakes: true });
  }, 120_000);
  afterAll(() => server.stop());

  test.each(byTool(steps))('is not there for %s, whether or not the terms are accepted', (tool) => {
    const notes = seen.of(tool);

    expect(notes.length).toBeGreaterThan(0);
    for (const { field, without, withTerms } of notes) {
      const end = LISTS[tool]?.includes(field) ? '400 VALIDATION_ERROR' : '404 NOT_FOUND';
      expect({ field, without, withTerms }).toEqual({ field, without: end, withTerms: end });
    }
  });

  test.each(byTool(firstSteps.filter(changes)))('is tried for every id that %s takes', (tool, step) => {
    const ids = Object.keys(capabilityOf(step).input.shape).filter((field) => /Ids?$/.test(field));
    const fresh = Object.entries(step.names ?? {}).flatMap(([field, reach]) =>
      reach === 'new' || reach === 'part' ? [field] : [],
    );
    const known = [...objectsOf(step), ...fresh, ...(LISTS[tool] ?? []), ...(PARTS[tool] ?? [])];

    expect(known).toEqual(expect.arrayContaining(ids));
  });
});
