import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tools } from '../../tools/registry.ts';
import { walk } from '../journeys/walk.ts';
import type { Outcome } from '../support/callers/tool-lanes.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';
import { endOf, Seen } from './support.ts';

const deletes = tools.filter(({ effect }) => effect === 'delete').map(({ name }) => name);

interface Second {
  readonly outcome: Outcome;
  /** What the audit log says of it, a word an entry. */
  readonly logged: readonly string[];
}

/** How the second one may end: it is gone, or what is in the way says so, or it is as it was to be. */
const ENDS = ['passed', '404 NOT_FOUND', '409 CONFLICT'];

describe('what is deleted a second time', () => {
  const seen = new Seen<Second>();
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
    await walk(server, {
      onlyMakes: true,
      after: async ({ step, person, ask }) => {
        if (!deletes.includes(step.tool)) return;
        const before = await entriesOf(person.organizationId);
        const outcome = await ask();
        const entries = await entriesOf(person.organizationId);
        seen.add(step.tool, { outcome, logged: entries.slice(before.length) });
      },
    });
  }, 120_000);
  afterAll(() => server.stop());

  async function entriesOf(organizationId: number): Promise<string[]> {
    const rows = await server.store.db
      .selectFrom('audit_logs')
      .select(['outcome', 'actor_origin'])
      .where('organization_id', '=', organizationId)
      .orderBy('id')
      .execute();
    return rows.filter(({ actor_origin }) => actor_origin !== 'system').map(({ outcome }) => outcome);
  }

  test.each(deletes)('is by %s neither written nor logged as done', (name) => {
    expect(seen.of(name).length).toBeGreaterThan(0);
    for (const { outcome, logged } of seen.of(name)) {
      expect(ENDS).toContain(endOf(outcome));
      expect(logged).toEqual(outcome.failed ? ['denied'] : []);
    }
  });
});
