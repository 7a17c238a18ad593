import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isOverMcp } from '../../../tools/core/define.ts';
import { tools } from '../../../tools/registry.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { callTool } from '../../support/mcp/any-lane.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

type Question = readonly [at: 'buyer' | 'storefront', query: string, name: string];

/** As people put it, and the one operation that answers it. */
const FIRST: readonly Question[] = [
  ['buyer', 'daily report of impressions', 'campaign_get_delivery'],
  ['buyer', 'how much did we spend yesterday', 'campaign_get_delivery'],
  ['buyer', 'edit budget', 'campaign_update'],
  ['buyer', 'spend report by day', 'campaign_get_delivery'],
  ['buyer', 'clicks per placement', 'campaign_get_delivery'],
  ['buyer', 'performance of my campaign', 'campaign_get_delivery'],
  ['buyer', 'find ads to buy for a brief', 'discover_products'],
  ['buyer', 'add a product to the selection', 'discovery_add_products'],
  ['buyer', 'remove a product I chose', 'discovery_remove_products'],
  ['buyer', 'launch a campaign', 'campaign_execute'],
  ['buyer', 'start a new campaign', 'campaign_create'],
  ['buyer', 'stop a campaign for now', 'campaign_pause'],
  ['buyer', 'resume campaign', 'campaign_reactivate'],
  ['buyer', 'cancel everything', 'campaign_cancel'],
  ['buyer', 'extend the flight dates', 'campaign_update'],
  ['buyer', 'pause one publisher', 'media_buy_pause'],
  ['buyer', 'pausing a campaign', 'campaign_pause'],
  ['buyer', 'cancellation of a campaign', 'campaign_cancel'],
  ['buyer', 'executing a draft', 'campaign_execute'],
  ['buyer', 'reactivation', 'campaign_reactivate'],
  ['buyer', 'archived advertisers come back', 'advertiser_restore'],
  ['buyer', 'packages of a media buy', 'media_buy_get_packages'],
  ['buyer', 'sellers of this marketplace', 'storefront_list'],
  ['buyer', 'new client brand', 'advertiser_create'],
  ['buyer', 'rename an advertiser', 'advertiser_update'],
  ['buyer', 'notify my server when something changes', 'webhook_create'],
  ['buyer', 'why does my webhook not arrive', 'webhook_delivery_list'],
  ['buyer', 'stop notifications', 'webhook_delete'],
  ['buyer', 'history of changes', 'audit_log_list'],
  ['buyer', 'how much budget may I still spend', 'account_get'],
  ['buyer', 'agree to the terms of service', 'accept_tos'],
  ['buyer', 'overview of all advertisers', 'portfolio_get'],
  ['buyer', 'link my account at a seller', 'account_link_create'],
  ['buyer', 'health of the service', 'health'],
  ['buyer', 'raise the budget', 'campaign_update'],
  ['buyer', 'why is my buy stuck', 'media_buy_get'],
  ['buyer', 'who approved', 'spend_approval_get'],
  ['buyer', 'stop a webhook', 'webhook_delete'],
  ['buyer', 'test my webhook', 'webhook_test'],
  ['buyer', 'new key for the script', 'service_token_create'],
  ['buyer', 'delete an api key', 'service_token_archive'],
  ['storefront', 'register a seller', 'storefront_record_create'],
  ['storefront', 'connect my sales agent', 'inventory_source_create'],
  ['storefront', 'add a product with a price', 'product_create'],
  ['storefront', 'change the price of a product', 'product_update'],
  ['storefront', 'stop selling a product', 'product_delete'],
  ['storefront', 'what do I sell', 'product_list'],
  ['storefront', 'withdraw an offer', 'proposal_revoke'],
  ['storefront', 'invite a buyer by a link', 'join_link_create'],
  ['storefront', 'let a buyer in', 'sponsored_buyer_update'],
  ['storefront', 'block a buyer', 'sponsored_buyer_update'],
  ['storefront', 'disconnect an ad server', 'inventory_source_delete'],
  ['buyer', 'cancel one media buy', 'media_buy_update'],
  ['buyer', 'where is my money', 'account_get'],
  ['buyer', 'what happened to my buy', 'audit_log_list'],
  ['buyer', 'end the campaign two weeks earlier', 'campaign_update'],
  ['buyer', 'how many clicks did we get last week', 'campaign_get_delivery'],
  ['buyer', 'what is my credit limit', 'account_get'],
  ['buyer', 'try the failed orders again', 'campaign_execute'],
  ['buyer', 'undelete an advertiser', 'advertiser_restore'],
  ['buyer', 'did my boss say yes to the spend', 'spend_approval_get'],
  ['buyer', 'put one seller on hold', 'media_buy_pause'],
  ['buyer', 'who touched our account last night', 'audit_log_list'],
  ['buyer', 'change where the ads of one buy are shown', 'media_buy_update'],
  ['buyer', 'kill the campaign', 'campaign_cancel'],
  ['buyer', 'terminate my campaign', 'campaign_cancel'],
  ['storefront', 'close my shop for the holidays', 'storefront_record_update'],
  ['storefront', 'raise my prices', 'product_update'],
  ['storefront', 'take a product off the shelf', 'product_delete'],
  ['storefront', 'stop handing out a link', 'join_link_delete'],
  ['storefront', 'kick out a buyer', 'sponsored_buyer_update'],
];

