import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { grantedOnly } from '../../support/buying/access.ts';
import { waitingSpend } from '../../support/buying/spend-limits.ts';
import { clientFor } from '../../support/callers/client.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { done, newAdvertiser, openStorefront } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('spend_approval_list', () => {
  let server: TestServer;
  let storefrontIds: string[];
  let buyer: Person;
  let advertiserId: string;
  const asked: string[] = [];
  beforeAll(async () => {
    server = await startTestServer({ own: true });
    storefrontIds = [(await openStorefront(await newPerson(server))).storefrontId];
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
    for (let made = 0; made < 3; made += 1) {
      asked.push((await waitingSpend(server, buyer, { advertiserId, storefrontIds })).approvalId);
    }
  });
  afterAll(() => server.stop());

  const list = async (query = '', by: Pick<Person, 'get'> = buyer) => {
    const { status, body } = await by.get(`/buyer/spend-approvals${query}`);
    expect(status).toBe(200);
    return body.data.items.map((item: { approvalId: string }) => item.approvalId);
  };

  test('200: shows the newest first, a status and a campaign where they are named', async () => {
    const person = clientFor(server.url, await buyer.browser());
    done(await person.post(`/buyer/spend-approvals/${asked[0]}/reject`, { reason: 'Not now.' }));
    await server.store.db
      .updateTable('spend_approvals')
      .set({ expires_at: '2020-01-01T00:00:00.000Z' })
      .where('organization_id', '=', buyer.organizationId)
      .where('id', '=', asked[1] ?? '')
      .execute();

    expect([...(await list())].sort()).toEqual([...asked].sort());
    expect(await list('?status=rejected')).toEqual([asked[0]]);
    expect(await list('?status=expired')).toEqual([asked[1]]);
    expect(await list('?status=pending')).toEqual([asked[2]]);
    const { campaignId } = done(await buyer.get(`/buyer/spend-approvals/${asked[2]}`));
    expect(await list(`?campaignId=${campaignId}`)).toEqual([asked[2]]);
  });

  test('200: shows a narrowed key its advertisers, another organization nothing, a person every account', async () => {
    const elsewhere = await grantedOnly(server, buyer, await newAdvertiser(buyer));
    expect(await list('', elsewhere)).toEqual([]);
    expect(await list('', await grantedOnly(server, buyer, advertiserId))).toHaveLength(3);
    expect(await list('', await newPerson(server))).toEqual([]);
    expect(await list('', clientFor(server.url, await buyer.browser()))).toHaveLength(3);
  });

  test('200: pages with take and skip', async () => {
    const [, second] = await list();
    expect(await list('?take=1&skip=1')).toEqual([second]);
  });
});
