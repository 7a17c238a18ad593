import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../../adapters/settings/package-root.ts';
import { streams, tools } from '../../tools/registry.ts';
import { familyFolders } from '../journeys/families.ts';
import { byTool, capabilityOf, changes, firstSteps, journey, ordered } from '../journeys/journey.ts';
import type { Step } from '../journeys/step.ts';

/** Files of the journeys that are no family's. */
const ROOM = ['alike.ts', 'families.ts', 'journey.ts', 'step.ts', 'walk.ts'];

/**
 * The version of a buy that delivers is another one at each step, and few sellers know goals: asked with their tool.
 */
const NOT_IN_STEPS = ['version_hash', 'optimization_goals'];

describe('the journey', () => {
  test('has a step for every tool and every stream, and for nothing else', () => {
    expect(firstSteps.map(({ tool }) => tool).sort()).toEqual(
      [...tools, ...streams].map(({ name }) => name).sort(),
    );
  });

  test('has a file for every family, each name once, and no other', () => {
    const files = readdirSync(join(packageRoot, 'test/journeys'));

    expect(files.filter((file) => !ROOM.includes(file)).sort()).toEqual(
      familyFolders.map((folder) => `${folder.replace(/^.*\//, '')}.ts`).sort(),
    );
  });

  test.each(byTool(firstSteps))('says of the ids that %s takes whose they are', (_, step) => {
    const ids = Object.keys(capabilityOf(step).input.shape).filter((field) => /^id$|Id$|_id$/.test(field));

    expect(Object.keys(step.names ?? {}).sort()).toEqual(ids.sort());
  });

  test.each(byTool(journey))('says of %s what the log will hold of it, if it changes anything', (_, step) => {
    expect(step.logged !== undefined).toBe(changes(step));
  });

  test.each(byTool(firstSteps))('gives %s every field that has a second name', (_, step) => {
    const capability = capabilityOf(step);
    const given = step.args?.((name) => name) ?? {};
    const spelled = 'spellings' in capability ? Object.keys(capability.spellings ?? {}) : [];

    for (const path of spelled.filter((one) => !NOT_IN_STEPS.includes(one)))
      expect(given).toHaveProperty(path);
  });
});

describe('the order of the journey', () => {
  const step = (tool: string, more: Partial<Step> = {}): Step => ({
    tool,
    by: 'buyer',
    needs: 'buyer:read',
    ...more,
  });
  const orderOf = (...families: Step[][]) =>
    ordered(families.map((steps, index) => ({ name: String(index), steps }))).map(({ tool }) => tool);

  test('lets a step wait for what it names and for what it comes after', () => {
    const buys = [
      step('buy', { args: (made) => ({ id: made('thing') }) }),
      step('look', { after: ['open'] }),
    ];
    const shop = [step('make', { gives: { thing: 'id' } }), step('open')];

    expect(orderOf(buys, shop)).toEqual(['make', 'open', 'buy', 'look']);
  });

  test('puts what ends something last', () => {
    expect(orderOf([step('make'), step('drop', { last: true })], [step('look')])).toEqual([
      'make',
      'look',
      'drop',
    ]);
  });

  test('says who waits when nobody can go on', () => {
    expect(() => orderOf([step('buy', { after: ['never'] })])).toThrow('waits with buy');
  });
});
