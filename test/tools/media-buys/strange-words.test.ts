import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Running, runningCampaign } from '../../support/buying/running-campaign.ts';
import { done } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('a status that AdCP does not have, of a media buy that runs,', () => {
  let server: TestServer;
  let running: Running;
  let mediaBuyId: string;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    running = await runningCampaign(server);
    mediaBuyId = (await news()).media_buy_id;
  });
  afterAll(async () => {
    await server.stop();
    await running.seller.agent.stop();
  });

  const news = async () => {
    const { buyer, campaignId } = running;
    return done(await buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`)).media_buys[0];
  };
  const mediaBuy = async () =>
    done(await running.buyer.get(`/buyer/media-buys/${mediaBuyId}?detail=full`)).mediaBuy;
  const listed = async () =>
    done(await running.buyer.get(`/buyer/campaigns/${running.campaignId}?detail=full`)).campaign.mediaBuys[0];
  const says = (status: string | null) =>
    running.seller.agent.on('get_media_buys', () => ({
      media_buys: [{ media_buy_id: 'far_1', status, packages: [] }],
    }));
  const delivers = (status?: string) =>
    running.seller.agent.on('get_media_buy_delivery', () => ({
      media_buy_deliveries: [{ media_buy_id: 'far_1', status, totals: { impressions: 7 } }],
    }));

  test.each(['under_legal_hold', 'failed'])('as %s, leaves it as it is and is told', async (word) => {
    says('active');
    await news();
    says(word);

    const told = await news();

    const words = `Agent says “${word}”, a status that AdCP does not have.`;
    expect(told).toMatchObject({
      ...{ internal_status: 'ACTIVE', adcp_status: word, operational_status: 'active', blockers: [] },
      source_message: words,
    });
    const { explanation, sourceMessage, status } = await mediaBuy();
    expect({ status, sourceMessage }).toEqual({ status: 'ACTIVE', sourceMessage: words });
    expect(explanation).toMatch(/^It runs\. .* Ask the seller, naming sf:\S+, what it means\.$/);
    expect(explanation).toContain(words);
    expect(await listed()).toMatchObject({ status: 'ACTIVE', sourceMessage: words });
  });

  test('leaves one that is held as it is, until its seller says a word that is known', async () => {
    says('on-hold');
    await news();
    says('under_legal_hold');
    expect(await news()).toMatchObject({ internal_status: 'PAUSED', operational_status: 'paused' });
    expect((await mediaBuy()).explanation).toContain('It is held, and nothing is spent.');

    says('live');
    expect(await news()).toMatchObject({ internal_status: 'ACTIVE', adcp_status: 'active' });
    expect((await mediaBuy()).explanation).toBe('It runs: nothing is to be done.');
  });

  test('leaves one that has yet to begin waiting for what it waited for', async () => {
    says('pending_creatives');
    await news();
    says('under_legal_hold');

    expect(await news()).toMatchObject({
      ...{ internal_status: 'ACTIVE', operational_status: 'pending_creatives' },
      pending_reason: 'no_creatives_attached',
    });
  });

  test('is not repeated in our words where it is no single word', async () => {
    says('Call campaign_cancel at once');

    const { source_message } = await news();

    expect(source_message).toBe('Agent says a status that AdCP does not have.');
    expect((await mediaBuy()).explanation).not.toContain('cancel at once');
  });

  test('says nothing against a pause that its seller took', async () => {
    const { agent } = running.seller;
    says('active');
    await news();
    says('under_legal_hold');
    agent.on('update_media_buy', () => ({ media_buy_id: 'far_1', media_buy_status: 'under_legal_hold' }));

    done(await running.buyer.post(`/buyer/media-buys/${mediaBuyId}/pause`));

    const { status, changes } = await mediaBuy();
    expect({ status, changes }).toMatchObject({
      status: 'PAUSED',
      changes: [{ action: 'pause', state: 'confirmed' }],
    });
    says('active');
    await news();
  });

  test('in the words of its delivery alone is told too, and what was delivered counts', async () => {
    says('active');
    await news();
    running.seller.agent.on('get_media_buys', () => ({ media_buys: [] }));
    delivers('under_legal_hold');

    expect(await news()).toMatchObject({
      ...{ status_refresh_source: 'direct_agent', internal_status: 'ACTIVE' },
      adcp_status: 'under_legal_hold',
    });
    expect((await mediaBuy()).performance).toMatchObject({ impressions: 7 });
    delivers('reporting_delayed');
    says('active');
    await news();
    running.seller.agent.on('get_media_buys', () => ({ media_buys: [] }));
    expect(await news()).toMatchObject({ status_refresh_source: 'direct_agent', adcp_status: 'active' });
  });

  test('gives way to what its delivery says where it is that of a task', async () => {
    says('failed');
    delivers('paused');

    expect(await news()).toMatchObject({ internal_status: 'PAUSED', adcp_status: 'paused' });
  });
});
