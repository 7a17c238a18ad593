import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { limitSpend } from '../../support/buying/spend-limits.ts';
import { newBrowser } from '../../support/callers/browsers.ts';
import { type Client, clientFor } from '../../support/callers/client.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { done, draftCampaign, newAdvertiser, openStorefront } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const STALE = {
  code: 'CONFLICT' as const,
  at: { 'If-Match': 'The spend approval was changed by somebody else in the meantime.' },
};

describe.each(['approve', 'reject'])(
  'a decision to %s a spend that says which version it is made on',
  (what) => {
    let server: TestServer;
    let storefrontId: string;
    let buyer: Person;
    let another: Client;
    let path: string;
    let campaign: string;
    beforeAll(async () => {
      server = await startTestServer();
      ({ storefrontId } = await openStorefront(await newPerson(server)));
    });
    afterAll(() => server.stop());
    beforeEach(async () => {
      buyer = await newPerson(server);
      await limitSpend(server, buyer, 500);
      const advertiserId = await newAdvertiser(buyer);
      const draft = { advertiserId, each: 900, budget: 2_000, storefrontIds: [storefrontId] };
      const { campaignId } = await draftCampaign(buyer, draft);
      campaign = `/buyer/campaigns/${campaignId}`;
      const { approval } = done(await buyer.post(`${campaign}/execute`));
      path = `/buyer/spend-approvals/${approval.approvalId}`;
      another = clientFor(server.url, await buyer.browser());
    });

    const decide = (match: string) =>
      another.send(`${path}/${what}`, { method: 'POST', headers: { 'if-match': match } });
    const read = () => another.get(path);
    const tag = async () => (await read()).headers.get('etag') ?? '';

    test.each([
      ['another version', '"99-abc"', 409],
      ['no tag', 'not a tag at all', 400],
    ] as const)('is not made where it names %s', async (_, match, status) => {
      const reply = await decide(match);

      expect(reply.status).toBe(status);
      expect(done(await read()).status).toBe('pending');
      expect(done(await buyer.get(campaign)).campaign.mediaBuys).toEqual([]);
    });

    test('is refused with the approval as it is, where somebody else has asked for it since', async () => {
      const match = await tag();
      const other = await newBrowser(server, buyer.organizationId);
      done(await clientFor(server.url, other.credential).post(`${campaign}/execute`));

      const reply = await decide(match);

      expectRefusal(reply, 409, STALE);
      expect(reply.body.error.details).toMatchObject({ current: { status: 'pending' }, etag: await tag() });
    });

    test('is made on the one that was read, and is not made again on that', async () => {
      const match = await tag();

      const reply = await decide(match);

      expect(reply.status).toBe(200);
      expectRefusal(await decide(match), 409, STALE);
      expect((await decide(await tag())).status).toBe(200);
    });
  },
);
