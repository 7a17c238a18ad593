import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { CampaignStatus } from '../../../store/campaigns.ts';
import type { Reply } from '../callers/client.ts';
import { expectRefusal, type Refusal } from '../callers/refusals.ts';
import { done } from '../sellers/market.ts';
import { startTestServer, type TestServer } from '../server/server.ts';
import { putStatus } from './campaign-status.ts';
import { putBuys, type Running, runningCampaign } from './running-campaign.ts';

/** Of a seller that has no tool to change what it sold, and of one that speaks another version alone. */
export const NO_WAY_TO_CHANGE = 'The seller has no way to change a media buy (update_media_buy).';
export const CANNOT_CHANGE: Refusal = {
  code: 'CAPABILITY_NOT_SUPPORTED',
  at: { campaignId: NO_WAY_TO_CHANGE },
};
export const OTHER_VERSION: Refusal = {
  code: 'VERSION_UNSUPPORTED',
  words: 'The seller of this media buy speaks another major version of the protocol. Nothing was changed.',
};

/** What is expected of a capability that stops a campaign, or lets it go on. */
export interface Stoppable {
  /** That it answers so, and the campaign stands there once its seller was told this. */
  done(answer: { status: number; to: CampaignStatus; told: object }): Promise<void>;
  /** That it is refused with 422, and the campaign stays where it is. */
  refusedBySeller(refusal: Refusal, speaks: { updates: boolean }): Promise<void>;
  /** That it is refused with 409, in these words, once the campaign is archived. */
  refusedOnceArchived(words: string): Promise<void>;
}

/** A campaign at a seller far away, which stands so with its media buy before every test of a block. */
export function stoppable(from: 'ACTIVE' | 'PAUSED', ask: (running: Running) => Promise<Reply>): Stoppable {
  let server: TestServer;
  let running: Running;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
  });
  beforeEach(async () => {
    running = await runningCampaign(server);
    await putStatus(server, running.buyer, { campaignId: running.campaignId, status: from });
    await putBuys(server, { campaignId: running.campaignId, status: from });
  });
  afterEach(() => running.seller.agent.stop());
  afterAll(() => server.stop());

  const takesUpdates = () => running.seller.agent.on('update_media_buy', () => ({ media_buy_id: 'far_1' }));
  const statusOf = async () =>
    done(await running.buyer.get(`/buyer/campaigns/${running.campaignId}`)).campaign.status;
  return {
    done: async ({ status, to, told }) => {
      takesUpdates();
      expect((await ask(running)).status).toBe(status);
      expect(await statusOf()).toBe(to);
      const calls = running.seller.agent.calls.filter(({ tool }) => tool === 'update_media_buy');
      expect(calls.map(({ args }) => args)).toMatchObject([{ media_buy_id: 'far_1', ...told }]);
    },
    refusedBySeller: async (refusal, { updates }) => {
      if (updates) takesUpdates();
      running.seller.agent.on('get_adcp_capabilities', () => ({
        adcp: { major_versions: [updates ? 2 : 3] },
      }));
      expectRefusal(await ask(running), 422, refusal);
      expect(await statusOf()).toBe(from);
    },
    refusedOnceArchived: async (words) => {
      await putStatus(server, running.buyer, { campaignId: running.campaignId, status: 'ARCHIVED' });
      // With its media buy: of one that lives, a stop can be asked wherever its campaign stands.
      await putBuys(server, { campaignId: running.campaignId, status: 'ARCHIVED' });
      expectRefusal(await ask(running), 409, { code: 'CONFLICT', words });
    },
  };
}
