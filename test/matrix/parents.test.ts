import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { byTool, firstSteps } from '../journeys/journey.ts';
import { newPerson } from '../support/callers/people.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';
import { newHouse } from './callers.ts';
import { type Filled, fill } from './filling.ts';
import { leastBelowAParent } from './least.ts';
import { relativesOf } from './relatives.ts';
import { TABLE_BELOW_A_PARENT } from './table.ts';

describe('every capability of an organization below another', () => {
  let server: TestServer;
  let filled: Filled;
  beforeAll(async () => {
    server = await startTestServer({ own: true });
    const parent = await newHouse(server);
    const below = { parentId: parent.organizationId, terms: false };
    const walkers = { buyer: await newPerson(server, below), seller: await newPerson(server, below) };
    const callers = {
      buyer: await relativesOf(server, parent, walkers.buyer),
      seller: await relativesOf(server, parent, walkers.seller),
    };
    filled = await fill(server, {
      table: TABLE_BELOW_A_PARENT,
      walkers,
      callers,
      maker: leastBelowAParent,
      governing: () => parent,
    });
  }, 600_000);
  afterAll(() => server.stop());

  test('was asked at each step of the journey, up to its end', () => {
    expect(filled.failure).toBeUndefined();
    expect(filled.seen.size).toBe(firstSteps.length);
  });

  test.each(byTool(firstSteps))('lets whom the table lets in call %s, and nobody else', (tool) => {
    const { ends, expected } = filled.seen.get(tool) ?? {};
    expect(ends).toBeDefined();
    expect(ends).toEqual(expected);
  });

  test.each(byTool(firstSteps))('stays as it is where %s is refused', (tool) => {
    expect(filled.seen.get(tool)?.changed).toEqual([]);
  });

  test.each(byTool(firstSteps))('has a refused %s in its log each time it would change something', (tool) => {
    const { logged, toBeLogged } = filled.seen.get(tool) ?? {};
    expect(logged).toBeDefined();
    expect(logged).toEqual(toBeLogged);
  });
});
