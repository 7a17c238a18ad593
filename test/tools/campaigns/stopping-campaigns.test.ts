import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { campaignStatuses } from '../../../store/campaigns.ts';
import { putStatus } from '../../support/buying/campaign-status.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { callTool } from '../../support/mcp/mcp-call.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, draftCampaign, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

/** From where each ends in which word. */
const ends = {
  pause: { from: 'ACTIVE', told: 'paused' },
  reactivate: { from: 'PAUSED', told: 'reactivated' },
  cancel: { from: 'ACTIVE PAUSED', told: 'canceled' },
} as const;

describe('campaign_pause, campaign_reactivate, campaign_cancel and campaign_delete at sellers', () => {
  let server: TestServer;
  let ada: FarSeller;
  let bea: FarSeller;
  let buyer: Person;
  let advertiserId: string;
  const told = new Map<string, string>();
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    ada = await farSeller(server, 'Ada');
    bea = await farSeller(server, 'Bea');
    for (const { agent, agentId } of [ada, bea]) {
      let made = 0;
      agent.on('create_media_buy', () => {
        made += 1;
        const id = `${agentId}_${made}`;
        told.set(id, 'active');
        return { media_buy_id: id, status: 'active', packages: [] };
      });
      agent.on('update_media_buy', (args) => {
        const id = String(args['media_buy_id']);
        const status = args['canceled'] ? 'canceled' : args['paused'] ? 'paused' : 'active';
        told.set(id, status);
        return { media_buy_id: id, status, packages: [] };
      });
      agent.on('get_media_buys', (args) => {
        const [id = ''] = [args['media_buy_ids']].flat().map(String);
        return { media_buys: [{ media_buy_id: id, status: told.get(id), packages: [] }] };
      });
    }
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(async () => {
    await server.stop();
    await Promise.all([ada, bea].map(({ agent }) => agent.stop()));
  });

  const running = async () => {
    const storefrontIds = [ada, bea].map(({ storefrontId }) => storefrontId);
    const { campaignId } = await draftCampaign(buyer, { advertiserId, storefrontIds });
    done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
    return campaignId;
  };
  const act = (campaignId: string, what: string, body: object = {}) =>
    buyer.post(`/buyer/campaigns/${campaignId}/${what}`, body);
  const campaignOf = async (campaignId: string) =>
    done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign;
  const statusesOf = async (campaignId: string) => {
    const { status, mediaBuys } = await campaignOf(campaignId);
    return [status, ...mediaBuys.map((buy: { status: string }) => buy.status)];
  };

  test('holds at every seller, and goes on again', async () => {
    const campaignId = await running();

    const paused = done(await act(campaignId, 'pause'));
    expect(paused).toMatchObject({
      campaignId,
      campaignName: 'Winter',
      previousStatus: 'ACTIVE',
      newStatus: 'PAUSED',
      totalMediaBuys: 2,
      successCount: 2,
      failureCount: 0,
      mediaBuyResults: [
        { previousStatus: 'ACTIVE', newStatus: 'PAUSED', success: true, pending: false },
        { previousStatus: 'ACTIVE', newStatus: 'PAUSED', success: true, pending: false },
      ],
    });
    expect(await statusesOf(campaignId)).toEqual(['PAUSED', 'PAUSED', 'PAUSED']);

    expect(done(await act(campaignId, 'reactivate'))).toMatchObject({ newStatus: 'ACTIVE', successCount: 2 });
    expect(await statusesOf(campaignId)).toEqual(['ACTIVE', 'ACTIVE', 'ACTIVE']);
  });

  test('tells what a seller refused, and holds at the others', async () => {
    const campaignId = await running();
    bea.agent.on('update_media_buy', () => ({ adcp_error: { code: 'INVALID_STATE', message: 'Not now.' } }));

    const result = done(await act(campaignId, 'pause'));

    expect(result).toMatchObject({ newStatus: 'PAUSED', successCount: 1, failureCount: 1 });
    expect(result.mediaBuyResults).toContainEqual(
      expect.objectContaining({
        newStatus: 'ACTIVE',
        success: false,
        error: expect.stringMatching(/Not now/),
      }),
    );
    bea.agent.on('update_media_buy', (args) => {
      const id = String(args['media_buy_id']);
      told.set(id, args['canceled'] ? 'canceled' : args['paused'] ? 'paused' : 'active');
      return { media_buy_id: id, status: told.get(id), packages: [] };
    });
  });

  test('calls off for good, and gives sellers the reason', async () => {
    const campaignId = await running();
    const before = ada.agent.calls.length;

    expect(done(await act(campaignId, 'cancel', { reason: 'Recalled' }))).toMatchObject({
      newStatus: 'CANCELED',
      successCount: 2,
    });

    expect(await statusesOf(campaignId)).toEqual(['CANCELED', 'CANCELED', 'CANCELED']);
    const sent = ada.agent.calls.slice(before).find(({ tool }) => tool === 'update_media_buy');
    expect(sent?.args).toMatchObject({ canceled: true, cancellation_reason: 'Recalled' });
    expectRefusal(await act(campaignId, 'execute'), 409, {
      code: 'CONFLICT',
      words: 'A campaign that is CANCELED cannot be executed.',
    });
  });

  test('gives sellers the first 500 characters of a reason, and no half of one', async () => {
    const campaignId = await running();
    const before = ada.agent.calls.length;
    const reason = `${'x'.repeat(499)}😀 and more`;

    done(await act(campaignId, 'cancel', { reason }));

    const sent = ada.agent.calls.slice(before).find(({ tool }) => tool === 'update_media_buy');
    expect(sent?.args).toMatchObject({ canceled: true, cancellation_reason: 'x'.repeat(499) });
  });

  test.each([
    ['campaign_pause', 'pause', 'pause'],
    ['campaign_cancel', 'cancel', 'cancel'],
    ['campaign_update that calls a media buy off', 'cancel', { action: 'cancel' }],
    ['campaign_update that puts a media buy away', 'archive', { action: 'delete' }],
    ['campaign_update of a media buy', 'update', { name: 'Winter, north' }],
  ])('the reason of %s is kept with the change of its media buy: %s', async (_, action, asked) => {
    const campaignId = await running();
    const [{ mediaBuyId }] = (await campaignOf(campaignId)).mediaBuys;
    const reason = 'Recalled';

    if (typeof asked === 'string') done(await act(campaignId, asked, { reason }));
    else {
      const mediaBuys = [{ mediaBuyId, ...asked }];
      done(await buyer.put(`/buyer/campaigns/${campaignId}`, { reason, mediaBuys }));
    }

    const { mediaBuy } = done(await buyer.get(`/buyer/media-buys/${mediaBuyId}`));
    expect(mediaBuy.changes[0]).toMatchObject({ action, reason });
    if (action !== 'cancel' && action !== 'archive') return;
    const told = [...ada.agent.calls, ...bea.agent.calls].filter(
      ({ tool, args }) => tool === 'update_media_buy' && args['media_buy_id'] === mediaBuy.adcpMediaBuyId,
    );
    expect(told.at(-1)?.args).toMatchObject({ canceled: true, cancellation_reason: reason });
  });

  test('a reason that an entry of campaign_update has of its own comes before that of the call', async () => {
    const campaignId = await running();
    const [{ mediaBuyId }] = (await campaignOf(campaignId)).mediaBuys;
    const mediaBuys = [{ mediaBuyId, action: 'cancel', reason: 'Too dear' }];

    done(await buyer.put(`/buyer/campaigns/${campaignId}`, { reason: 'Recalled', mediaBuys }));

    const { mediaBuy } = done(await buyer.get(`/buyer/media-buys/${mediaBuyId}`));
    expect(mediaBuy.changes[0]).toMatchObject({ action: 'cancel', reason: 'Too dear' });
  });

  test('campaign_delete over MCP says that it is gone, by its id and with what became of each media buy', async () => {
    const campaignId = await running();

    const { structuredContent } = await callTool(server, buyer, {
      name: 'campaign_delete',
      arguments: { campaignId },
    });

    expect(structuredContent).toMatchObject({ success: true, deletedId: campaignId, newStatus: 'ARCHIVED' });
    expect(structuredContent.mediaBuyResults).toHaveLength(2);
    expect(await statusesOf(campaignId)).toEqual(['ARCHIVED', 'ARCHIVED', 'ARCHIVED']);
  });

  test('DELETE answers 204, archives campaign and media buys, and hides it from lists', async () => {
    const campaignId = await running();

    const reply = await buyer.delete(`/buyer/campaigns/${campaignId}`);

    expect([reply.status, reply.text]).toEqual([204, '']);
    expect(await statusesOf(campaignId)).toEqual(['ARCHIVED', 'ARCHIVED', 'ARCHIVED']);
    const shown = async (query: string) =>
      done(await buyer.get(`/buyer/campaigns?take=250${query}`)).campaigns.some(
        (one: { campaignId: string }) => one.campaignId === campaignId,
      );
    expect([await shown(''), await shown('&includeArchived=true')]).toEqual([false, true]);
    expectRefusal(await buyer.delete(`/buyer/campaigns/${campaignId}`), 409, {
      code: 'CONFLICT',
      words: 'The campaign is ARCHIVED: it cannot be deleted.',
    });
  });

  test.each(
    Object.entries(ends).flatMap(([what, { from, told }]) =>
      campaignStatuses.filter((status) => !from.includes(status)).map((status) => ({ what, told, status })),
    ),
  )('409 CONFLICT for $what of a campaign that is $status', async ({ what, told, status }) => {
    const { campaignId } = await draftCampaign(buyer, { advertiserId, storefrontIds: [ada.storefrontId] });
    await putStatus(server, buyer, { campaignId, status });

    expectRefusal(await act(campaignId, what), 409, {
      code: 'CONFLICT',
      words: `The campaign is ${status}: it cannot be ${told}.`,
    });
  });

  test('a refused seller can be replaced by another one, and what lives is left alone', async () => {
    bea.agent.on('create_media_buy', () => ({ adcp_error: { code: 'BUDGET_TOO_LOW', message: 'More.' } }));
    const campaignId = await running();
    const { discoveryId } = await campaignOf(campaignId);
    const path = `/buyer/discovery/${discoveryId}/products`;
    const { products } = done(await buyer.get(path));
    const productIds = products
      .filter((one: { salesAgentId: string }) => one.salesAgentId === bea.agentId)
      .map((one: { productId: string }) => one.productId);
    done(await buyer.delete(path, { productIds }));
    const before = ada.agent.calls.filter(({ tool }) => tool === 'create_media_buy').length;

    expect(done(await act(campaignId, 'execute'))).toMatchObject({
      newStatus: 'ACTIVE',
      mediaBuysExecuted: 0,
    });

    expect((await statusesOf(campaignId)).sort()).toEqual(['ACTIVE', 'ACTIVE', 'ARCHIVED']);
    expect(ada.agent.calls.filter(({ tool }) => tool === 'create_media_buy').length).toBe(before);
  });
});
