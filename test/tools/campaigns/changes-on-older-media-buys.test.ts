import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { callTool } from '../../support/mcp/mcp-call.ts';
import { decidesLater, type KeptBuys, takesChanges } from '../../support/sellers/changing-seller.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, draftCampaign, newAdvertiser } from '../../support/sellers/market.ts';
import { writesBeforeStoring } from '../../support/server/between.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const HOUR_MS = 3_600_000;

/** A campaign with one media buy of 100, which somebody read before another person changed the media buy. */
describe('a change of a campaign made on media buys that somebody changed since', () => {
  const between = writesBeforeStoring('campaign_update', 'campaign_cancel');
  let server: TestServer;
  let far: FarSeller;
  let kept: KeptBuys;
  let buyer: Person;
  let path: string;
  let buyPath: string;
  let mediaBuyId: string;
  let packageId: string;
  beforeAll(async () => {
    const settings = { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' };
    server = await startTestServer({ families: between.families, settings });
    far = await farSeller(server, 'Far');
  });
  afterAll(async () => {
    await server.stop();
    await far.agent.stop();
  });
  beforeEach(async () => {
    kept = takesChanges(far);
    buyer = await newPerson(server);
    const advertiserId = await newAdvertiser(buyer);
    const draft = { advertiserId, budget: 300, storefrontIds: [far.storefrontId] };
    const { campaignId } = await draftCampaign(buyer, draft);
    path = `/buyer/campaigns/${campaignId}`;
    done(await buyer.post(`${path}/execute`));
    const [buy] = (await read()).mediaBuys;
    ({ mediaBuyId } = buy);
    ({ packageId } = buy.packages[0]);
    buyPath = `/buyer/media-buys/${mediaBuyId}`;
  });

  const read = async (query = '') => done(await buyer.get(`${path}${query}`)).campaign;
  const tag = async (query = '') => (await buyer.get(`${path}${query}`)).headers.get('etag') ?? '';
  const send = (method: string, to: string, { body, match }: { body?: object; match?: string }) =>
    buyer.send(`${path}${to}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(match === undefined ? {} : { 'if-match': match }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const put = (body: object, match?: string) =>
    send('PUT', '', { body, ...(match === undefined ? {} : { match }) });
  const at = (budget: number) => ({ packages: [{ packageId, budget }] });
  const mediaBuysAt = (budget: number) => ({ mediaBuys: [{ mediaBuyId, ...at(budget) }] });
  const lower = async (budget: number) => done(await buyer.patch(buyPath, at(budget)));
  const budgetThere = () => [...kept.values()].at(-1)?.packages.map(({ budget }) => budget);
  const stale = {
    code: 'CONFLICT' as const,
    at: { 'If-Match': 'The campaign was changed by somebody else in the meantime.' },
  };

  test('is refused with the campaign as it is, and the lowering stays', async () => {
    const match = await tag();
    await lower(40);

    const reply = await put(mediaBuysAt(80), match);

    expectRefusal(reply, 409, stale);
    expect(reply.body.error.details).toMatchObject({
      current: { campaign: { allocatedBudget: 40 } },
      etag: await tag(),
    });
    expect(budgetThere()).toEqual([40]);
    expect((await put(mediaBuysAt(80), await tag())).status).toBe(200);
  });

  const patched = (body: object) => buyer.patch(buyPath, body);
  test.each([
    ['is renamed', () => patched({ name: 'Named by another' })],
    ['ends earlier', async () => patched({ end_time: await anHourBefore() })],
    ['is paused', () => buyer.post(`${buyPath}/pause`)],
  ])('is refused where one %s', async (_, change) => {
    const match = await tag();
    done(await change());

    expectRefusal(await put({ name: 'Mine' }, match), 409, stale);
  });

  async function anHourBefore(): Promise<string> {
    const { endDate } = (await read()).flightDates;
    return new Date(Date.parse(endDate) - HOUR_MS).toISOString();
  }

  test.each([
    ['POST', '/pause'],
    ['POST', '/cancel'],
    ['POST', '/execute'],
    ['DELETE', ''],
  ])('is refused of %s %s', async (method, to) => {
    const match = await tag();
    await lower(40);

    expectRefusal(await send(method, to, { match }), 409, stale);
    expect([...kept.values()].at(-1)).toMatchObject({ status: 'active' });
  });

  test('is refused of POST /reactivate', async () => {
    done(await send('POST', '/pause', {}));
    const match = await tag();
    await lower(40);

    expectRefusal(await send('POST', '/reactivate', { match }), 409, stale);
    expect([...kept.values()].at(-1)).toMatchObject({ status: 'paused' });
  });

  test('is refused over MCP by its revision', async () => {
    const { campaignId, revision } = await read();
    await lower(40);

    const args = { campaignId, revision, ...mediaBuysAt(80) };
    const { structuredContent } = await callTool(server, buyer, { name: 'campaign_update', arguments: args });

    expect(structuredContent).toMatchObject({ code: 'CONFLICT', field: 'revision' });
    expect(budgetThere()).toEqual([40]);
  });

  test.each([
    ['PUT', '', { name: 'Mine' }],
    ['POST', '/cancel', undefined],
  ])('is refused of %s %s where that happens after it was compared', async (method, to, body) => {
    const match = await tag();
    between.next(() => lower(40));

    expectRefusal(await send(method, to, { match, ...(body === undefined ? {} : { body }) }), 409, stale);
  });

  test('is made, whenever that happens, by who names no version of it', async () => {
    between.next(() => lower(40));

    expect(done(await put({ name: 'Mine' })).campaign).toMatchObject({ name: 'Mine', allocatedBudget: 40 });
  });

  test('is refused while the seller has yet to decide on it, and again once it has', async () => {
    const { decides } = decidesLater(far);
    const before = await tag();
    await lower(40);
    const waiting = await tag();
    expectRefusal(await put({ name: 'Mine' }, before), 409, stale);
    for (const [id, buy] of kept) {
      kept.set(id, { ...buy, packages: buy.packages.map((part) => ({ ...part, budget: 40 })) });
    }
    decides({ status: 'completed', result: {} });

    const asked = await tag('?fresh=true');

    expectRefusal(await put({ name: 'Mine' }, waiting), 409, stale);
    expect((await put({ name: 'Mine' }, asked)).status).toBe(200);
  });

  test('is made on the tag that a change of the media buys with it left', async () => {
    const changed = await put({ name: 'Mine', ...mediaBuysAt(80) }, await tag());

    const left = changed.headers.get('etag') ?? '';
    expect(changed.status).toBe(200);
    expect((await put({ name: 'Still mine' }, left)).status).toBe(200);
  });

  test('is held against what its seller shows otherwise once, however many hear of that together', async () => {
    const { revision } = await read();
    for (const [id, held] of kept) {
      const packages = held.packages.map((part) => ({ ...part, budget: 90 }));
      kept.set(id, { ...held, packages });
    }

    await Promise.all([1, 2, 3, 4].map(() => read('?fresh=true')));

    expect((await read()).revision).toBe(revision + 1);
  });

  test('is made where the seller has only told what it delivered, and where it stands', async () => {
    const match = await tag();
    far.agent.on('get_media_buy_delivery', ({ media_buy_ids: ids }) => ({
      media_buy_deliveries: [
        {
          media_buy_id: [ids].flat()[0],
          totals: { impressions: 10, spend: 1, clicks: 0 },
          by_package: [{ package_id: packageId, impressions: 10, spend: 1 }],
        },
      ],
    }));
    for (const [id, buy] of kept) kept.set(id, { ...buy, status: 'paused' });
    const { media_buys } = done(await buyer.get(`${path}/media-buy-status`));
    expect(media_buys).toMatchObject([{ internal_status: 'PAUSED' }]);
    expect(done(await buyer.get(buyPath)).mediaBuy.performance).toMatchObject({ impressions: 10 });

    expect((await put({ name: 'Mine' }, match)).status).toBe(200);
  });
});
