import { afterAll, beforeAll, expect, test } from 'vitest';
import { newPerson, type Person } from '../support/callers/people.ts';
import { callTool } from '../support/mcp/mcp-call.ts';
import { done, flightDates, newAdvertiser } from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

let server: TestServer;
let buyer: Person;
let draft: object;
beforeAll(async () => {
  server = await startTestServer();
  buyer = await newPerson(server);
  const advertiserId = await newAdvertiser(buyer);
  draft = { advertiserId, name: 'Winter', flightDates, budget: { total: 1_000 } };
});
afterAll(() => server.stop());

test('over MCP a key, a version and a reason that are null are left out', async () => {
  const nulls = { idempotencyKey: null, reason: null };
  const create = () =>
    callTool(server, buyer, { name: 'campaign_create', arguments: { ...draft, ...nulls } });
  const [first, second] = [await create(), await create()];
  const { campaignId } = first.structuredContent.campaign;

  const gone = await callTool(server, buyer, {
    name: 'campaign_delete',
    arguments: { campaignId, revision: null, ...nulls },
  });

  expect(second.structuredContent.campaign.campaignId).not.toBe(campaignId);
  expect(gone.structuredContent).toMatchObject({ success: true, deletedId: campaignId });
});

test('over REST a reason that is null is left out, and there is no other field for a key', async () => {
  expect(done(await buyer.post('/buyer/campaigns', { ...draft, reason: null })).campaign.name).toBe('Winter');

  const { status, body } = await buyer.post('/buyer/campaigns', { ...draft, idempotencyKey: null });

  expect(status).toBe(400);
  expect(body.error.field).toBe('idempotencyKey');
});
