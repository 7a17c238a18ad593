import { afterAll, beforeAll, expect, test } from 'vitest';
import { newPerson, type Person } from '../support/callers/people.ts';
import { draftOf } from '../support/sellers/discovery.ts';
import { connectAgent, newAdvertiser } from '../support/sellers/market.ts';
import { type SellerAgent, startSellerAgent } from '../support/sellers/seller-agent.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const HEADER = `00-${ID}-${SPAN}-01`;
const OF_OURS = new RegExp(`^00-${ID}-[0-9a-f]{16}-01$`);

let server: TestServer;
let buyer: Person;
let agent: SellerAgent;
let storefrontId: string;
let agentId: string;
let advertiserId: string;
beforeAll(async () => {
  server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
  buyer = await newPerson(server);
  agent = await startSellerAgent();
  ({ storefrontId, agentId } = await connectAgent(await newPerson(server), agent.url));
  advertiserId = await newAdvertiser(buyer);
});
afterAll(async () => {
  await server.stop();
  await agent.stop();
});

const traced = (path: string, body: object = {}, header = HEADER) =>
  buyer.send(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', traceparent: header },
    body: JSON.stringify(body),
  });

const toldTo = (tool: string) =>
  agent.calls.filter((call) => call.tool === tool).map(({ headers }) => headers['traceparent']);

const idsInLog = (target: string) =>
  server.log.lines
    .filter(({ fields }) => 'target' in fields && fields.target === target)
    .map(({ fields }) => ('traceId' in fields ? fields.traceId : undefined));

test('a trace goes on to the seller that an order goes to, as a step of its own, and is in the log', async () => {
  const campaignId = await draftOf(buyer, { advertiserId, storefrontId, agentId, productId: 'far-1' });

  expect((await traced(`/buyer/campaigns/${campaignId}/execute`)).status).toBe(200);

  const [told] = toldTo('create_media_buy');
  expect(told).toMatch(OF_OURS);
  expect(told).not.toContain(SPAN);
  expect(idsInLog('POST /api/v2/buyer/campaigns/{campaignId}/execute')).toEqual([ID]);
});

test('a trace goes on to the sellers of a search, which goes on when its caller has its answer', async () => {
  const before = toldTo('get_products').length;

  const asked = { advertiserId, storefrontIds: [storefrontId], waitSeconds: 5 };
  expect((await traced('/buyer/discovery/discover-products', asked)).status).toBe(200);

  const [told] = toldTo('get_products').slice(before);
  expect(told).toMatch(OF_OURS);
});

test('a trace that is none, and none at all, go nowhere', async () => {
  const before = toldTo('get_products').length;
  const asked = { advertiserId, storefrontIds: [storefrontId], waitSeconds: 5 };

  await traced('/buyer/discovery/discover-products', { ...asked, brief: 'Other things.' }, 'made-up');
  await buyer.post('/buyer/discovery/discover-products', { ...asked, brief: 'Third things.' });

  expect(toldTo('get_products').slice(before)).toEqual([undefined, undefined]);
  expect(idsInLog('POST /api/v2/buyer/discovery/discover-products').slice(-2)).toEqual([
    undefined,
    undefined,
  ]);
});
