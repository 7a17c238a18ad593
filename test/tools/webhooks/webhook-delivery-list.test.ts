import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { subscribe } from '../../support/sellers/webhooks.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const told = {
  event_type: 'discovery.revision' as const,
  session_id: 'disc_none',
  created_at: '2026-12-01T09:00:00.000Z',
  finished_at: '2026-12-01T09:00:01.000Z',
};

describe('webhook_delivery_list', () => {
  let server: TestServer;
  let buyer: Person;
  beforeAll(async () => {
    server = await startTestServer();
    buyer = await newPerson(server);
  });
  afterAll(() => server.stop());

  test('gives what became of each delivery with 200, newest first, a page at a time', async () => {
    const { id } = await subscribe(buyer, 'https://hooks.acme.example/in');
    const ends = [
      { state: 'delivered', outcome: null, http_status: 204, ms: 12, answer: null },
      { state: 'failed', outcome: 'econnrefused', http_status: null, ms: 3, answer: null },
      { state: 'failed', outcome: 'http_503', http_status: 503, ms: 40, answer: 'later' },
      { state: 'skipped', outcome: 'beyond_grants', http_status: null, ms: null, answer: null },
    ] as const;
    for (const [index, end] of ends.entries()) {
      const row = { ...told, ...end, organization_id: buyer.organizationId, subscription_id: id };
      await server.store.db
        .insertInto('webhook_deliveries')
        .values({ ...row, revision: index + 1 })
        .execute();
    }

    const { status, body } = await buyer.get(`/buyer/webhook-subscriptions/${id}/deliveries?take=3`);

    expect(status).toBe(200);
    expect(body.data).toMatchObject({ total: 4, hasMore: true, nextOffset: 3 });
    expect(body.data.items).toMatchObject([
      { state: 'skipped', reason: 'beyond_grants', httpStatus: null },
      { state: 'failed', reason: 'http_503', httpStatus: 503, answer: 'later', ms: 40 },
      { state: 'failed', reason: 'connection_refused', event: 'discovery.revision', test: false },
    ]);
    const last = await buyer.get(`/buyer/webhook-subscriptions/${id}/deliveries?limit=3&offset=3`);
    expect(last.body.data).toMatchObject({ total: 4, hasMore: false, nextOffset: null });
    expect(last.body.data.items).toMatchObject([{ state: 'delivered', httpStatus: 204, ms: 12 }]);
    // Stored before deliveries had names: it keeps the number that its receiver was told.
    expect(last.body.data.items[0].id).toMatch(/^\d+$/);
  });
});
