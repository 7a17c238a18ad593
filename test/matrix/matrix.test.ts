import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { streams, tools } from '../../tools/registry.ts';
import { byTool, firstSteps } from '../journeys/journey.ts';
import { newPerson } from '../support/callers/people.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';
import { callersOf, callersOfAnother, callersOfSide, suspendedCallers } from './callers.ts';
import { type Filled, fill, rowMissing } from './filling.ts';
import { leastFor } from './least.ts';
import { TABLE } from './table.ts';

describe('every capability, for every kind of caller', () => {
  let server: TestServer;
  let filled: Filled;
  beforeAll(async () => {
    server = await startTestServer({ own: true });
    const walkers = { buyer: await newPerson(server), seller: await newPerson(server) };
    const others = { ...(await suspendedCallers(server)), ...(await callersOfAnother(server)) };
    const callers = {
      buyer: {
        ...others,
        ...(await callersOf(server, walkers.buyer, 'BUYER')),
        ...(await callersOfSide(server, 'SELLER')),
      },
      seller: {
        ...others,
        ...(await callersOf(server, walkers.seller, 'SELLER')),
        ...(await callersOfSide(server, 'BUYER')),
      },
    };
    filled = await fill(server, { table: TABLE, walkers, callers, maker: leastFor });
  }, 600_000);
  afterAll(() => server.stop());

  test('was asked at each step of the journey, up to its end', () => {
    expect(filled.failure).toBeUndefined();
    expect(filled.seen.size).toBe(firstSteps.length);
  });

  test.each([...tools, ...streams].map(({ name }) => name))('%s has a row that somebody wrote', (name) => {
    const step = firstSteps.find(({ tool }) => tool === name);
    expect(step?.needs, rowMissing(name)).toBeDefined();
  });

  test.each(byTool(firstSteps))('%s lets in whom the table lets in, and nobody else', (tool) => {
    const { ends, expected } = filled.seen.get(tool) ?? {};
    expect(ends).toBeDefined();
    expect(ends).toEqual(expected);
  });

  test.each(byTool(firstSteps))('%s changes nothing where it is refused', (tool) => {
    expect(filled.seen.get(tool)?.changed).toEqual([]);
  });

  test.each(byTool(firstSteps))('%s is in the audit log each time it is refused and would change', (tool) => {
    const { logged, toBeLogged } = filled.seen.get(tool) ?? {};
    expect(logged).toBeDefined();
    expect(logged).toEqual(toBeLogged);
  });
});
