import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWatch } from '../../adapters/http/watch.ts';
import type { Caller } from '../../tools/core/context.ts';
import type { AppError } from '../../tools/core/errors/app-error.ts';
import { newPerson } from '../support/callers/people.ts';
import { manualClock } from '../support/run/clock.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const VALID_MS = 60_000;

let server: TestServer;
beforeAll(async () => {
  // Nothing is stored meanwhile, not by housekeeping either: that would have everything asked about again.
  server = await startTestServer({ own: true, settings: { PROCESS_LEASE_MS: '600000' } });
});
afterAll(() => server.stop());

test('what stays open is asked about when its credential ends, though nothing changes', async () => {
  const { services, identify } = server.running.app;
  const clock = manualClock();
  const watch = createWatch({ ...services, ports: { ...services.ports, clock } }, async () => {
    if (clock.now() >= endsAt) return null;
    asked += 1;
    return { ...caller, endsAt };
  });
  const { key } = await newPerson(server);
  const shown = { headers: { authorization: `Bearer ${key}` } };
  const known = await identify(shown);
  if (known === null) throw new Error('nobody');
  const caller: Caller = known;
  const endsAt = clock.now() + VALID_MS;
  let asked = 0;
  let leave = () => {};
  const ended = new Promise<AppError>((resolve) => {
    leave = watch.over({ shown, caller: { ...caller, endsAt }, askAgain: async () => {}, end: resolve });
  });
  // Once it was asked about as something new, nothing but its end has it asked about.
  while (asked === 0) await turn();
  await turn();

  clock.advance(VALID_MS);

  expect(await ended).toMatchObject({ status: 401 });
  leave();
});
