import { restPaths } from '../../adapters/rest/routes.ts';
import { tools } from '../../tools/registry.ts';
import { readEvents } from './event-reader.ts';
import { done, flightDates, productFields } from './market.ts';
import { newPerson, type Person } from './people.ts';
import type { TestServer } from './server.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Calls every capability once or more, each with success, and gives the names of what was called. */
export async function walkEverything(server: TestServer): Promise<ReadonlySet<string>> {
  const called = new Set<string>();
  const walker = (person: Person) => async (name: string, args: Fields) => {
    called.add(name);
    return done(await call({ server, person }, name, args));
  };
  const seller = walker(await newPerson(server));
  const person = await newPerson(server);
  const buyer = walker(person);

  const sold = await openShop(seller);
  const advertiserId = await keepAdvertisers(buyer);
  const { subscription } = await buyer('webhook_create', {
    url: 'https://127.0.0.1:1/hook',
    secret: 'a secret of the walk',
    eventTypes: ['discovery.revision'],
  });
  const discoveryId = await chooseProducts(buyer, { advertiserId, storefrontId: sold.storefrontId });
  const events = await readEvents(server, person, { discoveryId });
  await events.rest();
  called.add('discovery_events');
  await buy(buyer, { advertiserId, discoveryId });
  await buyer('webhook_list', {});
  await buyer('webhook_delete', { id: subscription.id });
  await buyer('audit_log_list', {});
  await buyer('health', {});
  await closeShop(seller, sold);
  await openAndEndSession(server, person);
  return called;
}

/** A session of the initialize era of MCP: opened, used once, ended. */
async function openAndEndSession(server: TestServer, person: Person): Promise<void> {
  const send = (method: string, session: string | null, message?: Fields) =>
    person.send(`${server.url}/mcp/v2/buyer`, {
      method,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(session === null ? {} : { 'mcp-session-id': session }),
      },
      ...(message === undefined ? {} : { body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }) }),
    });
  const client = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'walk', version: '1' },
  };
  const opened = await send('POST', null, { method: 'initialize', params: client });
  const session = opened.headers.get('mcp-session-id');
  if (session === null) throw new Error(`No session was opened: ${opened.text}`);
  await send('POST', session, { method: 'tools/list' });
  await send('DELETE', session);
}

type Walker = (name: string, args: Fields) => ReturnType<typeof done>;

async function openShop(seller: Walker) {
  await seller('storefront_record_create', {
    name: 'Walk Media',
    defaultCurrency: 'USD',
    acceptsAllCountries: true,
  });
  const { sourceId } = await seller('inventory_source_create', {
    name: 'Shelf',
    executionType: 'MANAGED_SALES_AGENT',
  });
  await seller('inventory_source_update', { sourceId, name: 'Long shelf' });
  await seller('inventory_source_get', { sourceId });
  await seller('inventory_source_list', {});
  const { productId } = await seller('product_create', productFields());
  await seller('product_list', {});
  await seller('storefront_record_update', { transacting: true });
  const { storefrontId, id } = await seller('storefront_record_get', {});
  return { storefrontId: storefrontId ?? id, productId };
}

async function closeShop(seller: Walker, { productId }: { productId: string }) {
  await seller('product_delete', { productId });
  const { sourceId } = await seller('inventory_source_create', {
    name: 'Spare',
    executionType: 'MANAGED_SALES_AGENT',
  });
  await seller('inventory_source_delete', { sourceId });
}

async function keepAdvertisers(buyer: Walker): Promise<string> {
  const { id: advertiserId } = await buyer('advertiser_create', {
    name: 'Acme',
    brand: 'acme.example',
    primaryCurrency: 'USD',
  });
  await buyer('advertiser_update', { advertiserId, name: 'Acme Shoes' });
  await buyer('advertiser_get', { advertiserId });
  await buyer('advertiser_list', { name: 'acme' });
  return advertiserId;
}

async function chooseProducts(
  buyer: Walker,
  { advertiserId, storefrontId }: { advertiserId: string; storefrontId: string },
): Promise<string> {
  await buyer('storefront_list', {});
  await buyer('storefront_get', { storefrontId });
  const found = await buyer('discover_products', {
    advertiserId,
    brief: 'Everybody in the morning',
    storefrontIds: [storefrontId],
    waitSeconds: 30,
  });
  const { discoveryId } = found;
  const [{ productId, salesAgentId }] = found.productGroups[0].products;
  await buyer('browse_products', { discoveryId, sinceRevision: 0, publisherDomain: 'news.example' });
  const products = [{ productId, salesAgentId, budget: 100 }];
  await buyer('discovery_add_products', { discoveryId, products });
  await buyer('discovery_remove_products', { discoveryId, productIds: [productId] });
  await buyer('discovery_add_products', { discoveryId, products });
  await buyer('discovery_list_products', { discoveryId });
  return discoveryId;
}

async function buy(buyer: Walker, ids: { advertiserId: string; discoveryId: string }): Promise<void> {
  const { campaign } = await buyer('campaign_create', {
    ...ids,
    name: 'Walk',
    flightDates,
    budget: { total: 1_000 },
  });
  const { campaignId } = campaign;
  await buyer('campaign_list', { status: 'DRAFT' });
  await buyer('campaign_execute', { campaignId });
  const { campaign: running } = await buyer('campaign_get', { campaignId });
  await buyer('campaign_get_media_buy_status', { campaignId });
  await buyer('media_buy_get', { media_buy_id: running.mediaBuys[0].mediaBuyId ?? running.mediaBuys[0].id });
}

/** A call over REST, its address and the place of its fields taken from the registry. */
function call({ server, person }: { server: TestServer; person: Person }, name: string, args: Fields) {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`No tool is called ${name}.`);
  const [template = ''] = restPaths(tool.surface, tool.rest);
  const path = `${server.url}${template}`.replace(/\{(\w+)\}/g, (_, field: string) => String(args[field]));
  const others = Object.entries(args).filter(([field]) => !template.includes(`{${field}}`));
  if (tool.rest.method === 'GET') {
    return person.get(
      `${path}?${new URLSearchParams(Object.fromEntries(others.map(([field, value]) => [field, String(value)])))}`,
    );
  }
  return person.send(path, {
    method: tool.rest.method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(Object.fromEntries(others)),
  });
}
