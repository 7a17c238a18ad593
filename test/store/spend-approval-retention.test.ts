import { afterAll, beforeAll, expect, test } from 'vitest';
import { forgetSpendApprovals } from '../../store/unscoped/spend-approval-retention.ts';
import { waitingSpend } from '../support/buying/spend-limits.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { newAdvertiser, openStorefront } from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const OLD = '2020-01-01T00:00:00.000Z';
const SINCE = '2021-01-01T00:00:00.000Z';

let server: TestServer;
let buyer: Person;
let ids: string[];
beforeAll(async () => {
  server = await startTestServer({ own: true });
  const { storefrontId } = await openStorefront(await newPerson(server));
  buyer = await newPerson(server);
  ids = [];
  for (const _ of [1, 2, 3, 4]) {
    const advertiserId = await newAdvertiser(buyer);
    const wanted = { advertiserId, storefrontIds: [storefrontId] };
    ids.push((await waitingSpend(server, buyer, wanted)).approvalId);
  }
});
afterAll(() => server.stop());

const kept = async () =>
  (
    await server.store.db
      .selectFrom('spend_approvals')
      .select('id')
      .where('organization_id', '=', buyer.organizationId)
      .execute()
  ).map(({ id }) => id);

async function put(index: number, set: Record<string, unknown>): Promise<string> {
  const id = ids[index] ?? '';
  await server.store.db
    .updateTable('spend_approvals')
    .set(set)
    .where('organization_id', '=', buyer.organizationId)
    .where('id', '=', id)
    .execute();
  return id;
}

test('spends are forgotten long after they were decided or over, and never while they can be decided', async () => {
  const now = '2026-01-01T00:00:00.000Z';
  await put(0, { state: 'rejected', updated_at: OLD });
  await put(1, { updated_at: OLD, expires_at: OLD });
  const open = await put(2, { updated_at: OLD, expires_at: '2027-01-01T00:00:00.000Z' });
  const fresh = await put(3, { state: 'approved' });

  while (await forgetSpendApprovals(server.store.db, { before: SINCE, now }));

  expect((await kept()).sort()).toEqual([open, fresh].sort());
});
