import { afterAll, beforeAll, expect, test } from 'vitest';
import { newPerson, type Person } from '../support/callers/people.ts';
import { lanes } from '../support/callers/tool-lanes.ts';
import { gate } from '../support/run/gate.ts';
import { type FarSeller, farSeller } from '../support/sellers/far-seller.ts';
import { draftCampaign, newAdvertiser } from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

let server: TestServer;
let ada: FarSeller;
let buyer: Person;
beforeAll(async () => {
  server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
  ada = await farSeller(server, 'Ada');
  buyer = await newPerson(server);
});
afterAll(async () => {
  await server.stop();
  await ada.agent.stop();
});

test('a stop lets an order on its way answer, whichever way it was called', async () => {
  const advertiserId = await newAdvertiser(buyer);
  const held = gate();
  ada.agent.on('create_media_buy', async () => {
    await held.passed;
    return { media_buy_id: 'far-1', status: 'active', packages: [] };
  });
  const tool = server.running.app.tools.find(({ name }) => name === 'campaign_execute');
  if (tool === undefined) throw new Error('campaign_execute is gone.');
  const calls = [];
  for (const lane of Object.values(lanes)) {
    const { campaignId } = await draftCampaign(buyer, { advertiserId, storefrontIds: [ada.storefrontId] });
    calls.push(lane({ url: server.url, key: buyer.key, tool, args: { campaignId } }));
  }
  await ada.agent.called('create_media_buy', calls.length);

  const stopped = server.running.stop();
  held.open();
  const outcomes = await Promise.all(calls);
  await stopped;

  for (const { status, content, failed } of outcomes) {
    expect({ status, failed }).toEqual({ status: 200, failed: false });
    expect(Object.keys(content).length).toBeGreaterThan(0);
  }
});
