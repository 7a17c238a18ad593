import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeScope } from '../../store/engine/scope.ts';
import { payIn } from '../../tools/domain/ledger/operating.ts';
import { newPerson } from '../support/callers/people.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

test('what a buyer of the tests begins with is as the operator would have paid it in', async () => {
  const given = await entriesOf(await newPerson(server));
  const other = await newPerson(server, { funds: false });
  const scope = makeScope({ organizationId: other.organizationId, customerId: other.accounts.BUYER ?? 0 });
  for (const { currency, amount_minor: amountMinor, reason, actor: by, created_at: now } of given) {
    await server.store.transaction((tx) => payIn(tx, scope, { currency, amountMinor, reason, by, now }));
  }

  expect(given).toHaveLength(4);
  expect(await entriesOf(other)).toEqual(given);
});

/** But for whose they are. */
async function entriesOf({ organizationId }: { organizationId: number }) {
  const rows = await server.store.db
    .selectFrom('ledger_entries')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('id')
    .execute();
  return rows.map(({ id: _id, organization_id: _organization, customer_id: _customer, ...entry }) => entry);
}
