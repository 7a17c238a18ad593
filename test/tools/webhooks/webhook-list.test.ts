import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { giveGrant } from '../../../tools/domain/organizations/grants.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { done, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const PATH = '/buyer/webhook-subscriptions';
const SECRET = 'a-secret-nobody-guesses';
const fields = { url: 'https://hooks.acme.example/in', secret: SECRET, eventTypes: ['discovery.revision'] };

describe('webhook_list', () => {
  let server: TestServer;
  let buyer: Person;
  let made: { id: string }[];
  beforeAll(async () => {
    server = await startTestServer();
    buyer = await newPerson(server);
    made = [];
    for (const name of ['one', 'two', 'three']) {
      const url = `https://hooks.acme.example/${name}`;
      made.push(done(await buyer.post(PATH, { ...fields, url })).subscription);
    }
  });
  afterAll(() => server.stop());

  describe('200', () => {
    test('gives every subscription of the account, newest first, without its secret', async () => {
      const { status, body, text } = await buyer.get(PATH);

      expect(status).toBe(200);
      expect(body).toEqual({
        data: { subscriptions: made.toReversed(), total: 3 },
        error: null,
        meta: { pagination: { skip: 0, take: 50, total: 3, hasMore: false } },
      });
      expect(text).not.toContain('secret');
    });

    test('turns the pages of a narrowed credential among the subscriptions that it made', async () => {
      const owner = await newPerson(server);
      const advertiserId = await newAdvertiser(owner);
      const narrowed = await owner.withKey(['buyer:read', 'buyer:write']);
      await giveGrant(server.operator, {
        organizationId: owner.organizationId,
        holder: `api_key:${narrowed.keyId}`,
        advertiserId: Number(advertiserId),
      });
      const own = done(await narrowed.post(PATH, fields)).subscription;
      await owner.post(PATH, { ...fields, url: 'https://hooks.acme.example/other' });

      const page = async (by: Person) => (await by.get(`${PATH}?take=1`)).body;
      expect(await page(narrowed)).toEqual({
        data: { subscriptions: [own], total: 1 },
        error: null,
        meta: { pagination: { skip: 0, take: 1, total: 1, hasMore: false } },
      });
      expect((await page(owner)).meta.pagination).toMatchObject({ total: 2, hasMore: true });
    });

    test('says in the compact form which there are and whether they work', async () => {
      const { subscriptions } = done(await buyer.get(`${PATH}?detail=compact`));

      expect(subscriptions[0]).toEqual({
        id: made[2]?.id,
        url: 'https://hooks.acme.example/three',
        status: 'active',
        lastFailure: null,
        lastFailureReason: null,
      });
    });

    test('shows how deliveries went', async () => {
      const owner = await newPerson(server);
      const { subscription } = done(await owner.post(PATH, fields));
      const health = {
        status: 'failed' as const,
        failure_count: 10,
        last_success: '2026-12-01T10:00:00.000Z',
        last_failure: '2026-12-01T11:00:00.000Z',
        failure_reason: 'http_503',
      };
      await server.store.db
        .updateTable('webhook_subscriptions')
        .set(health)
        .where('organization_id', '=', owner.organizationId)
        .execute();

      const { body } = await owner.get(PATH);

      expect(body.data.subscriptions).toEqual([
        {
          ...subscription,
          status: 'failed',
          failureCount: 10,
          lastSuccess: health.last_success,
          lastFailure: health.last_failure,
          lastFailureReason: 'http_503',
        },
      ]);
    });
  });
});
