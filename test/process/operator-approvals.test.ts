import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { waitingSpend } from '../support/buying/spend-limits.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { newAdvertiser, openStorefront } from '../support/sellers/market.ts';
import { runHere } from '../support/server/command-line.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';
import { settingsFor } from '../support/server/service.ts';

describe('the end of a limit', () => {
  let server: TestServer;
  let buyer: Person;
  beforeAll(async () => {
    server = await startTestServer({ own: true });
    const { storefrontId } = await openStorefront(await newPerson(server));
    buyer = await newPerson(server);
    const advertiserId = await newAdvertiser(buyer);
    for (let made = 0; made < 2; made += 1) {
      await waitingSpend(server, buyer, { advertiserId, storefrontIds: [storefrontId] });
    }
  });
  afterAll(() => server.stop());

  test('says how many spends wait all the same, and of an organization without any that nothing waits', async () => {
    const end = ({ organizationId }: Person) =>
      runHere(settingsFor(server.database), [
        ...['approval', 'end', '--organization', String(organizationId), '--currency', 'USD'],
      ]);

    expect((await end(buyer)).stdout).toBe(
      'Unchanged: There is no limit: nothing further waits.\n2 spends wait for another person already, and go on waiting.\n',
    );
    expect((await end(await newPerson(server))).stdout).toBe(
      'Unchanged: There is no limit: nothing waits.\n',
    );
  });
});
