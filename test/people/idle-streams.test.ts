import { afterAll, beforeAll, expect, test } from 'vitest';
import { revokeKey } from '../../tools/domain/organizations/keys.ts';
import { readStream } from '../support/callers/event-reader.ts';
import { newPerson } from '../support/callers/people.ts';
import { expectEnded } from '../support/callers/refusals.ts';
import { type SkippingClock, skippingClock } from '../support/run/skipping-clock.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const IDLE_MS = 3_600_000;

let server: TestServer;
let clock: SkippingClock;
beforeAll(async () => {
  clock = skippingClock();
  server = await startTestServer({ clock, settings: { SESSION_IDLE_MS: String(IDLE_MS) } });
});
afterAll(() => server.stop());

test('a browser that was not used is signed out, though it has a stream open that was asked about meanwhile', async () => {
  const owner = await newPerson(server);
  const ended = await owner.withKey(['buyer:read']);
  const path = '/buyer/events';
  const idle = await readStream(server, { key: await owner.browser() }, { path });
  const other = await readStream(server, ended, { path });
  clock.skip(IDLE_MS / 2);

  // Everybody is asked about again.
  await revokeKey(server.operator, { organizationId: owner.organizationId, id: ended.keyId });
  await other.rest();
  clock.skip(IDLE_MS / 2);

  const [last, ...more] = await idle.rest();
  expectEnded(last, { code: 'UNAUTHORIZED', words: 'This call needs a credential.' });
  expect(more).toEqual([]);
});
