import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limitSpend, waitingSpend } from '../../support/buying/spend-limits.ts';
import { newBrowser } from '../../support/callers/browsers.ts';
import { clientFor } from '../../support/callers/client.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { done, draftCampaign, newAdvertiser, openStorefront } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('spend_approval_reject', () => {
  let server: TestServer;
  let storefrontIds: string[];
  let buyer: Person;
  let advertiserId: string;
  beforeAll(async () => {
    server = await startTestServer({ own: true });
    storefrontIds = [(await openStorefront(await newPerson(server))).storefrontId];
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(() => server.stop());

  const another = async () => clientFor(server.url, await buyer.browser());
  const reject = (id: string, by: Pick<Person, 'post'>, reason?: string) =>
    by.post(`/buyer/spend-approvals/${id}/reject`, reason === undefined ? {} : { reason });

  test('200: nothing is done, whoever asked reads why, and may ask again', async () => {
    const { approvalId, campaignId } = await waitingSpend(server, buyer, { advertiserId, storefrontIds });
    const person = await another();

    const { status, body } = await reject(approvalId, person, 'Too much for this quarter.');

    expect(status).toBe(200);
    expect(body.data).toMatchObject({ status: 'rejected', decisionReason: 'Too much for this quarter.' });
    expect((await reject(approvalId, person)).body.data).toEqual(body.data);
    expect(done(await buyer.get(`/buyer/spend-approvals/${approvalId}`))).toEqual(body.data);
    expect(done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign.status).toBe('DRAFT');
    await limitSpend(server, buyer, 50);
    const { approval } = done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
    await limitSpend(server, buyer);
    expect(approval.approvalId).not.toBe(approvalId);
  });

  test('403 FORBIDDEN to who asked, and to a key', async () => {
    const { credential } = await newBrowser(server, buyer.organizationId);
    const own = clientFor(server.url, credential);
    const { campaignId } = await draftCampaign(buyer, { advertiserId, storefrontIds });
    await limitSpend(server, buyer, 50);
    const { approval } = done(await own.post(`/buyer/campaigns/${campaignId}/execute`));
    await limitSpend(server, buyer);

    expectRefusal(await reject(approval.approvalId, own), 403, {
      code: 'FORBIDDEN',
      words: 'You asked for it, or your key did: another person has to decide.',
    });
    expectRefusal(await reject(approval.approvalId, buyer), 403, {
      code: 'FORBIDDEN',
      words: 'This call needs an interactive session of a person; a key or token cannot make it.',
    });
  });

  test('409 CONFLICT once it was approved', async () => {
    const { approvalId } = await waitingSpend(server, buyer, { advertiserId, storefrontIds });
    const person = await another();
    done(await person.post(`/buyer/spend-approvals/${approvalId}/approve`));
    expectRefusal(await reject(approvalId, person), 409, {
      code: 'CONFLICT',
      words: 'The approval is approved: there is nothing to decide any more.',
    });
  });
});
