import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { needs } from '../../tools/core/access.ts';
import { defineTool } from '../../tools/core/define.ts';
import { campaignKind } from '../../tools/domain/buying/reach.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { engine } from '../support/database/database.ts';
import { eventually } from '../support/run/eventually.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

/** The lock that everything which is held waits for. */
const HELD = 4_711;
const waitForIt = sql`select pg_advisory_xact_lock_shared(${sql.lit(HELD)})`;
const common = {
  description: 'Waits in the database until the test lets it go on.',
  output: z.object({ done: z.boolean() }),
  errors: [],
} as const;

const heldRead = defineTool({
  ...common,
  name: 'held_read',
  title: 'Read and wait',
  effect: 'read',
  access: needs('buyer:read'),
  rest: { method: 'GET', path: '/held' },
  input: z.strictObject({}),
  handler: async (ctx) => {
    await waitForIt.execute(ctx.db);
    return { done: true };
  },
});

const heldWrite = defineTool({
  ...common,
  name: 'held_write',
  title: 'Write and wait',
  effect: 'update',
  access: needs('buyer:write'),
  audit: { kind: campaignKind, ofInput: () => 'cmp_held' },
  rest: { method: 'POST', path: '/held' },
  input: z.strictObject({ readsToo: z.boolean().default(false) }),
  handler: async (ctx, { readsToo }) => {
    await ctx.write(
      async (tx) => {
        await waitForIt.execute(tx);
        if (readsToo) await sql`select 1`.execute(ctx.db);
      },
      { resourceId: 'cmp_held' },
    );
    return { done: true };
  },
});

/** Work that the service does by itself: no organization's turn. */
const heldService = defineTool({
  ...heldRead,
  name: 'held_service',
  title: 'Have the service wait',
  rest: { method: 'GET', path: '/service' },
  handler: async (ctx) => {
    await ctx.services.store.transaction((tx) => waitForIt.execute(tx));
    return { done: true };
  },
});

/** Neither waits for anything, and each needs a connection. */
const quickRead = defineTool({
  ...heldRead,
  name: 'quick_read',
  rest: { method: 'GET', path: '/quick' },
  handler: async (ctx) => {
    await sql`select 1`.execute(ctx.db);
    return { done: true };
  },
});

const quickWrite = defineTool({
  ...heldWrite,
  name: 'quick_write',
  rest: { method: 'POST', path: '/quick' },
  handler: async (ctx) => {
    await ctx.write((tx) => sql`select 1`.execute(tx), { resourceId: 'cmp_held' });
    return { done: true };
  },
});

/** SQLite has one connection, and nobody waits in it for another. */
describe.runIf(engine === 'postgres')(
  'an organization with more calls under way than there are connections',
  () => {
    let server: TestServer;
    let holder: pg.Client;
    let busy: Person;
    let other: Person;
    beforeAll(async () => {
      server = await startTestServer({
        tools: [heldRead, heldWrite, heldService, quickRead, quickWrite],
        settings: { DATABASE_CONNECTIONS: '4', DATABASE_WAIT_MS: '25000' },
      });
      holder = new pg.Client({ connectionString: server.database.url });
      await holder.connect();
      [busy, other] = [await newPerson(server), await newPerson(server)];
    });
    afterAll(async () => {
      await holder.end();
      await server.stop();
    });
    beforeEach(() => holder.query(`select pg_advisory_lock(${HELD})`));
    afterEach(() => holder.query('select pg_advisory_unlock_all()'));

    const held = async () => {
      const { rows } = await holder.query<{ count: number }>(
        `select count(*)::int as count from pg_locks where locktype = 'advisory' and objid = ${HELD} and not granted`,
      );
      return rows[0]?.count ?? 0;
    };
    const times = (count: number, call: () => Promise<{ status: number }>) =>
      Array.from({ length: count }, () => call().then(({ status }) => status));
    function oneOrTheOther() {
      let asked = 0;
      return () => {
        asked += 1;
        return asked % 2 === 0 ? busy.get('/buyer/held') : busy.post('/buyer/held', {});
      };
    }
    const letGo = () => holder.query('select pg_advisory_unlock_all()');

    test.each([
      ['reads', () => busy.get('/buyer/held')],
      ['changes', () => busy.post('/buyer/held', {})],
      ['reads and changes', oneOrTheOther()],
      ['work that the service does for it', () => busy.get('/buyer/service')],
    ])('leaves connections to the others, however many %s it has under way', async (_, call) => {
      const all = times(12, call);
      await eventually(async () => expect(await held()).toBe(2));

      const read = await other.get('/buyer/quick');
      const written = await other.post('/buyer/quick', {});

      expect([read.status, written.status]).toEqual([200, 200]);
      expect(await held()).toBe(2);
      await letGo();
      expect(await Promise.all(all)).toEqual(Array.from({ length: 12 }, () => 200));
    });

    test('goes on when each of its changes reads beside its transaction', async () => {
      const all = times(12, () => busy.post('/buyer/held', { readsToo: true }));
      await eventually(async () => expect(await held()).toBe(2));

      await letGo();

      expect(await Promise.all(all)).toEqual(Array.from({ length: 12 }, () => 200));
    });
  },
);
