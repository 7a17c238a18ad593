import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limitSpend, waitingSpend } from '../support/buying/spend-limits.ts';
import { newBrowser } from '../support/callers/browsers.ts';
import { clientFor } from '../support/callers/client.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { done, draftCampaign, newAdvertiser, openStorefront } from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

describe('the page of approvals', () => {
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

  /** A browser at the page, and what its forms send. */
  function pageOf({ credential }: { readonly credential: string }) {
    const [, csrf = ''] = credential.slice('browser '.length).split(' ');
    const client = clientFor(server.url, credential);
    const url = `${server.url}/settings/approvals`;
    return {
      read: () => client.get(url),
      send: (fields: Readonly<Record<string, string>>) =>
        client.send(url, {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded', origin: server.url },
          body: new URLSearchParams({ csrf, ...fields }).toString(),
        }),
    };
  }

  const another = async () => clientFor(server.url, await buyer.browser());
  const statusOf = async (campaignId: string) =>
    done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign.status;

  test('shows administrators what waits, and lets another person allow or reject it', async () => {
    const page = pageOf(await newBrowser(server, buyer.organizationId));
    const [one, other] = [
      await waitingSpend(server, buyer, { advertiserId, storefrontIds }),
      await waitingSpend(server, buyer, { advertiserId, storefrontIds }),
    ];

    const { text } = await page.read();
    expect(text).toContain(one.campaignId);
    expect(text).toContain('100 USD');

    const approved = await page.send({ do: 'approve', id: one.approvalId });
    expect(approved.headers.get('location')).toContain('/settings/approvals?done=approve');
    expect(await statusOf(one.campaignId)).toBe('ACTIVE');
    await page.send({ do: 'reject', id: other.approvalId });
    expect(await statusOf(other.campaignId)).toBe('DRAFT');
    expect((await page.read()).text).toContain('Nothing waits.');
  });

  test('shows of whom and of what a spend is, what is held already, and what is asked for', async () => {
    const { campaignId } = await draftCampaign(buyer, { advertiserId, storefrontIds, budget: 1_000 });
    done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
    const { name, mediaBuys } = done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign;
    const [{ mediaBuyId, salesAgentName, packages }] = mediaBuys;
    await limitSpend(server, buyer, 150);
    const change = { mediaBuyId, packages: [{ packageId: packages[0].packageId, budget: 250 }] };
    const { approval } = done(await buyer.put(`/buyer/campaigns/${campaignId}`, { mediaBuys: [change] }));
    await limitSpend(server, buyer);

    const { text } = await pageOf(await newBrowser(server, buyer.organizationId)).read();
    const shown = text.replaceAll(/<\/?(bdi|code)>/g, '').replaceAll('&quot;', '"');
    const { name: advertiser } = done(await buyer.get(`/buyer/advertisers/${advertiserId}`));
    expect(shown).toContain(`250 USD for ${name} of ${advertiser}`);
    expect(shown).toContain(
      'The campaign holds 100 USD now, and 250 USD with it; above 150 USD somebody is asked.',
    );
    expect(shown).toContain(` of ${salesAgentName}, from `);
    expect(shown).toContain('"budget":250');
    done(await (await another()).post(`/buyer/spend-approvals/${approval.approvalId}/reject`, {}));
  });

  test('shows of whom and for when an execute buys what, and takes the reason of a no', async () => {
    const { approvalId, campaignId } = await waitingSpend(server, buyer, { advertiserId, storefrontIds });
    const { productName, salesAgentName } = done(await buyer.get(`/buyer/campaigns/${campaignId}/products`))
      .products[0];
    const page = pageOf(await newBrowser(server, buyer.organizationId));

    const shown = (await page.read()).text.replaceAll(/<\/?(bdi|time)[^>]*>/g, '');
    expect(shown).toContain(
      `<p class="meta">${productName} of ${salesAgentName}, from 2026-12-10 00:00 UTC to 2026-12-31 00:00 UTC.</p>`,
    );
    expect(shown).toContain('<input name="reason" type="text" maxlength="1000"');
    const tooLong = await page.send({ do: 'reject', id: approvalId, reason: 'x'.repeat(1_001) });
    expect(tooLong.status).toBe(422);
    await page.send({ do: 'reject', id: approvalId, reason: ' Too much for <b>May</b>. ' });

    expect(done(await buyer.get(`/buyer/spend-approvals/${approvalId}`))).toMatchObject({
      status: 'rejected',
      decisionReason: 'Too much for <b>May</b>.',
    });
  });

  test('says to who asked that another person has to decide, and is not there for members', async () => {
    const admin = await newBrowser(server, buyer.organizationId);
    const { campaignId } = await draftCampaign(buyer, { advertiserId, storefrontIds });
    await limitSpend(server, buyer, 50);
    const own = clientFor(server.url, admin.credential);
    const { approval } = done(await own.post(`/buyer/campaigns/${campaignId}/execute`));
    await limitSpend(server, buyer);

    const refused = await pageOf(admin).send({ do: 'approve', id: approval.approvalId });

    expect(refused.status).toBe(422);
    expect(refused.text).toContain('another person has to decide');
    expect(await statusOf(campaignId)).toBe('DRAFT');
    const member = await newBrowser(server, buyer.organizationId, 'MEMBER');
    expect((await pageOf(member).read()).status).toBe(404);
  });
});