/** Where another may as well be meant. */
const AMONG_THREE: readonly Question[] = [
  ['buyer', 'search inventory', 'discover_products'],
  ['buyer', 'place the order', 'campaign_execute'],
  ['buyer', 'status of my orders at the sellers', 'campaign_get_media_buy_status'],
  ['buyer', 'change the budget of one seller', 'media_buy_update'],
  ['buyer', 'who sells here', 'storefront_list'],
  ['buyer', 'who changed the budget', 'audit_log_list'],
  ['buyer', 'what waits for approval', 'spend_approval_list'],
  ['buyer', 'why is my campaign stuck', 'spend_approval_list'],
  ['buyer', 'what did we spend', 'campaign_get_delivery'],
  ['buyer', 'which sellers did not answer', 'discover_products'],
  ['buyer', 'which keys do we have', 'service_token_list'],
  ['storefront', 'where do my products show', 'product_get'],
  ['storefront', 'who bought from me', 'sponsored_buyer_list'],
  ['storefront', 'set up my shop', 'storefront_record_create'],
  ['storefront', 'open my storefront for business', 'storefront_record_update'],
  ['storefront', 'offer a buyer a package deal', 'proposal_create'],
  ['storefront', 'who changed my products', 'storefront_audit_log_list'],
  ['storefront', 'which buyers came', 'sponsored_buyer_list'],
  ['buyer', 'cancel one media buy', 'campaign_update'],
  ['buyer', 'what happened to my buy', 'media_buy_get'],
  ['buyer', 'the seller refused my order, why', 'media_buy_get'],
  ['buyer', 'why was it refused', 'media_buy_get'],
  ['buyer', 'explain the refusal', 'media_buy_get'],
  ['buyer', 'order rejected by seller', 'media_buy_get'],
  ['buyer', 'why did my media buy fail', 'media_buy_get'],
  ['buyer', 'get rid of an old campaign', 'campaign_delete'],
  ['buyer', 'tell me more about one product', 'discovery_product_get'],
  ['buyer', 'turn the campaign back on', 'campaign_reactivate'],
  ['storefront', 'did the buyer look at my offer', 'proposal_list'],
  ['storefront', 'my ad server has a new address', 'inventory_source_update'],
  ['storefront', 'who edited our listings', 'storefront_audit_log_list'],
];

/** Bytes of an answer to a question, 1,250 tokens at most, and of each operation in it. */
const ANSWER_MAX = 5_000;
const ITEM_MAX = 1_400;
/** Bytes of an answer that shows all fields, whatever the limit. */
const WHOLE_MAX = 32_000;

describe('everyday questions to capability_search', () => {
  let server: TestServer;
  let person: Person;
  beforeAll(async () => {
    server = await startTestServer();
    person = await newPerson(server);
  });
  afterAll(() => server.stop());

  const search = async (at: string, args: Readonly<Record<string, unknown>>) => {
    const { content } = await callTool({ url: server.url, key: person.key, at }, 'capability_search', args);
    const items = content['items'] as { operation: string; fields: Readonly<Record<string, string>> }[];
    return { items, names: items.map(({ operation }) => operation), bytes: JSON.stringify(content).length };
  };

  test.each(FIRST)('find first on the side of a %s for “%s” %s', async (at, query, name) => {
    const { names, bytes } = await search(at, { query });

    expect(names[0]).toBe(name);
    expect(bytes).toBeLessThanOrEqual(ANSWER_MAX);
  });

  test.each(AMONG_THREE)('find among three on the side of a %s for “%s” %s', async (at, query, name) => {
    const { names, bytes } = await search(at, { query });

    expect(names.slice(0, 3)).toContain(name);
    expect(bytes).toBeLessThanOrEqual(ANSWER_MAX);
  });

  test('show in short what each operation asks for, however many fields it has', async () => {
    const found = tools.filter(({ passesOn, name }) => !passesOn && name !== 'capability_search');
    for (const tool of found.filter(isOverMcp)) {
      const { items, bytes } = await search('buyer', { query: tool.name, limit: 1 });

      expect(bytes, tool.name).toBeLessThanOrEqual(ITEM_MAX);
      expect(Object.keys(items[0]?.fields ?? {}).map((path) => path.replace(/[.[].*/, ''))).toEqual(
        expect.arrayContaining(Object.keys(tool.input.shape)),
      );
    }
  });

  test('show all fields of the best where they are asked for, and of the rest what fits', async () => {
    const { items, bytes } = await search('buyer', { query: 'campaign budget', limit: 20, detail: 'full' });
    const [whole] = (await search('buyer', { query: 'campaign_update', limit: 1, detail: 'full' })).items;

    expect(whole?.fields).toHaveProperty(['mediaBuys[].mediaBuyId']);
    expect(items).toHaveLength(20);
    expect(bytes).toBeLessThanOrEqual(WHOLE_MAX);
  });
});
