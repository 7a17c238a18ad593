import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { byTool, changes, firstSteps, overRestAlone } from '../journeys/journey.ts';
import { credentialOf, type Moment, walk } from '../journeys/walk.ts';
import type { Person } from '../support/callers/people.ts';
import {
  type Lane,
  type Outcome,
  overMcp,
  overOfficialMcp,
  overRest,
} from '../support/callers/tool-lanes.ts';
import { lastEntry } from '../support/database/last-entry.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';
import { Seen } from './support.ts';

/** What shows something this once: its answer is kept for nobody. */
const SHOW_SECRETS: readonly string[] = [
  'org_api_key_create',
  'm2m_application_create',
  'm2m_secret_create',
  'service_token_create',
  // Codes of proposals: who has one may buy by it.
  'proposal_create',
  'proposal_update',
  'proposal_revoke',
];

interface Repeated {
  readonly first: Outcome;
  readonly second: Outcome;
  /** With another reason, or with one where the first had none. */
  readonly otherReason: Outcome;
  /** Entries of the audit log that the repeat made, by how they ended. */
  readonly logged: readonly string[];
}

const steps = firstSteps.filter(changes);
const ways: readonly (readonly [string, Lane])[] = [
  ['REST', overRest],
  ['tools/call on the direct lane', overMcp],
  ['tools/call on the official server', overOfficialMcp],
];

describe.each(ways)('a change over %s, repeated under its key', (way, lane) => {
  const seen = new Seen<Repeated>();
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
    await walk(server, { lane, instead: (moment) => twice(moment), onlyMakes: true });
  }, 240_000);
  afterAll(() => server.stop());

  async function twice({ step, person, args, ask }: Moment): Promise<Outcome | undefined> {
    if (!changes(step)) return undefined;
    const repeatKey = `walk-${step.tool}-${Math.random()}`;
    const key = await credentialOf(step, person);
    const keyed: Lane = (call) => lane({ ...call, repeatKey });
    const first = await ask({ key, lane: keyed });
    const last = await lastEntry(server.store);
    const second = await ask({ key, lane: keyed });
    const logged = (await entriesOf(person, last)).map(({ outcome }) => outcome);
    const otherReason = await ask({ key, lane: keyed, args: { ...args, reason: 'Another one.' } });
    seen.add(step.tool, { first, second, otherReason, logged });
    return first;
  }

  function entriesOf({ organizationId }: Person, after: number) {
    return server.store.db
      .selectFrom('audit_logs')
      .select(['id', 'outcome'])
      .where('organization_id', '=', organizationId)
      .where('id', '>', after)
      .where('actor_origin', '!=', 'system')
      .orderBy('id')
      .execute();
  }

  const here = way === 'REST' ? steps : steps.filter((step) => !overRestAlone(step));
  const plain = here.filter(({ tool }) => !SHOW_SECRETS.includes(tool));
  const secret = here.filter(({ tool }) => SHOW_SECRETS.includes(tool));

  test.each(byTool(plain))('answers %s as before, says so, and does nothing', (tool) => {
    expect(seen.of(tool).length).toBeGreaterThan(0);
    for (const { first, second, logged } of seen.of(tool)) {
      expect(first).toMatchObject({ failed: false, replayed: false });
      expect(second.content).toEqual(first.content);
      expect(second).toMatchObject({ failed: false, replayed: true, status: first.status });
      expect(logged).toEqual([]);
    }
  });

  test.each(byTool(here))('refuses another reason under the key of %s', (tool) => {
    expect(seen.of(tool).length).toBeGreaterThan(0);
    for (const { otherReason } of seen.of(tool)) {
      expect(otherReason).toMatchObject({ failed: true, replayed: false });
      expect(otherReason.content).toMatchObject({
        code: 'CONFLICT',
        field: expect.stringMatching(/^idempotency-?key$/i),
        message: 'This idempotency key was used for another input, and nothing was done now.',
      });
    }
  });

  test.each(byTool(secret))('names what %s made, and shows its secret to nobody again', (tool) => {
    expect(seen.of(tool).length).toBeGreaterThan(0);
    for (const { first, second, logged } of seen.of(tool)) {
      expect(first).toMatchObject({ failed: false, replayed: false });
      expect(second).toMatchObject({ failed: true, replayed: false });
      expect(second.content).toMatchObject({ code: 'CONFLICT' });
      const { resourceId } = JSON.parse(JSON.stringify(second.content['details']));
      expect(JSON.stringify(first.content)).toMatch(new RegExp(`"(?:id|proposalId)":"?${resourceId}"?,`));
      expect(logged).toEqual(['denied']);
    }
  });
});
