import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { limitSpend } from '../../support/buying/spend-limits.ts';
import { newBrowser } from '../../support/callers/browsers.ts';
import { clientFor } from '../../support/callers/client.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { done, draftCampaign, newAdvertiser, openStorefront } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

type Caller = Pick<Person, 'post' | 'patch' | 'put'>;

describe('a spend that several ask for', () => {
  let server: TestServer;
  let storefrontId: string;
  /** A key of the operator: nobody is behind it. */
  let agent: Person;
  let ann: ReturnType<typeof clientFor>;
  let bob: ReturnType<typeof clientFor>;
  let advertiserId: string;
  beforeAll(async () => {
    server = await startTestServer();
    storefrontId = (await openStorefront(await newPerson(server))).storefrontId;
  });
  beforeEach(async () => {
    agent = await newPerson(server);
    advertiserId = await newAdvertiser(agent);
    ann = await administrator();
    bob = await administrator();
    await limitSpend(server, agent, 500);
  });
  afterAll(() => server.stop());

  const administrator = async () =>
    clientFor(server.url, (await newBrowser(server, agent.organizationId)).credential);
  const draft = async (each: number) => {
    const asked = { advertiserId, each, budget: 2_000, storefrontIds: [storefrontId] };
    return (await draftCampaign(agent, asked)).campaignId;
  };
  /** A buy of 400 that runs. */
  const running = async () => {
    const campaignId = await draft(400);
    done(await agent.post(`/buyer/campaigns/${campaignId}/execute`));
    const [{ mediaBuyId, packages }] = done(await agent.get(`/buyer/campaigns/${campaignId}`)).campaign
      .mediaBuys;
    return { campaignId, mediaBuyId, packageId: packages[0].packageId };
  };
  const asked = async (call: ReturnType<Caller['post']>) => done(await call).approval.approvalId as string;
  const approve = (by: Caller, id: string) => by.post(`/buyer/spend-approvals/${id}/approve`);
  const expectKeptFrom = async (id: string) => {
    expectRefusal(await approve(ann, id), 403, {
      code: 'FORBIDDEN',
      words: 'You asked for it, or your key did: another person has to decide.',
    });
    done(await approve(bob, id));
  };

  test('is allowed by none of them, whoever asked first, and by somebody else', async () => {
    const campaignId = await draft(900);
    const execute = (by: Caller) => asked(by.post(`/buyer/campaigns/${campaignId}/execute`));
    const id = await execute(agent);
    expect(await execute(ann)).toBe(id);
    expect(await execute(agent)).toBe(id);

    await expectKeptFrom(id);

    const entries = await server.store.db
      .selectFrom('audit_logs')
      .select(['tool', 'changes'])
      .where('organization_id', '=', agent.organizationId)
      .where('resource_id', '=', id)
      .where('outcome', '=', 'succeeded')
      .orderBy('id')
      .execute();
    expect(entries.map(({ tool }) => tool)).toEqual([
      'campaign_execute',
      'campaign_execute',
      'spend_approval_approve',
    ]);
    expect(entries[1]?.changes).toContain('askedBy');
  });

  test('is not allowed by whoever made the key that asked second', async () => {
    const campaignId = await draft(900);
    const key = { name: 'Nightly', permissions: ['buyer:write', 'buyer:read'] };
    const made = done(await ann.post('/org-api-keys', key)).apiKey.value;
    const execute = (by: Caller) => asked(by.post(`/buyer/campaigns/${campaignId}/execute`));
    const id = await execute(agent);
    expect(await execute(clientFor(server.url, made))).toBe(id);

    await expectKeptFrom(id);
  });

  test('is not allowed by who asked for the same raise with another call', async () => {
    const { campaignId, mediaBuyId, packageId } = await running();
    const packages = [{ packageId, budget: 700 }];
    const mediaBuys = [{ mediaBuyId, packages }];
    const first = await asked(ann.put(`/buyer/campaigns/${campaignId}`, { mediaBuys }));
    const second = await asked(agent.patch(`/buyer/media-buys/${mediaBuyId}`, { packages }));
    expect(second).not.toBe(first);

    await expectKeptFrom(second);
  });

  test('is not allowed by who asked for the same reactivation, of the campaign or of its media buy', async () => {
    const { campaignId, mediaBuyId } = await running();
    done(await agent.post(`/buyer/campaigns/${campaignId}/pause`, {}));
    await limitSpend(server, agent, 300);
    const ofCampaign = () => `/buyer/campaigns/${campaignId}/reactivate`;
    const id = await asked(agent.post(ofCampaign(), {}));
    expect(await asked(ann.post(ofCampaign(), {}))).toBe(id);
    const ofBuy = await asked(agent.post(`/buyer/media-buys/${mediaBuyId}/reactivate`, {}));

    await expectKeptFrom(ofBuy);
  });
});
