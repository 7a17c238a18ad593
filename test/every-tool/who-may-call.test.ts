import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeApiKey } from '../../adapters/ports/keys.ts';
import { byTool, capabilityOf, changes, firstSteps, overMcpAlone } from '../journeys/journey.ts';
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

const isOpen = (step: Step) => neededBy(step) === 'nothing';

describe('who may call', () => {
  const seen = new Seen<{ key: string; end: string }>();
  const strangers = new Seen<Record<string, string>>();
  const changed = new Seen<string>();
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
    await walkAsking();
    for (const [key, held] of SETS) await walkWith(key, held);
  }, 120_000);
  afterAll(() => server.stop());

  /** Asks at each step with every key that changes nothing: to read, or to be refused. */
  async function walkAsking(): Promise<void> {
    const walkers = await newWalkers(server);
    const keys = {
      buyer: await keysOf(walkers.buyer, walkers.seller),
      seller: await keysOf(walkers.seller, walkers.buyer),
    };
    const before = async (moment: Moment): Promise<void> => {
      const { step } = moment;
      const { sets, others } = keys[step.by];
      const had = changes(step) ? await possessions(server, walkers) : '';
      for (const [key, end] of await endsOf(moment, harmless(step, sets))) seen.add(step.tool, { key, end });
      strangers.add(step.tool, Object.fromEntries(await endsOf(moment, others)));
      if (changes(step) && (await possessions(server, walkers)) !== had) changed.add(step.tool, 'changed');
    };
    await walk(server, { walkers, before });
  }

  async function endsOf(moment: Moment, keys: Readonly<Record<string, string>>): Promise<[string, string][]> {
    const ends: [string, string][] = [];
    for (const [who, key] of Object.entries(keys)) ends.push([who, endOf(await moment.ask({ key }))]);
    return ends;
  }

  /** The keys with which the step may be asked again and again. */
  function harmless(step: Step, keys: Readonly<Record<string, string>>): Record<string, string> {
    const harm = ([key]: [string, string]) => changes(step) && endFor(step, key) !== '403 FORBIDDEN';
    return Object.fromEntries(Object.entries(keys).filter((pair) => !harm(pair)));
  }

  /** A walk whose changes are made with a key of this set, wherever that has to be enough. */
  async function walkWith(key: string, held: Parameters<Person['withKey']>[0]): Promise<void> {
    if (!firstSteps.some((step) => changes(step) && endFor(step, key) === 'passed')) return;
    const walkers = await newWalkers(server);
    const narrow = { buyer: await walkers.buyer.withKey(held), seller: await walkers.seller.withKey(held) };
    const instead = async ({ step, ask }: Moment): Promise<Outcome | undefined> => {
      if (!changes(step) || endFor(step, key) !== 'passed') return undefined;
      const outcome = await ask({ key: narrow[step.by].key });
      seen.add(step.tool, { key, end: endOf(outcome) });
      return outcome.failed ? undefined : outcome;
    };
    await walk(server, { walkers, instead });
  }

  /** A key of each set; and keys that let nobody in: none, one nobody made, dead ones, one of the other side. */
  async function keysOf(person: Person, other: Person) {
    const sets: Record<string, string> = {};
    for (const [key, held] of SETS) sets[key] = (await person.withKey(held)).key;
    const revoked = await person.withKey(['buyer:admin']);
    const expired = await person.withKey(['buyer:admin']);
    await end(revoked, 'revoked_at');
    await end(expired, 'expires_at');
    const unknown = makeApiKey('rialto', 'live');
    const others = { nobody: '', unknown, revoked: revoked.key, expired: expired.key, otherSide: other.key };
    return { sets, others };
  }

  function end({ keyId }: Person, column: 'revoked_at' | 'expires_at') {
    const db = server.store.db.withoutPlugins();
    const before = '2026-11-30T00:00:00.000Z';
    return sql`update api_keys set ${sql.ref(column)} = ${before} where id = ${keyId}`.execute(db);
  }

  test.each(byTool(firstSteps))('%s takes each key that is enough, and no other', (tool, step) => {
    const ends = Object.fromEntries(seen.of(tool).map(({ key, end: how }) => [key, how]));
    const known = [...SETS.keys()].filter((key) => endFor(step, key) !== undefined);

    expect(known.length).toBeGreaterThanOrEqual(5);
    expect(ends).toMatchObject(Object.fromEntries(known.map((key) => [key, endFor(step, key)])));
    for (const { key, end: how } of seen.of(tool)) expect(how).toBe(endFor(step, key) ?? how);
  });

  const closed = firstSteps.filter((step) => !isOpen(step));
  test.each(byTool(closed))('%s is closed to strangers and to the other side', (tool, step) => {
    const stranger = '401 UNAUTHORIZED';
    const otherSide = capabilityOf(step).surface === 'platform' ? 'passed' : '403 FORBIDDEN';
    const ends = { nobody: stranger, unknown: stranger, revoked: stranger, expired: stranger, otherSide };

    expect(strangers.of(tool).length).toBeGreaterThan(0);
    for (const seenEnds of strangers.of(tool)) expect(seenEnds).toEqual(ends);
  });

  test.each(byTool(firstSteps.filter(isOpen)))(
    '%s is open to everybody, whatever they hold',
    (tool, step) => {
      // An MCP server lets nobody in without a credential.
      const stranger = overMcpAlone(step) ? '401 UNAUTHORIZED' : 'passed';
      const ends = [stranger, stranger, stranger, stranger, 'passed'];
      expect(Object.values(strangers.of(tool)[0] ?? {})).toEqual(ends);
    },
  );

  test.each(byTool(firstSteps.filter(changes)))('%s changes nothing where it is refused', (tool) => {
    expect(changed.of(tool)).toEqual([]);
  });
});
