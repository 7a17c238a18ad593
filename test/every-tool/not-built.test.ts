import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { byTool, capabilityOf, firstSteps } from '../journeys/journey.ts';
import type { Fields } from '../journeys/step.ts';
import { type Moment, newWalkers, walk } from '../journeys/walk.ts';
import { overMcp, overRest } from '../support/callers/tool-lanes.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';
import { endOf, possessions, Seen } from './support.ts';

const declaredBy = (tool: string): readonly string[] => {
  const step = firstSteps.find((one) => one.tool === tool);
  const capability = step && capabilityOf(step);
  return capability !== undefined && 'notBuilt' in capability ? (capability.notBuilt ?? []) : [];
};

/** The value at a declared place: `products[].pageId` goes into each entry that is given, `caps[1]` after the first. */
function given(args: Fields, place: string): Fields {
  const [path = '', value = 'x'] = place.split('=');
  return put(args, path.split('.'), value === 'true' ? true : value);
}

function put(fields: Fields, [step = '', ...rest]: readonly string[], value: unknown): Fields {
  const [, name = '', at] = /^(.*?)(?:\[(\d*)\])?$/.exec(step) ?? [];
  const inner = (there: unknown) => {
    const isObject = typeof there === 'object' && there !== null && !Array.isArray(there);
    return rest.length === 0 ? value : put(isObject ? { ...there } : {}, rest, value);
  };
  const there = fields[name];
  if (Number(at) > 0) return { ...fields, [name]: Array(Number(at) + 1).fill(value) };
  if (at === undefined) return { ...fields, [name]: inner(there) };
  return {
    ...fields,
    [name]: rest.length > 0 && Array.isArray(there) ? there.map(inner) : [inner(undefined)],
  };
}

/** The name as a refusal writes it, of the first entry of a list. */
const namedAs = (place: string) =>
  (place.split('=')[0] ?? '').replaceAll(/\[(\d*)\]/g, (_, at: string) => `.${at === '' ? 0 : at}`);

const steps = firstSteps.filter(({ tool }) => declaredBy(tool).length > 0);

interface Note {
  readonly lane: string;
  readonly place: string;
  readonly end: string;
  readonly field: unknown;
  readonly isUnchanged: boolean;
}

describe('what is documented and not built', () => {
  const seen = new Seen<Note>();
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
    const walkers = await newWalkers(server);
    const before = async ({ step, args, ask }: Moment): Promise<void> => {
      const places = declaredBy(step.tool);
      if (places.length === 0) return;
      const had = await possessions(server, walkers);
      for (const place of places) {
        for (const [lane, call] of Object.entries({ REST: overRest, MCP: overMcp })) {
          const outcome = await ask({ lane: call, args: given(args, place) });
          const { field } = outcome.content;
          seen.add(step.tool, { lane, place, end: endOf(outcome), field, isUnchanged: true });
        }
      }
      const isUnchanged = (await possessions(server, walkers)) === had;
      seen.add(step.tool, { lane: 'all', place: '', end: '', field: '', isUnchanged });
    };
    await walk(server, { walkers, before, onlyMakes: true });
  }, 120_000);
  afterAll(() => server.stop());

  test.each(byTool(steps))('%s answers 501 naming each field, and changes nothing', (tool) => {
    const notes = seen.of(tool);
    expect(notes.every(({ isUnchanged }) => isUnchanged)).toBe(true);
    for (const { lane, place, end, field } of notes.filter(({ place }) => place !== '')) {
      expect({ lane, place, code: end.split(' ')[1], field }).toEqual({
        lane,
        place,
        code: 'NOT_IMPLEMENTED',
        field: namedAs(place),
      });
      if (lane === 'REST') expect(end).toBe('501 NOT_IMPLEMENTED');
    }
  });
});
