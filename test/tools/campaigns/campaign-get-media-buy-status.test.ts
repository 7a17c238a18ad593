import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { colleagueInOtherAccount } from '../../support/callers/colleague.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { type SkippingClock, skippingClock } from '../../support/run/skipping-clock.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, draftCampaign, newAdvertiser, openStorefront } from '../../support/sellers/market.ts';
import { setNamesFree } from '../../support/sellers/names-set-free.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const HOUR_MS = 3_600_000;

describe('campaign_get_media_buy_status', () => {
  let server: TestServer;
  let clock: SkippingClock;
  let ada: FarSeller;
  let nearId: string;
  let buyer: Person;
  let advertiserId: string;
  beforeAll(async () => {
    clock = skippingClock();
    server = await startTestServer({ clock, settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    ada = await farSeller(server, 'Ada');
    nearId = (await openStorefront(await newPerson(server))).storefrontId;
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterEach(async () => {
    await setNamesFree(server);
    ada.agent.on('create_media_buy', () => ({
      media_buy_id: 'ada_1',
      status: 'pending_creatives',
      packages: [],
    }));
    ada.agent.on('get_media_buy_delivery', () => ({ media_buy_deliveries: [] }));
  });
  afterAll(async () => {
    await server.stop();
    await ada.agent.stop();
  });

  const draft = async (storefrontIds: readonly string[] = [ada.storefrontId], advertiser = advertiserId) =>
    (await draftCampaign(buyer, { advertiserId: advertiser, storefrontIds })).campaignId;
  const executed = async (...args: Parameters<typeof draft>): Promise<string> => {
    const campaignId = await draft(...args);
    done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
    return campaignId;
  };
  const status = (campaignId: string, by: Person = buyer) =>
    by.get(`/buyer/campaigns/${campaignId}/media-buy-status`);
  const read = async (campaignId: string) => done(await status(campaignId));
  const says = (adcpStatus: string) =>
    ada.agent.on('get_media_buys', () => ({
      media_buys: [{ media_buy_id: 'ada_1', status: adcpStatus, packages: [] }],
    }));
  const asked = () => ada.agent.calls.filter(({ tool }) => tool === 'get_media_buys').length;
  const order = (answer: object) => ada.agent.on('create_media_buy', () => answer);

  describe('200', () => {
    test('shows both sides of each buy, before and after, and stores what the seller says', async () => {
      order({ media_buy_id: 'ada_1', status: 'pending_creatives', packages: [] });
      const campaignId = await executed();
      says('active');

      const data = await read(campaignId);

      const [{ media_buy_id: id }] = data.media_buys;
      expect(data).toEqual({
        campaign_id: campaignId,
        campaign_status: 'ACTIVE',
        operational_status: 'active',
        media_buys: [
          {
            media_buy_id: expect.stringMatching(/^mb_/),
            adcp_media_buy_id: 'ada_1',
            internal_status: 'ACTIVE',
            adcp_status: 'active',
            operational_status: 'active',
            previous_internal_status: 'ACTIVE',
            previous_adcp_status: 'pending_creatives',
            updated: true,
            status_refresh_source: 'direct_agent',
            blockers: [],
            buyer_reference: `sf:${ada.storefrontId}:${id}`,
            forwarded_at: expect.any(String),
            sales_agent_id: expect.stringMatching(/^agt_/),
            sales_agent_name: 'Agent',
            budget: 100,
            currency: 'USD',
            sandbox: false,
          },
        ],
        agents_queried: 1,
        errors: [],
        blockers: [],
        pending_creative_reviews: 0,
        has_upstream_media_buy: true,
        has_delivery: false,
      });
      expect(await read(campaignId)).toMatchObject({
        media_buys: [{ previous_adcp_status: 'active', adcp_status: 'active', updated: false }],
      });
    });

    test('says in the compact form where each buy stands, and no more', async () => {
      const campaignId = await executed();

      const path = `/buyer/campaigns/${campaignId}/media-buy-status?detail=compact`;
      const { media_buys: buys } = done(await buyer.get(path));

      expect(buys).toEqual([
        {
          media_buy_id: expect.stringMatching(/^mb_/),
          sales_agent_id: expect.stringMatching(/^agt_/),
          sales_agent_name: 'Agent',
          budget: 100,
          currency: 'USD',
          sandbox: false,
          internal_status: 'ACTIVE',
          adcp_status: expect.any(String),
          operational_status: expect.any(String),
          updated: expect.any(Boolean),
        },
      ]);
    });

    test.each([
      ['pending_creatives', 'ACTIVE', 'pending_creatives', ['no_creatives_attached']],
      ['pending_start', 'ACTIVE', 'pending_start', ['scheduled_not_started']],
      ['active', 'ACTIVE', 'active', []],
      ['paused', 'PAUSED', 'paused', []],
      ['completed', 'COMPLETED', 'completed', []],
      ['canceled', 'CANCELED', 'completed', []],
      ['rejected', 'REJECTED', 'attention_required', ['forward_failed_needs_correction']],
      ['never heard of', 'ACTIVE', 'active', []],
    ])('reads a buy that is %s at the seller', async (...[adcp, internal, operational, blockers]) => {
      order({ media_buy_id: 'ada_1', status: 'active', packages: [] });
      const campaignId = await executed();
      says(adcp);

      const data = await read(campaignId);

      expect(data).toMatchObject({
        operational_status: operational,
        blockers: blockers.map((code) => ({ code, message: expect.stringMatching(/\.$/) })),
        media_buys: [
          { internal_status: internal, adcp_status: adcp, operational_status: operational, blockers },
        ],
      });
    });

    test('files news under the service, an entry for what changed, and none for the same news once more', async () => {
      order({ media_buy_id: 'ada_1', status: 'pending_creatives', packages: [] });
      const campaignId = await executed();
      says('active');

      const [{ media_buy_id: id }] = (await read(campaignId)).media_buys;
      await read(campaignId);

      const { logs } = done(await buyer.get(`/buyer/audit-logs?resourceId=${id}&actorOrigin=system`));
      expect(logs).toMatchObject([
        {
          action: 'UPDATE',
          resourceType: 'MEDIA_BUY',
          credentialId: null,
          tool: 'campaign_get_media_buy_status',
          advertiserId: Number(advertiserId),
          changes: { 'adcp.status': { from: 'pending_creatives', to: 'active' } },
        },
      ]);
    });

    test('asks for the last figures of a buy that is over, and once these were waited for no more', async () => {
      order({ media_buy_id: 'ada_1', status: 'active', packages: [] });
      const campaignId = await executed();
      says('completed');
      await read(campaignId);
      expect(await read(campaignId)).toMatchObject({
        agents_queried: 1,
        media_buys: [{ status_refresh_source: 'direct_agent', internal_status: 'COMPLETED' }],
      });
      clock.skip(72 * HOUR_MS);
      await read(campaignId);
      const before = asked();

      const data = await read(campaignId);

      expect(asked()).toBe(before);
      expect(data).toMatchObject({
        agents_queried: 0,
        media_buys: [{ status_refresh_source: 'persisted_terminal', internal_status: 'COMPLETED' }],
      });
    });

    test('asks nobody about a draft, and about a buy that never reached its seller', async () => {
      expect(await read(await draft())).toMatchObject({
        campaign_status: 'DRAFT',
        operational_status: 'draft',
        media_buys: [],
        agents_queried: 0,
        pending_creative_reviews: 0,
        has_upstream_media_buy: false,
      });
      order({ adcp_error: { code: 'BUDGET_TOO_LOW', message: 'Five hundred at the least.' } });

      expect(await read(await executed())).toMatchObject({
        operational_status: 'attention_required',
        agents_queried: 0,
        blockers: [{ code: 'forward_failed_needs_correction' }],
        media_buys: [
          {
            adcp_media_buy_id: null,
            internal_status: 'FAILED',
            status_refresh_source: 'not_submitted',
            error_code: 'invalid_request',
            error_owner: 'buyer_input',
            source_message: 'BUDGET_TOO_LOW: Five hundred at the least.',
          },
        ],
      });
    });

    test('follows a seller that reviews: submitted, asking for input, taken', async () => {
      order({ status: 'submitted', task_id: 'task_1' });
      const campaignId = await executed();
      const task = async (answer: object) => {
        ada.agent.on('tasks_get', () => answer);
        return (await read(campaignId)).media_buys[0];
      };

      expect(await task({ task_id: 'task_1', status: 'working' })).toMatchObject({
        internal_status: 'PENDING_APPROVAL',
        adcp_status: 'working',
        pending_reason: 'awaiting_source_moderation',
        blockers: ['awaiting_source_moderation'],
      });
      expect(await task({ task_id: 'task_1', status: 'input-required' })).toMatchObject({
        internal_status: 'INPUT_REQUIRED',
        operational_status: 'attention_required',
      });
      expect(await task({ task_id: 'task_1', status: 'working' })).toMatchObject({
        internal_status: 'PENDING_APPROVAL',
        pending_reason: 'awaiting_source_moderation',
      });
      const result = { media_buy_id: 'ada_1', status: 'pending_start', packages: [] };
      expect(await task({ task_id: 'task_1', status: 'completed', result })).toMatchObject({
        adcp_media_buy_id: 'ada_1',
        internal_status: 'ACTIVE',
        adcp_status: 'pending_start',
        pending_reason: 'scheduled_not_started',
      });
    });

    test.each([
      ['its answer', { status: 'input-required', task_id: 'task_4', message: 'Send the IO number.' }],
      ['its task', { status: 'submitted', task_id: 'task_4' }],
    ])(
      'says of an order for which %s asks that the buyer is waited for, and not the seller',
      async (_, answer) => {
        order(answer);
        ada.agent.on('tasks_get', () => ({
          task_id: 'task_4',
          status: 'input-required',
          message: 'Send the IO number.',
        }));
        const campaignId = await executed();

        const data = await read(campaignId);

        expect(data.blockers).toEqual([
          {
            code: 'input_required',
            message:
              'A seller needs something of you first: source_message of its media buy, or message of its change, says what.',
          },
        ]);
        const [buy] = data.media_buys;
        expect(buy).toMatchObject({
          internal_status: 'INPUT_REQUIRED',
          blockers: ['input_required'],
          pending_since: expect.any(String),
          source_message: 'Send the IO number.',
        });
        expect(buy).not.toHaveProperty('pending_reason');
      },
    );

    test('makes a buy REJECTED whose review the seller ends, in the seller’s words', async () => {
      order({ status: 'submitted', task_id: 'task_2' });
      const campaignId = await executed();
      ada.agent.on('tasks_get', () => ({
        task_id: 'task_2',
        status: 'rejected',
        error: { code: 'POLICY', message: 'Not beside the news.\u0000<b>' },
      }));

      const data = await read(campaignId);

      expect(data.media_buys).toMatchObject([
        {
          internal_status: 'REJECTED',
          adcp_status: 'rejected',
          error_code: 'source_rejected',
          error_owner: 'seller',
          source_message: 'Not beside the news. <b>',
          blockers: ['forward_failed_needs_correction'],
        },
      ]);
    });

    test('lets the stored status stand when a seller does not answer, and says so', async () => {
      order({ media_buy_id: 'ada_1', status: 'active', packages: [] });
      const campaignId = await executed();
      ada.agent.on('get_media_buys', () => ({
        errors: [{ code: 'SERVICE_UNAVAILABLE', message: 'Later.' }],
      }));

      const data = await read(campaignId);

      expect(data).toMatchObject({
        operational_status: 'active',
        agents_queried: 1,
        media_buys: [{ internal_status: 'ACTIVE', updated: false, status_refresh_source: 'refresh_failed' }],
        errors: [{ error: 'SERVICE_UNAVAILABLE: Later.', code: 'error' }],
      });
      expect(data.errors[0].media_buy_id).toBe(data.media_buys[0].media_buy_id);
    });

    test('names the most pressing state of several buys as that of the campaign', async () => {
      order({ media_buy_id: 'ada_1', status: 'active', packages: [] });
      const campaignId = await executed([ada.storefrontId, nearId]);
      says('rejected');

      const data = await read(campaignId);

      expect(data.operational_status).toBe('attention_required');
      expect(data.media_buys).toHaveLength(2);
      expect(data.agents_queried).toBe(2);
    });

    test.each([
      [
        'cents',
        { impressions: 1_000.7, spend: 12.3456, clicks: 3 },
        { impressions: 1_000, spend: 12.35, clicks: 3 },
      ],
      [
        'sums that no row can hold',
        { impressions: 1e300, spend: 1e300, clicks: 1 },
        { impressions: 0, spend: 0 },
      ],
    ])('keeps what a seller delivered: %s', async (_, totals, kept) => {
      order({ media_buy_id: 'ada_1', status: 'active', packages: [] });
      const campaignId = await executed();
      says('active');
      ada.agent.on('get_media_buy_delivery', () => ({
        media_buy_deliveries: [{ media_buy_id: 'ada_1', totals }],
      }));

      const data = await read(campaignId);

      const [{ media_buy_id: id }] = data.media_buys;
      expect(data.has_delivery).toBe(kept.impressions > 0);
      expect(done(await buyer.get(`/buyer/media-buys/${id}`)).mediaBuy.performance).toMatchObject(kept);
    });

    test('shows the simulated delivery of a sandbox advertiser at the embedded seller, and never beyond its budget', async () => {
      const sandbox = await newAdvertiser(buyer, { sandbox: true });
      const campaignId = await executed([nearId], sandbox);
      const performance = async () => {
        const { media_buys, ...data } = await read(campaignId);
        const [{ media_buy_id: id }] = media_buys;
        const { mediaBuy } = done(await buyer.get(`/buyer/media-buys/${id}`));
        return { ...mediaBuy.performance, status: mediaBuy.status, has_delivery: data.has_delivery };
      };

      clock.skip(60_000);
      const running = await performance();
      clock.skip(24 * HOUR_MS);
      const over = await performance();

      expect(running).toMatchObject({ status: 'ACTIVE', has_delivery: true });
      expect(running.spend).toBeGreaterThan(0);
      expect(running.spend).toBeLessThan(100);
      expect(over).toMatchObject({ status: 'COMPLETED', spend: 100, impressions: 10_000 });
    });

    test('gives all who ask at once the same, and stores it once', async () => {
      order({ media_buy_id: 'ada_1', status: 'pending_start', packages: [] });
      const campaignId = await executed();
      says('paused');

      const answers = await Promise.all(Array.from({ length: 5 }, () => read(campaignId)));

      for (const { media_buys } of answers) expect(media_buys[0].internal_status).toBe('PAUSED');
    });
  });

  describe('403', () => {
    test('ACCESS_DENIED in another account, and no seller is asked', async () => {
      const campaignId = await executed();
      const before = asked();

      const reply = await status(campaignId, await colleagueInOtherAccount(server, buyer));

      expectRefusal(reply, 403, {
        code: 'ACCESS_DENIED',
        words: 'This campaign belongs to an account or advertiser beyond your grants.',
      });
      expect(asked()).toBe(before);
    });
  });

  describe('404', () => {
    test('NOT_FOUND for a campaign of another organization, and no seller is asked', async () => {
      const campaignId = await executed();
      const before = asked();

      expectRefusal(await status(campaignId, await newPerson(server)), 404, {
        code: 'NOT_FOUND',
        words: 'No such campaign.',
      });
      expect(asked()).toBe(before);
    });
  });
});
