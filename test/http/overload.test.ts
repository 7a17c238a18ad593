import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { needs } from '../../tools/core/access.ts';
import { defineTool } from '../../tools/core/define.ts';
import { advertiserKind } from '../../tools/domain/advertisers/reach.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { expectRefusal } from '../support/callers/refusals.ts';
import { callTool } from '../support/mcp/mcp-call.ts';
import { gate } from '../support/run/gate.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const parts = {
  access: needs('buyer:write'),
  input: z.strictObject({}),
  output: z.object({ done: z.boolean() }),
  errors: [],
};
const audit = { kind: advertiserKind, ofInput: () => undefined };

/** A creation that takes as long as a test wants, and a stop. */
function slowCreation() {
  const slow = { begun: gate(), held: gate() };
  const create = defineTool({
    ...parts,
    name: 'thing_create',
    title: 'Create thing',
    description: 'Creates a thing when the test says so.',
    effect: 'create',
    audit,
    rest: { method: 'POST', path: '/things', status: 201 },
    handler: async () => {
      const { passed } = slow.held;
      slow.begun.open();
      await passed;
      return { done: true };
    },
  });
  const stop = defineTool({
    ...parts,
    name: 'thing_pause',
    title: 'Pause thing',
    description: 'Pauses a thing.',
    effect: 'act',
    audit,
    rest: { method: 'POST', path: '/things/pause' },
    handler: async () => ({ done: true }),
  });
  return Object.assign(slow, { tools: [create, stop] });
}

describe('a service that is behind with what it has', () => {
  const slow = slowCreation();
  let server: TestServer;
  let person: Person;
  let other: Person;
  let behind = 9_000;
  beforeAll(async () => {
    server = await startTestServer({
      tools: slow.tools,
      loopDelay: () => behind,
      settings: { OVERLOAD_DELAY_MS: '250', OVERLOAD_AFTER_MS: '0', OVERLOAD_CALLS_MIN: '1' },
    });
    person = await newPerson(server);
    other = await newPerson(server);
  });
  afterAll(() => server.stop());
  beforeEach(() => {
    Object.assign(slow, { begun: gate(), held: gate() });
    behind = 9_000;
  });

  /** One of them is made meanwhile, which is all that there is room for. */
  async function whileBehind(work: () => Promise<void>): Promise<void> {
    const made = person.post('/buyer/things', {});
    await slow.begun.passed;
    server.running.app.overload.look();
    await work();
    slow.held.open();
    expect((await made).status).toBe(201);
  }

  test('answers a creation 503 with Retry-After over REST and MCP, before its body is read', () =>
    whileBehind(async () => {
      const reply = await person.post('/buyer/things', ['no fields']);
      expect(reply.headers.get('retry-after')).toBe('2');
      expectRefusal(reply, 503, { code: 'SERVICE_UNAVAILABLE', words: /more to do than it can/ });
      const called = callTool(server, person, { name: 'thing_create', arguments: {} });
      await expect(called).rejects.toThrow();
    }));

  test('pauses, and answers who asks how it is', () =>
    whileBehind(async () => {
      expect((await person.post('/buyer/things/pause', {})).status).toBe(200);
      expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    }));

  test('takes one of an organization that has none under way', () =>
    whileBehind(async () => {
      const theirs = other.post('/buyer/things', {});
      slow.held.open();
      expect((await theirs).status).toBe(201);
    }));

  test('takes all again once it is well for a while', () =>
    whileBehind(async () => {
      expect((await person.post('/buyer/things', {})).status).toBe(503);
      behind = 0;
      for (let look = 0; look < 8; look += 1) server.running.app.overload.look();
      slow.held.open();
      expect((await person.post('/buyer/things', {})).status).toBe(201);
    }));
});
