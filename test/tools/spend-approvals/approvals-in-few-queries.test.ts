import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitingSpend } from '../../support/buying/spend-limits.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { recordQueries } from '../../support/database/recorded-queries.ts';
import { done, draftCampaign, newAdvertiser, openStorefront } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const recorder = recordQueries();
let server: TestServer;
let buyer: Person;
beforeAll(async () => {
  server = await startTestServer({ store: recorder.options });
  recorder.watch(server.store);
  const storefrontIds = [(await openStorefront(await newPerson(server))).storefrontId];
  buyer = await newPerson(server);
  const advertiserId = await newAdvertiser(buyer);
  for (let made = 0; made < 4; made += 1) await waitingSpend(server, buyer, { advertiserId, storefrontIds });
});
afterAll(() => server.stop());

test('a page of approvals costs as many queries as one of them', async () => {
  const ranFor = async (take: number) => {
    const before = recorder.ran.length;
    expect(done(await buyer.get(`/buyer/spend-approvals?take=${take}`)).items).toHaveLength(take);
    return recorder.ran.slice(before).filter(({ sql }) => /campaign|advertiser|media_buy/.test(sql)).length;
  };
  await ranFor(1);

  expect(await ranFor(4)).toBe(await ranFor(1));
});

test('a page of campaigns looks once for all that waits of them, and not at all where nothing was ever asked', async () => {
  const looksOf = async (by: Person, take: number) => {
    const before = recorder.ran.length;
    const { campaigns } = done(await by.get(`/buyer/campaigns?take=${take}`));
    const looked = recorder.ran.slice(before).filter(({ sql }) => sql.includes('spend_approvals'));
    return { looks: looked.length, waiting: campaigns.map(waitingOf) };
  };
  const waitingOf = ({ waitingApprovals = [] }: { waitingApprovals?: readonly object[] }) =>
    waitingApprovals.length;
  const others = await newPerson(server);
  await draftCampaign(others, { advertiserId: await newAdvertiser(others) });

  expect(await looksOf(buyer, 1)).toEqual({ looks: 1, waiting: [1] });
  expect(await looksOf(buyer, 4)).toEqual({ looks: 1, waiting: [1, 1, 1, 1] });
  expect(await looksOf(others, 4)).toEqual({ looks: 0, waiting: [0] });
});
