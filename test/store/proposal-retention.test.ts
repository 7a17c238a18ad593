import { afterAll, beforeAll, expect, test } from 'vitest';
import { forgetOld } from '../../adapters/process/retention.ts';
import { completeEnded } from '../../tools/domain/buying/flight-ends.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { done, flightDates, newAdvertiser } from '../support/sellers/market.ts';
import { offerFields, type Planned, planned } from '../support/sellers/offers.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const DAY_MS = 86_400_000;
const kept = {
  discoveryDays: 3_650,
  auditDays: 3_650,
  approvalDays: 3_650,
  proposalDays: 30,
  eventDays: 30,
  endedAccessDays: 3_650,
  previewDays: 3_650,
};
const PATH = '/storefront/proposals';

let server: TestServer;
let made: Planned;
let guest: Person;
let advertiserId: string;
beforeAll(async () => {
  server = await startTestServer({ own: true, settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
  made = await planned(server);
  guest = await newPerson(server);
  advertiserId = await newAdvertiser(guest);
});
afterAll(async () => {
  await server.stop();
  await made.agent.stop();
});

const offer = async () =>
  done(await made.seller.post(PATH, { ...offerFields(made, guest), expiresAt: undefined }));
const keptIds = async () =>
  done(await made.seller.get(PATH))
    .map(({ id }: { id: number }) => id)
    .sort();

/** So many days from now. */
const later = (days: number) => {
  const { services } = server.running.app;
  const now = services.ports.clock.now() + days * DAY_MS;
  const clock = { ...services.ports.clock, now: () => now };
  return { ...services, ports: { ...services.ports, clock } };
};

async function takeUp(proposalCode: string): Promise<void> {
  const { discoveryId } = done(
    await guest.post('/buyer/discovery/discover-products', { advertiserId, waitSeconds: 30, proposalCode }),
  );
  const applied = { proposalId: 'balanced', totalBudget: 1_000 };
  done(await guest.post(`/buyer/discovery/${discoveryId}/apply-proposal`, applied));
  const wanted = { advertiserId, name: 'By code', discoveryId, flightDates, budget: { total: 1_000 } };
  const { campaignId } = done(await guest.post('/buyer/campaigns', wanted)).campaign;
  done(await guest.post(`/buyer/campaigns/${campaignId}/execute`));
}

test('proposals are forgotten long after their codes ended, and not while a campaign lives that took one up', async () => {
  const open = await offer();
  const revoked = await offer();
  done(await made.seller.post(`${PATH}/${revoked.id}/revoke`));
  const redeemed = await offer();
  await takeUp(redeemed.proposalCode);

  await forgetOld(later(43), kept);
  expect(await keptIds()).toEqual([open.id, revoked.id, redeemed.id].sort());

  await forgetOld(later(45), kept);
  expect(await keptIds()).toEqual([redeemed.id]);

  await completeEnded(later(3_000));
  await forgetOld(later(45), kept);
  expect(await keptIds()).toEqual([]);
});
