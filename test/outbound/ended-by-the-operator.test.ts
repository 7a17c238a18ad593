import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { endUnfound } from '../../tools/domain/buying/following/buy-ending.ts';
import { unfoundSince } from '../../tools/domain/buying/unknown-in-installation.ts';
import { operatorFor } from '../../tools/domain/organizations/operator.ts';
import { faultsOf } from '../support/buying/ledger.ts';
import { type Running, runningCampaign } from '../support/buying/running-campaign.ts';
import { auditOf } from '../support/callers/answers.ts';
import { done } from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

describe('a media buy that runs, and that its seller says it does not have,', () => {
  let server: TestServer;
  let running: Running;
  let mediaBuyId: string;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
  });
  beforeEach(async () => {
    running = await runningCampaign(server);
    shows([{ media_buy_id: 'far_1', status: 'active', packages: [] }]);
    delivers([{ media_buy_id: 'far_1', totals: { impressions: 9, spend: 25, clicks: 0 } }]);
    mediaBuyId = (await asked()).media_buy_id;
    shows([]);
    delivers([]);
  });
  afterEach(() => running.seller.agent.stop());
  afterAll(() => server.stop());

  const shows = (media_buys: readonly object[]) =>
    running.seller.agent.on('get_media_buys', () => ({ media_buys }));
  const delivers = (media_buy_deliveries: readonly object[]) =>
    running.seller.agent.on('get_media_buy_delivery', () => ({ media_buy_deliveries }));
  const asked = async () =>
    done(await running.buyer.get(`/buyer/campaigns/${running.campaignId}/media-buy-status`)).media_buys[0];
  const mediaBuy = async () =>
    done(await running.buyer.get(`/buyer/media-buys/${mediaBuyId}?detail=full`)).mediaBuy;
  const end = (id = mediaBuyId) => {
    const { services } = server.running.app;
    const operator = operatorFor(services, 'order settle');
    return endUnfound(services, operator, { mediaBuyId: id, reason: 'They said so by telephone.' });
  };
  const committed = async () =>
    done(await running.buyer.get('/buyer/accounts/current')).credit.find(
      ({ currency }: { currency: string }) => currency === 'USD',
    ).committed;

  test('says since when, and what is to be done, until its seller has it again', async () => {
    expect(await asked()).toMatchObject({
      internal_status: 'ACTIVE',
      status_refresh_source: 'refresh_failed',
    });

    const { explanation } = await mediaBuy();
    expect(explanation).toMatch(
      /^It runs\. Agent says since \S+Z that it does not have far_1: its budget stays bound\. Ask the seller, naming sf:\S+; where it has none, the operator of this installation can end it here\.$/,
    );
    await asked();
    expect((await mediaBuy()).explanation).toBe(explanation);
    const named = await unfoundSince(server.store.db, { before: '2999-01-01', limit: 1_000 });
    expect(named).toContainEqual(expect.objectContaining({ id: mediaBuyId, adcp_media_buy_id: 'far_1' }));

    shows([{ media_buy_id: 'far_1', status: 'active', packages: [] }]);
    delivers([{ media_buy_id: 'far_1', totals: { impressions: 9, spend: 25, clicks: 0 } }]);
    await asked();
    expect((await mediaBuy()).explanation).toBe('It runs: nothing is to be done.');
  });

  test('is ended by the operator: what was not delivered is released, and its buyer and the log are told', async () => {
    await asked();
    expect(await committed()).toBe(100);

    const { buy, campaign } = await end();

    expect([buy.status, campaign]).toEqual(['CANCELED', 'COMPLETED']);
    expect(await committed()).toBe(25);
    expect(await faultsOf(server.store.db, running.buyer.organizationId)).toEqual([]);
    const { status, explanation, history, performance } = await mediaBuy();
    expect({ status, performance }).toMatchObject({ status: 'CANCELED', performance: { spend: 25 } });
    expect(JSON.stringify(history[0])).toContain('They said so by telephone.');
    expect(explanation).toBe(
      'Agent says that it does not have it, and the operator of this installation has ended it here: what was delivered counts, and the rest of its budget is released.',
    );
    const logged = await auditOf(server, running.buyer, 'order_settle');
    const entry = logged.find(({ changes }) => String(changes).includes('CANCELED'));
    expect(entry).toMatchObject({ reason: 'They said so by telephone.' });
    expect(JSON.parse(String(entry?.changes))).toMatchObject({ status: { from: 'ACTIVE', to: 'CANCELED' } });
    const told = await server.store.db
      .withoutPlugins()
      .selectFrom('account_events')
      .select('payload')
      .where('organization_id', '=', running.buyer.organizationId)
      .execute();
    expect(JSON.stringify(told)).toContain('CANCELED');
  });

  test('has what was asked of it ended too', async () => {
    running.seller.agent.on('update_media_buy', () => ({ status: 'submitted', task_id: 'task_1' }));
    await asked();
    done(await running.buyer.post(`/buyer/campaigns/${running.campaignId}/cancel`));

    await end();

    expect((await mediaBuy()).changes).not.toContainEqual(expect.objectContaining({ state: 'waiting' }));
  });

  test('is not ended where its seller has it, says nothing, or was not heard before', async () => {
    const why = (work: Promise<unknown>) => expect(work).rejects;
    await why(end()).toThrow(`Agent was not heard to say that it does not have ${mediaBuyId}`);
    await asked();

    running.seller.agent.on('get_media_buys', () => 'nothing');
    await why(end()).toThrow(`Agent does not say now that it does not have ${mediaBuyId}`);
    shows([{ media_buy_id: 'far_1', status: 'active', packages: [] }]);
    await why(end()).toThrow(`Agent has ${mediaBuyId} as far_1: nothing was ended.`);
    await why(end('mb_none')).toThrow('There is no media buy mb_none.');

    shows([]);
    await end();
    await why(end()).toThrow(`${mediaBuyId} is CANCELED: no seller holds it, and nothing is to be ended.`);
  });
});
