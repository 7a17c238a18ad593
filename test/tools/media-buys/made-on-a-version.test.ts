import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { callTool } from '../../support/mcp/mcp-call.ts';
import { farSeller } from '../../support/sellers/far-seller.ts';
import {
  done,
  draftCampaign,
  newAdvertiser,
  openStorefront,
  productFields,
} from '../../support/sellers/market.ts';
import { writesBetween } from '../../support/server/between.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const wordsOf = (word: string) => `The ${word} was changed by somebody else in the meantime.`;
const staleOf = (word: string) => ({ code: 'CONFLICT' as const, at: { 'If-Match': wordsOf(word) } });

describe('a change with If-Match of what somebody else changes meanwhile', () => {
  describe('media_buy_update', () => {
    const between = writesBetween('media_buy_update');
    let server: TestServer;
    let buyer: Person;
    let path: string;
    beforeAll(async () => {
      server = await startTestServer({
        families: between.families,
        settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' },
      });
      const { agent, storefrontId } = await farSeller(server, 'Far');
      agent.on('create_media_buy', () => ({ media_buy_id: 'far_1', status: 'active', packages: [] }));
      buyer = await newPerson(server);
      const advertiserId = await newAdvertiser(buyer);
      const { campaignId } = await draftCampaign(buyer, { advertiserId, storefrontIds: [storefrontId] });
      const { mediaBuys } = done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
      path = `/buyer/media-buys/${mediaBuys[0].mediaBuyId}`;
    });
    afterAll(() => server.stop());

    const patch = (body: object, match?: string) =>
      buyer.send(path, {
        method: 'PATCH',
        headers: {
          'content-type': 'application/json',
          ...(match === undefined ? {} : { 'if-match': match }),
        },
        body: JSON.stringify(body),
      });

    test('is 409 with what holds, and leaves that', async () => {
      const read = (await buyer.get(path)).headers.get('etag') ?? '';
      between.next(() => patch({ name: 'First' }));

      const reply = await patch({ name: 'Second' }, read);

      expectRefusal(reply, 409, staleOf('media buy'));
      const now = await buyer.get(path);
      expect(now.body.data.mediaBuy.name).toBe('First');
      expect(reply.body.error.details).toMatchObject({
        current: now.body.data,
        etag: now.headers.get('etag'),
      });
    });

    test('passes on the version that holds', async () => {
      const read = (await buyer.get(path)).headers.get('etag') ?? '';

      expect(done(await patch({ name: 'Third' }, read)).mediaBuy.name).toBe('Third');
    });
  });

  describe('campaign_auto_select_products', () => {
    const between = writesBetween('campaign_auto_select_products');
    let server: TestServer;
    let buyer: Person;
    let path: string;
    let draft: { readonly campaignId: string; readonly discoveryId: string };
    beforeAll(async () => {
      server = await startTestServer({ families: between.families });
      const products = [productFields({ name: 'One' }), productFields({ name: 'Other' })];
      const { storefrontId } = await openStorefront(await newPerson(server), { products });
      buyer = await newPerson(server);
      const advertiserId = await newAdvertiser(buyer);
      const fields = { advertiserId, storefrontIds: [storefrontId], each: null };
      draft = await draftCampaign(buyer, fields);
      path = `/buyer/campaigns/${draft.campaignId}`;
    });
    afterAll(() => server.stop());

    const select = (maxProducts: number, match?: string) =>
      buyer.send(`${path}/auto-select-products`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(match === undefined ? {} : { 'if-match': match }),
        },
        body: JSON.stringify({ maxProducts }),
      });

    const chosen = async () => done(await buyer.get(`${path}/products`)).total;

    test('is 409 where the campaign was changed between, and leaves the choice', async () => {
      done(await select(1));
      const read = (await buyer.get(path)).headers.get('etag') ?? '';
      between.next(() => buyer.put(path, { name: 'Another' }));

      expectRefusal(await select(2, read), 409, { code: 'CONFLICT', words: wordsOf('campaign') });

      expect(await chosen()).toBe(1);
    });

    test('is 409 where other products were selected since it was read', async () => {
      const read = (await buyer.get(path)).headers.get('etag') ?? '';
      done(await select(1, read));
      const now = (await buyer.get(path)).headers.get('etag');

      const reply = await select(2, read);

      expectRefusal(reply, 409, staleOf('campaign'));
      expect(reply.body.error.details.etag).toBe(now);
      expect(await chosen()).toBe(1);
    });

    test('is 409 with what holds also of a batch, which names the campaign in its body', async () => {
      const { campaignId, discoveryId } = draft;
      const batch = {
        productQueryId: discoveryId,
        campaign: { campaignId },
        mode: 'stage',
        selections: [{ kind: 'product', productId: 'sf1:1:example', budget: 50 }],
      };
      const now = await buyer.get(path);

      const reply = await buyer.send('/buyer/media-buys/batch', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'if-match': '"99-abc"' },
        body: JSON.stringify(batch),
      });
      const args = { name: 'media_buy_create_batch', arguments: { ...batch, revision: 99 } };
      const { structuredContent } = await callTool(server, buyer, args);

      expectRefusal(reply, 409, staleOf('campaign'));
      const current = { campaign: { campaignId, revision: now.body.data.campaign.revision } };
      expect(reply.body.error.details).toMatchObject({ current, etag: now.headers.get('etag') });
      expect(structuredContent).toMatchObject({ code: 'CONFLICT', field: 'revision', details: { current } });
    });
  });
});
