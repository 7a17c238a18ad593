import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeApiKey } from '../../adapters/auth/api-key.ts';
import { byTool, capabilityOf, changes, firstSteps } from '../journeys/journey.ts';
import type { Step } from '../journeys/step.ts';
import { type Moment, newWalkers, walk } from '../journeys/walk.ts';
import { keysAllowed, keysRefused } from '../support/access.ts';
import type { Person } from '../support/people.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import type { Outcome } from '../support/tool-lanes.ts';
import { endOf, possessions, Seen } from './support.ts';

const NEEDED = ['buyer:read', 'buyer:write', 'buyer:admin'] as const;
/** Every set of permissions that the table of access knows, once. */
const SETS = new Map(
  NEEDED.flatMap((needed) => [...keysAllowed(needed), ...keysRefused(needed)]).map(({ key, held }) => [
    key,
    held,
  ]),
);

/** What reading needs and what changing needs, unless the step says otherwise. */
function neededBy(step: Step) {
  return step.needs ?? (changes(step) ? 'buyer:write' : 'buyer:read');
}

/** How a call with a set of permissions has to end; undefined where the table does not say. */
function endFor(step: Step, key: string): string | undefined {
  const needed = neededBy(step);
  if (needed === 'nothing') return 'passed';
  if (keysAllowed(needed).some((allowed) => allowed.key === key)) return 'passed';
  return keysRefused(needed).some((refused) => refused.key === key) ? '403 FORBIDDEN' : undefined;
}

describe('with each set of permissions', () => {
  const seen = new Seen<{ key: string; end: string }>();
  const changed = new Seen<string>();
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
    for (const [key, held] of SETS) await walkWith(key, held);
  }, 120_000);
  afterAll(() => server.stop());

  /** A walk on which each step is first tried with a key of this set, and made with a full one if need be. */
  async function walkWith(key: string, held: Parameters<Person['withKey']>[0]) {
    const walkers = await newWalkers(server);
    const narrow = { buyer: await walkers.buyer.withKey(held), seller: await walkers.seller.withKey(held) };
    const instead = async (moment: Moment): Promise<Outcome | undefined> => {
      const { step } = moment;
      const before = changes(step) ? await possessions(server, walkers) : '';
      const outcome = await moment.ask({ key: narrow[step.by].key });
      seen.add(step.tool, { key, end: endOf(outcome) });
      if (!outcome.failed) return outcome;
      if (changes(step) && (await possessions(server, walkers)) !== before) changed.add(step.tool, key);
      return undefined;
    };
    await walk(server, { walkers, instead });
  }

  test.each(byTool(firstSteps))(
    '%s lets in whom it is for, refuses the others, and nothing changes',
    (tool, step) => {
      const ends = seen.of(tool).filter(({ key }) => endFor(step, key) !== undefined);

      expect(ends.length).toBeGreaterThanOrEqual(5);
      expect(ends).toEqual(ends.map(({ key }) => ({ key, end: endFor(step, key) })));
      expect(changed.of(tool)).toEqual([]);
    },
  );
});

describe('with no key of the house', () => {
  const seen = new Seen<Record<string, string>>();
  const changed = new Seen<string>();
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
    const walkers = await newWalkers(server);
    const keys = {
      buyer: await strangersOf(walkers.buyer, walkers.seller),
      seller: await strangersOf(walkers.seller, walkers.buyer),
    };
    const before = async (moment: Moment): Promise<void> => {
      const { tool, by } = moment.step;
      const had = await possessions(server, walkers);
      const ends: Record<string, string> = {};
      for (const [who, key] of Object.entries(keys[by])) ends[who] = endOf(await moment.ask({ key }));
      seen.add(tool, ends);
      if ((await possessions(server, walkers)) !== had) changed.add(tool, 'changed');
    };
    await walk(server, { walkers, before });
  }, 120_000);
  afterAll(() => server.stop());

  /** Keys that let nobody in: none, one nobody made, one revoked, one expired, and one of the other side. */
  async function strangersOf(person: Person, other: Person) {
    const revoked = await person.withKey(['buyer:admin']);
    const expired = await person.withKey(['buyer:admin']);
    await end(revoked, 'revoked_at');
    await end(expired, 'expires_at');
    return {
      nobody: '',
      unknown: makeApiKey('rialto', 'live'),
      revoked: revoked.key,
      expired: expired.key,
      otherSide: other.key,
    };
  }

  function end({ keyId }: Person, column: 'revoked_at' | 'expires_at') {
    const db = server.store.db.withoutPlugins();
    return sql`update api_keys set ${sql.ref(column)} = '2026-11-30T00:00:00.000Z' where id = ${keyId}`.execute(
      db,
    );
  }

  test.each(byTool(firstSteps))(
    '%s is closed to strangers and to the other side, and nothing changes',
    (tool, step) => {
      const isOpen = neededBy(step) === 'nothing';
      const stranger = isOpen ? 'passed' : '401 UNAUTHORIZED';
      const otherSide = capabilityOf(step).surface === 'platform' ? 'passed' : '403 FORBIDDEN';

      expect(seen.of(tool)[0]).toEqual({
        nobody: stranger,
        unknown: stranger,
        revoked: stranger,
        expired: stranger,
        otherSide,
      });
      expect(changed.of(tool)).toEqual([]);
    },
  );
});
