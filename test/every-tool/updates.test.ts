import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tools } from '../../tools/registry.ts';
import { walk } from '../journeys/walk.ts';
import type { Outcome } from '../support/callers/tool-lanes.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

/** What changes fields of an object; what is left out stays. */
const updates = tools
  .filter(({ rest }) => rest?.method === 'PUT' || rest?.method === 'PATCH')
  .map(({ name }) => name)
  // A decision: whoever decides again learns that it is made (409).
  .filter((name) => name !== 'join_request_update');

interface Twice {
  readonly first: Outcome;
  readonly second: Outcome;
  /** Entries of the audit log that the second one left. */
  readonly entries: number;
}

describe('an update that changes nothing', () => {
  const seen = new Map<string, Twice>();
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
    await walk(server, {
      onlyMakes: true,
      after: async ({ step, person, ask }, first) => {
        if (!updates.includes(step.tool)) return;
        const before = await entriesOf(person.organizationId);
        const second = await ask();
        const entries = (await entriesOf(person.organizationId)) - before;
        seen.set(step.tool, { first, second, entries });
      },
    });
  });
  afterAll(() => server.stop());

  async function entriesOf(organizationId: number): Promise<number> {
    const rows = await server.store.db
      .selectFrom('audit_logs')
      .select('id')
      .where('organization_id', '=', organizationId)
      .execute();
    return rows.length;
  }

  test.each(updates)('is answered by %s as the one before, and neither written nor logged', (name) => {
    const { first, second, entries } = seen.get(name) ?? {};

    expect(second).toMatchObject({ status: 200, failed: false });
    expect(second?.content).toEqual(first?.content);
    expect(entries).toBe(0);
  });
});
