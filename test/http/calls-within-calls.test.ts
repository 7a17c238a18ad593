import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { needs } from '../../tools/core/access.ts';
import type { Context } from '../../tools/core/context.ts';
import { defineTool, type Tool } from '../../tools/core/define.ts';
import { revokeKey } from '../../tools/domain/organizations/keys.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { type Gate, gate } from '../support/run/gate.ts';
import { openSocket, requestText } from '../support/server/raw-http.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const common = {
  title: 'Wait',
  description: 'Waits until its caller is gone.',
  effect: 'read',
  access: needs('buyer:read'),
  input: z.strictObject({}),
  output: z.object({}),
  errors: [],
} as const;

/** What the inner call saw of its caller. */
interface Seen {
  readonly customerId: number;
  readonly reason: unknown;
}

let begun: Gate;
let saw: (seen: Seen) => void;
let seen: Promise<Seen>;

const inner = defineTool({
  ...common,
  name: 'wait_within',
  rest: { method: 'GET', path: '/within' },
  handler: async (ctx) => {
    const { signal, scope } = ctx;
    begun.open();
    if (signal !== undefined && !signal.aborted) await once(signal, 'abort');
    saw({ customerId: scope.customerId, reason: signal?.reason });
    return {};
  },
});

/** The inner call as it is served. */
function served({ services }: Context): Tool {
  const tool = services.registry.tools.find(({ name }) => name === inner.name);
  if (tool === undefined) throw new Error('The inner call is not served.');
  return tool;
}

/** Does what a decision allows, in the account that it was asked in. */
const allow = defineTool({
  ...common,
  name: 'wait_allowed',
  rest: { method: 'GET', path: '/allowed/{customerId}' },
  input: z.strictObject({ customerId: z.coerce.number() }),
  handler: async (ctx, { customerId }) => {
    await ctx.allow(served(ctx), {}, { customerId, content: '', amountMinor: 0, use: async () => {} });
    return {};
  },
});

const passOn = defineTool({
  ...common,
  name: 'wait_passed_on',
  rest: { method: 'GET', path: '/passed-on/{customerId}' },
  input: z.strictObject({ customerId: z.string() }),
  handler: async (ctx) => {
    await ctx.passOn(served(ctx), {});
    return {};
  },
});

let server: TestServer;
let person: Person;
beforeAll(async () => {
  server = await startTestServer({ tools: [inner, allow, passOn] });
  person = await newPerson(server);
});
beforeEach(() => {
  begun = gate();
  seen = new Promise((resolve) => {
    saw = resolve;
  });
});
afterAll(() => server.stop());

const account = () => person.accounts.BUYER ?? 0;

test.each(['allowed', 'passed-on'])('a call that is %s ends when its caller hangs up', async (way) => {
  const socket = await openSocket(server.url);
  socket.write(
    requestText(`GET /api/v2/buyer/${way}/${account()}`, { authorization: `Bearer ${person.key}` }),
  );
  await begun.passed;

  socket.destroy();

  expect(await seen).toMatchObject({ customerId: account(), reason: { name: 'AbortError' } });
});

test.each(['allowed', 'passed-on'])(
  'a call that is %s ends when the credential of its caller does',
  async (way) => {
    const caller = await person.withKey(['buyer:read']);
    const asking = caller.get(`/buyer/${way}/${account()}`);
    await begun.passed;

    const { keyId: id, organizationId } = caller;
    await revokeKey(server.operator, { id, organizationId });

    expect(await seen).toMatchObject({ reason: { status: 401 } });
    expect((await asking).status).toBe(401);
  },
);
