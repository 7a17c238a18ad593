import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { grantedOnly } from '../../support/buying/access.ts';
import { waitingSpend } from '../../support/buying/spend-limits.ts';
import { auditOf } from '../../support/callers/answers.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { manualClock } from '../../support/run/clock.ts';
import {
  done,
  draftCampaign,
  newAdvertiser,
  openStorefront,
  productFields,
} from '../../support/sellers/market.ts';
import { writesBetween } from '../../support/server/between.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const PATH = '/buyer/audit-logs';
const SECRET = 'a-secret-nobody-guesses';
const MINUTE_MS = 60_000;
const webhook = { url: 'https://hooks.acme.example/in', secret: SECRET, eventTypes: ['discovery.revision'] };

interface Entry {
  readonly resourceType: string;
  readonly resourceId: string;
}

describe('audit_log_list', () => {
  const clock = manualClock();
  const between = writesBetween('advertiser_create');
  let server: TestServer;
  let buyer: Person;
  let first: string;
  let second: string;
  /** One entry a minute, from 09:00 on: two advertisers, a change, a webhook, a refused change. */
  beforeAll(async () => {
    server = await startTestServer({ clock, families: between.families });
    buyer = await newPerson(server);
    first = await newAdvertiser(buyer, { name: 'First' });
    clock.advance(MINUTE_MS);
    second = await newAdvertiser(buyer, { name: 'Second' });
    clock.advance(MINUTE_MS);
    done(await buyer.put(`/buyer/advertisers/${first}`, { name: 'Changed' }));
    clock.advance(MINUTE_MS);
    done(await buyer.post('/buyer/webhook-subscriptions', webhook));
    clock.advance(MINUTE_MS);
    await buyer.put('/buyer/advertisers/999999', { name: 'Nobody' });
  });
  afterAll(() => server.stop());

  async function logsIn(query: string, reader = buyer) {
    return done(await reader.get(`${PATH}${query}`)).logs;
  }

  /** The minutes past nine of the entries that a query gives. */
  async function minutesIn(query: string): Promise<number[]> {
    const logs = await logsIn(query);
    return logs.map(({ timestamp }: { timestamp: string }) => new Date(timestamp).getUTCMinutes());
  }

  describe('200', () => {
    test('gives numbers of their own to entries, later ones the higher, and not those they are counted by', async () => {
      const numbers = (await logsIn('?detail=full')).map(({ id }: { id: number }) => id);
      const counted = await server.store.db
        .selectFrom('audit_logs')
        .select('id')
        .where('organization_id', '=', buyer.organizationId)
        .execute();

      expect(numbers).toHaveLength(new Set(numbers).size);
      expect([...numbers].sort((one: number, other: number) => other - one)).toEqual(numbers);
      expect(counted.filter(({ id }) => numbers.includes(id))).toEqual([]);
      expect((await logsIn('?detail=full')).map(({ id }: { id: number }) => id)).toEqual(numbers);
    });

    test('names the person who did it, and nobody where it was none', async () => {
      const owner = await newPerson(server);
      await newAdvertiser(owner);
      expect((await logsIn('', owner))[0]).not.toHaveProperty('userEmail');
      const times = { created_at: '2026-12-01T09:00:00.000Z', updated_at: '2026-12-01T09:00:00.000Z' };
      const { organizationId } = owner;
      const person = { email: `ada-${organizationId}@acme.example`, name: 'Ada Doe', ...times };
      const db = server.store.db.withoutPlugins();
      const { id } = await db.insertInto('users').values(person).returning('id').executeTakeFirstOrThrow();
      await db
        .insertInto('memberships')
        .values({ user_id: id, organization_id: organizationId, role: 'ADMIN', created_at: times.created_at })
        .execute();
      await db
        .updateTable('audit_logs')
        .set({ user_id: id })
        .where('organization_id', '=', organizationId)
        .where('tool', '=', 'advertiser_create')
        .execute();

      const [entry] = await logsIn('?actions=CREATE', owner);

      expect(entry).toMatchObject({
        userId: id,
        userEmail: person.email,
        userName: 'Ada Doe',
        actorName: 'Ada Doe',
      });
      expect(entry).not.toHaveProperty('serviceTokenId');
      const tools = async (query: string) =>
        (await logsIn(query, owner)).map(({ tool }: { tool: string }) => tool);
      expect(await tools(`?actorUserId=${id}`)).toEqual(['advertiser_create']);
      expect(await tools(`?actorUserEmail=${person.email.toUpperCase()}`)).toEqual(['advertiser_create']);
      expect(await tools('?actorUserId=999999')).toEqual([]);
      expect(await tools('?actorUserEmail=nobody@acme.example')).toEqual([]);
      const kept = `then-${organizationId}@acme.example`;
      await db
        .updateTable('audit_logs')
        .set({ user_email: kept })
        .where('organization_id', '=', organizationId)
        .where('tool', '=', 'advertiser_create')
        .execute();
      expect(await tools(`?actorUserEmail=${kept}`)).toEqual(['advertiser_create']);
      expect(await tools(`?actorUserEmail=${person.email}`)).toEqual([]);
    });

    test('narrows to a campaign with its media buys and the spends that waited for it', async () => {
      const owner = await newPerson(server);
      const { storefrontId } = await openStorefront(await newPerson(server));
      const draft = { advertiserId: await newAdvertiser(owner), storefrontIds: [storefrontId] };
      const { campaignId } = await waitingSpend(server, owner, draft);
      const other = await draftCampaign(owner, draft);
      for (const id of [campaignId, other.campaignId]) {
        done(await owner.post(`/buyer/campaigns/${id}/execute`));
      }

      const logs = await logsIn(`?campaignId=${campaignId}`, owner);

      const { mediaBuys } = done(await owner.get(`/buyer/campaigns/${campaignId}`)).campaign;
      const ids = (type: string) =>
        new Set(logs.flatMap((one: Entry) => (one.resourceType === type ? [one.resourceId] : [])));
      expect(new Set(logs.map((one: Entry) => one.resourceType)).size).toBe(3);
      expect(ids('CAMPAIGN')).toEqual(new Set([campaignId]));
      expect(ids('MEDIA_BUY')).toEqual(new Set([mediaBuys[0].mediaBuyId]));
      expect(ids('SPEND_APPROVAL').size).toBe(1);
      expect(await logsIn(`?campaignId=${campaignId}`)).toEqual([]);
      expect(await logsIn('?campaignId=cmp_nobody', owner)).toEqual([]);
    });

    test('takes a filter without entries for none', async () => {
      const all = await minutesIn('');

      expect(await minutesIn('?actions=&resourceTypes=')).toEqual(all);
    });

    test('tells who did what to what, when and how', async () => {
      const { status, body } = await buyer.get(`${PATH}?actions=UPDATE&outcome=succeeded`);

      expect(status).toBe(200);
      expect(body).toEqual({
        data: {
          logs: [
            {
              id: expect.any(Number),
              timestamp: '2026-12-01T09:02:00.000Z',
              createdAt: '2026-12-01T09:02:00.000Z',
              action: 'UPDATE',
              outcome: 'succeeded',
              errorCode: null,
              resourceType: 'ADVERTISER',
              resourceId: first,
              resourceName: 'Changed',
              parentType: null,
              reason: null,
              advertiserId: Number(first),
              actorName: expect.any(String),
              userId: null,
              credentialId: `api_key:${buyer.keyId}`,
              credentialName: 'Test',
              actorOrigin: 'agent',
              tool: 'advertiser_update',
              requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
              parameters: { advertiserId: Number(first), name: 'Changed' },
              changes: { name: { from: 'First', to: 'Changed' } },
              description: 'Update advertiser',
            },
          ],
          total: 1,
        },
        error: null,
        meta: { pagination: { skip: 0, take: 50, total: 1, hasMore: false } },
      });
    });

    test('tells of a refused change why it was refused', async () => {
      const [entry] = await logsIn('?outcome=denied');

      expect(entry).toMatchObject({
        tool: 'advertiser_update',
        errorCode: 'NOT_FOUND',
        resourceId: '999999',
        changes: null,
        description: expect.stringContaining('No such advertiser'),
      });
    });

    test('tells of a change that broke only that it did', async () => {
      const unlucky = await newPerson(server);
      between.next(async () => {
        throw new Error('disk /var/lib is full');
      });

      const reply = await unlucky.post('/buyer/advertisers', {
        name: 'Lost',
        brand: 'lost.example',
        saveBrand: true,
        primaryCurrency: 'USD',
      });

      expectRefusal(reply, 500, { code: 'INTERNAL_ERROR', words: 'Something went wrong on our side.' });
      const logs = await logsIn('', unlucky);
      expect(logs).toEqual([expect.objectContaining({ outcome: 'failed', errorCode: 'INTERNAL_ERROR' })]);
      expect(JSON.stringify([logs, reply.body])).not.toContain('/var/lib');
    });

    test('shows a refused attempt under the advertiser that it was about', async () => {
      const caller = await newPerson(server);
      const advertiserId = await newAdvertiser(caller);
      await caller.post('/buyer/campaigns', { advertiserId, name: 'No flight' });
      await caller.put(`/buyer/advertisers/${advertiserId}`, {
        name: 'No terms',
        optimizationApplyMode: 'x',
      });
      await caller.post('/buyer/discovery/discover-products', {
        advertiserId,
        storefrontIds: [999_999],
      });

      const logs = await logsIn(`?advertiserId=${advertiserId}&outcome=denied`, caller);

      expect(logs.map(({ tool }: { tool: string }) => tool)).toEqual([
        'discover_products',
        'advertiser_update',
        'campaign_create',
      ]);
    });

    test('shows a refused attempt under no advertiser that is another’s, whatever its input names', async () => {
      const [owner, stranger] = [await newPerson(server), await newPerson(server)];
      const advertiserId = await newAdvertiser(owner);
      await stranger.post('/buyer/campaigns', { advertiserId, name: 'No flight' });
      await stranger.put(`/buyer/advertisers/${advertiserId}`, { name: 'Mine' });

      expect(await logsIn(`?advertiserId=${advertiserId}&outcome=denied`, owner)).toEqual([]);
      expect(await logsIn(`?advertiserId=${advertiserId}`, stranger)).toEqual([]);
      expect(await logsIn('?outcome=denied', stranger)).toHaveLength(2);
    });

    test('leaves out what nobody decides by in the compact form', async () => {
      const [entry] = await logsIn('?detail=compact&outcome=succeeded');

      expect(entry).toMatchObject({ actorName: expect.any(String), description: expect.any(String) });
      expect(entry).not.toHaveProperty('parameters');
      expect(entry).not.toHaveProperty('createdAt');
    });

    test('carries the request id that the caller sent', async () => {
      const caller = await newPerson(server);
      await caller.send('/buyer/webhook-subscriptions/wh_none', {
        method: 'DELETE',
        headers: { 'x-request-id': 'trace-17' },
      });

      expect(await logsIn('', caller)).toEqual([expect.objectContaining({ requestId: 'trace-17' })]);
    });

    test('is newest first, and reads are not in it', async () => {
      await buyer.get('/buyer/advertisers');

      expect(await minutesIn('')).toEqual([4, 3, 2, 1, 0]);
    });

    test.each([
      ['?startDate=2026-12-01T09:03:00Z', [4, 3]],
      ['?endDate=2026-12-01T09:01:00.000Z', [1, 0]],
      ['?startDate=2026-12-01T10:01:00%2B01:00&endDate=2026-12-01T09:02:00Z', [2, 1]],
      ['?resourceTypes=WEBHOOK_SUBSCRIPTION', [3]],
      ['?resourceTypes=WEBHOOK_SUBSCRIPTION,ADVERTISER', [4, 3, 2, 1, 0]],
      ['?resourceTypes=WEBHOOK_SUBSCRIPTION&resourceTypes=CAMPAIGN', [3]],
      ['?actions=CREATE', [3, 1, 0]],
      ['?actions=DELETE,UPDATE', [4, 2]],
      ['?outcome=succeeded', [3, 2, 1, 0]],
      ['?outcome=failed', []],
      ['?actorOrigin=agent', [4, 3, 2, 1, 0]],
      ['?actorOrigin=human', []],
      ['?resourceId=999999', [4]],
      ['?resourceId=999999&outcome=succeeded', []],
    ])('narrows with %s', async (query, minutes) => {
      expect(await minutesIn(query)).toEqual(minutes);
    });

    test('is refused where the end is before the start, and is of one moment where they are the same', async () => {
      const start = '2026-12-01T09:03:00Z';
      expectRefusal(await buyer.get(`${PATH}?startDate=${start}&endDate=2026-12-01T09:02:59Z`), 400, {
        code: 'VALIDATION_ERROR',
        at: { endDate: 'The end is before the start.' },
      });

      expect(await minutesIn(`?startDate=${start}&endDate=${start}`)).toEqual([3]);
    });

    test('narrows to an advertiser and to an object', async () => {
      expect(await minutesIn(`?advertiserId=${first}`)).toEqual([2, 0]);
      expect(await minutesIn(`?resourceId=${second}`)).toEqual([1]);
    });

    test('shows that there was a secret and never which', async () => {
      const [entry] = await logsIn('?resourceTypes=WEBHOOK_SUBSCRIPTION');

      expect(entry.parameters).toEqual({ ...webhook, secret: '[secret]' });
      expect((await buyer.get(PATH)).text).not.toContain(SECRET);
    });

    test('keeps no input that is larger than 8 KiB', async () => {
      const seller = await newPerson(server);
      const formats = Array.from({ length: 50 }, (_, index) => `${index}_`.padEnd(128, 'x'));
      await seller.post('/storefront/products', productFields({ formats, description: 'x'.repeat(2_000) }));

      const [entry] = await auditOf(server, seller, 'product_create');
      expect(JSON.parse(entry?.parameters ?? '')).toEqual({ omitted: 'larger than 8 KiB' });
    });

    test('holds nothing of what the organization does as a seller', async () => {
      const both = await newPerson(server);
      done(await both.post('/storefront', { name: 'Corner Media' }));

      expect(await logsIn('', both)).toEqual([]);
    });

    test('holds for a key with grants what concerns the advertisers they reach', async () => {
      const granted = await grantedOnly(server, buyer, second);

      const { logs, total } = done(await granted.get(PATH));
      expect(logs.map(({ resourceId }: { resourceId: string }) => resourceId)).toEqual([second]);
      expect(total).toBe(1);
    });

    test('goes on before the terms are accepted, and shows what that refused', async () => {
      const hasty = await newPerson(server, { terms: false });
      await hasty.post('/buyer/webhook-subscriptions', webhook);

      expect(await logsIn('', hasty)).toEqual([
        expect.objectContaining({ outcome: 'denied', errorCode: 'TOS_ACCEPTANCE_REQUIRED' }),
      ]);
    });
  });
});
