import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditOf } from '../../support/callers/answers.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { done } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const PATH = '/buyer/webhook-subscriptions';
const fields = {
  url: 'https://hooks.acme.example/in',
  secret: 'a-secret-nobody-guesses',
  eventTypes: ['discovery.revision'],
};

const delivery = {
  event_type: 'discovery.revision' as const,
  session_id: 'disc_none',
  revision: 1,
  created_at: '2026-12-01T09:00:00.000Z',
};

describe('webhook_delete', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  async function withWebhook() {
    const buyer = await newPerson(server);
    const { subscription } = done(await buyer.post(PATH, fields));
    return { buyer, id: subscription.id as string, path: `${PATH}/${subscription.id}` };
  }

  async function countOf(buyer: Person): Promise<number> {
    return (await buyer.get(PATH)).body.data.total;
  }

  describe('200', () => {
    test('deletes the subscription and no other', async () => {
      const { buyer, id, path } = await withWebhook();
      const kept = done(await buyer.post(PATH, { ...fields, url: `${fields.url}/kept` })).subscription;

      const { status, body } = await buyer.delete(path);

      expect(status).toBe(200);
      expect(body).toEqual({ data: { success: true, id, sandbox: false }, error: null });
      expect((await buyer.get(PATH)).body.data.subscriptions).toEqual([kept]);
    });

    test('deletes one that failed', async () => {
      const { buyer, path } = await withWebhook();
      await server.store.db
        .updateTable('webhook_subscriptions')
        .set({ status: 'failed', failure_count: 10 })
        .where('organization_id', '=', buyer.organizationId)
        .execute();

      expect((await buyer.delete(path)).status).toBe(200);
      expect(await countOf(buyer)).toBe(0);
    });

    test('skips what was still to be sent, and nothing else', async () => {
      const { buyer, id, path } = await withWebhook();
      const { db } = server.store;
      // One that is under way keeps the next one waiting.
      const owner = server.running.app.services.processId;
      for (const state of ['attempting', 'pending', 'delivered'] as const) {
        await db
          .insertInto('webhook_deliveries')
          .values({ ...delivery, organization_id: buyer.organizationId, subscription_id: id, state, owner })
          .execute();
      }

      done(await buyer.delete(path));

      const rows = await db
        .selectFrom('webhook_deliveries')
        .select(['state', 'outcome'])
        .where('organization_id', '=', buyer.organizationId)
        .orderBy('id')
        .execute();
      expect(rows).toEqual([
        { state: 'attempting', outcome: null },
        { state: 'skipped', outcome: 'subscription_deleted' },
        { state: 'delivered', outcome: null },
      ]);
    });
  });

  describe('404', () => {
    test('NOT_FOUND the second time, and the refusal is in the audit log', async () => {
      const { buyer, id, path } = await withWebhook();
      await buyer.delete(path);

      expectRefusal(await buyer.delete(path), 404, {
        code: 'NOT_FOUND',
        words: 'No such webhook subscription.',
      });
      const [entry] = await auditOf(server, buyer, 'webhook_delete');
      expect(entry).toMatchObject({ outcome: 'denied', error_code: 'NOT_FOUND', resource_id: id });
    });
  });
});
