import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { version } from '../../../adapters/settings/version.ts';
import type { Clock } from '../../../tools/core/ports.ts';
import { strangers } from '../../support/buying/access.ts';
import { newPerson } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { engine } from '../../support/database/database.ts';
import { START } from '../../support/run/clock.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

/** The process writes once, at start; what falls due later never comes. */
function stuckClock(): Clock & { now(): number; pass(milliseconds: number): void } {
  let now = START;
  return {
    now: () => now,
    after: () => () => {},
    pass: (milliseconds) => {
      now += milliseconds;
    },
  };
}

describe('health', () => {
  const clock = stuckClock();
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ clock });
  });
  afterAll(() => server.stop());

  const get = async (path: string) => (await newPerson(server)).get(`${server.url}${path}`);

  describe('200', () => {
    test.each(strangers)('says that it works, to $who', async ({ of }) => {
      const { status, body } = await of(server).get(`${server.url}/health`);

      expect(status).toBe(200);
      expect(body).toEqual({
        data: { status: 'ok', timestamp: new Date(START).toISOString() },
        error: null,
      });
    });

    test('says what runs to somebody with a key', async () => {
      expect((await get('/health')).body.data).toMatchObject({ version, database: engine });
    });

    test('takes a key with no permission that matters here', async () => {
      const accountant = await newPerson(server, { permissions: ['account:admin'], terms: false });

      expect((await accountant.get(`${server.url}/health`)).status).toBe(200);
    });
  });

  describe('503', () => {
    test('SERVICE_UNAVAILABLE once the process has not managed to write for longer than its lease', async () => {
      clock.pass(server.config.processLeaseMs);
      expect((await get('/health')).status).toBe(200);

      clock.pass(1);
      const reply = await get('/health');

      expectRefusal(reply, 503, { code: 'SERVICE_UNAVAILABLE', words: 'The database does not take writes.' });
      expect(reply.headers.get('retry-after')).toBe('2');
    });
  });
});
