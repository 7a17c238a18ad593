import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forgetIdempotencyKeys } from '../../store/unscoped/idempotency-keys.ts';
import { beat } from '../../store/unscoped/processes.ts';
import { tools } from '../../tools/registry.ts';
import type { Reply } from '../support/callers/client.ts';
import { colleagueInOtherAccount } from '../support/callers/colleague.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { expectRefusal } from '../support/callers/refusals.ts';
import { overMcp } from '../support/callers/tool-lanes.ts';
import { type SkippingClock, skippingClock } from '../support/run/skipping-clock.ts';
import { done, flightDates, newAdvertiser } from '../support/sellers/market.ts';
import { breaksAfter } from '../support/server/between.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const toolNamed = (name: string) => tools.find((tool) => tool.name === name) ?? expect.fail(`No ${name}.`);

const HOUR_MS = 3_600_000;
const KEYS_MAX = 40;

describe('a change under an idempotency key', () => {
  const broken = breaksAfter('campaign_create');
  let server: TestServer;
  let clock: SkippingClock;
  let buyer: Person;
  let advertiserId: string;
  let count = 0;
  beforeAll(async () => {
    clock = skippingClock();
    server = await startTestServer({
      clock,
      families: broken.families,
      settings: {
        IDEMPOTENCY_KEYS_PER_ACCOUNT: String(KEYS_MAX),
        IDEMPOTENCY_ANSWER_BYTES: '4096',
        AUDIT_RETENTION_DAYS: '3650',
      },
    });
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(() => server.stop());

  const newKey = () => {
    count += 1;
    return `key-${count}`;
  };

  interface Asked {
    readonly key: string;
    readonly path?: string;
    readonly method?: string;
    readonly body?: object;
    readonly by?: Person;
  }

  const send = ({ key, path = '/buyer/campaigns', method = 'POST', body, by = buyer }: Asked) =>
    by.send(path, {
      method,
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const fields = (changes: object = {}) => ({
    advertiserId,
    name: 'Winter',
    flightDates,
    budget: { total: 1_000 },
    ...changes,
  });
  const create = (key: string, changes: object = {}, by = buyer) => send({ key, body: fields(changes), by });
  const campaigns = async (): Promise<number> =>
    (await buyer.get(`/buyer/campaigns?advertiserId=${advertiserId}&take=1`)).body.meta.pagination.total;
  const keysBefore = async (moment: string): Promise<number> => {
    const db = server.store.db.withoutPlugins();
    const { rows } = await sql`select hash from idempotency_keys where created_at < ${moment}`.execute(db);
    return rows.length;
  };
  const isReplayed = ({ headers }: Reply) => headers.get('idempotency-replayed') === 'true';

  test('is made once: the same answer, status and body, says that it is a repeat', async () => {
    const key = newKey();
    const before = await campaigns();
    const first = await create(key);
    const second = await create(key);

    expect([first.status, isReplayed(first)]).toEqual([201, false]);
    expect([second.status, isReplayed(second)]).toEqual([201, true]);
    expect(second.text).toBe(first.text);
    expect(await campaigns()).toBe(before + 1);
  });

  test('is the same whatever the order of its fields, and its key bare or quoted', async () => {
    const first = await create('"quoted \\" key"');
    const reversed = Object.fromEntries(Object.entries(fields()).reverse());
    const again = await send({ key: '"quoted \\" key"', body: reversed });
    const bare = await create('bare');
    const quoted = await create('"bare"');

    expect(again.text).toBe(first.text);
    expect(isReplayed(quoted)).toBe(true);
    expect(quoted.text).toBe(bare.text);
  });

  test('with another body is refused, and nothing is changed', async () => {
    const key = newKey();
    await create(key);
    const before = await campaigns();
    const other = await create(key, { name: 'Spring' });

    expectRefusal(other, 409, {
      code: 'CONFLICT',
      at: { 'Idempotency-Key': 'This idempotency key was used for another input, and nothing was done now.' },
    });
    expect(await campaigns()).toBe(before);
  });

  test('whose answer is larger than is kept is not made again, and its repeat says what was made', async () => {
    const key = newKey();
    // Fewer characters than bytes: the bound is one of bytes.
    const body = fields({ brief: 'é'.repeat(2_000) });
    const { campaign } = done(await send({ key, body }));

    const again = await send({ key, body });

    expectRefusal(again, 409, {
      code: 'CONFLICT',
      at: {
        'Idempotency-Key': /^This call was made at \S+: campaign cmp_\w+\. Its answer is not kept, and /,
      },
      details: { resourceId: campaign.campaignId },
    });
  });

  test('that is refused leaves nothing: corrected, it is made under the same key', async () => {
    const key = newKey();
    const wrong = await create(key, { name: '' });
    const contradicting = await create(key, { budget: { total: 10, currency: 'EUR' } });
    const right = await create(key);

    expect([wrong.status, contradicting.status]).toEqual([400, 400]);
    expect([right.status, isReplayed(right)]).toEqual([201, false]);
  });

  test.each([
    ['empty', ''],
    ['too long', 'k'.repeat(256)],
    ['with a space', 'two words'],
    ['given twice', 'one, two'],
    ['an empty string', '""'],
  ])('is refused when the key is %s', async (_, key) => {
    expectRefusal(await create(key), 400, {
      code: 'VALIDATION_ERROR',
      at: {
        'Idempotency-Key':
          'Give 1 to 255 visible ASCII characters, such as a UUID; another key for every change.',
      },
    });
  });

  test('belongs to its account: another account’s same key is another key', async () => {
    const key = newKey();
    const stranger = await newPerson(server);
    const theirs = await newAdvertiser(stranger);
    const first = await create(key);
    const other = await create(key, { advertiserId: theirs }, stranger);
    const colleague = await colleagueInOtherAccount(server, buyer);
    const third = await send({ key, path: '/buyer/advertisers', body: advertiser, by: colleague });

    expect([first, other, third].map(({ status }) => status)).toEqual([201, 201, 201]);
    expect([first, other, third].some(isReplayed)).toBe(false);
  });

  const advertiser = { name: 'Acme', brand: 'acme.example', saveBrand: true, primaryCurrency: 'USD' };

  test('belongs to its method and path: the same key elsewhere is another key', async () => {
    const key = newKey();
    const made = await send({ key, path: '/buyer/advertisers', body: advertiser });
    const second = await newAdvertiser(buyer);
    const rename = (id: string) =>
      send({ key, path: `/buyer/advertisers/${id}`, method: 'PUT', body: { name: 'Other' } });
    const one = await rename(made.body.data.id);
    const other = await rename(second);

    expect([made, one, other].map(({ status }) => status)).toEqual([201, 200, 200]);
    expect([made, one, other].some(isReplayed)).toBe(false);
  });

  test('belongs to its object, however the number of that is written', async () => {
    const key = newKey();
    const id = await newAdvertiser(buyer);
    const rename = (written: string) =>
      send({ key, path: `/buyer/advertisers/${written}`, method: 'PUT', body: { name: 'Other' } });
    const one = await rename(id);
    const other = await rename(`00${id}`);

    expect([other.text, isReplayed(other)]).toEqual([one.text, true]);
  });

  test('answers another credential of the account only where that one reaches the object', async () => {
    const key = newKey();
    const first = await create(key);
    const colleague = await buyer.withKey(['buyer:write']);
    const reader = await buyer.withKey(['buyer:read']);

    expect((await create(key, {}, colleague)).text).toBe(first.text);
    expectRefusal(await create(key, {}, reader), 403, {
      code: 'FORBIDDEN',
      words: 'This call needs the permission buyer:write.',
    });
  });

  test('answers who deleted a thing, though it is gone, and nobody else', async () => {
    const hook = {
      url: 'https://hooks.example/in',
      eventTypes: ['discovery.revision'],
      secret: 's'.repeat(32),
    };
    const { subscription } = done(await buyer.post('/buyer/webhook-subscriptions', hook));
    const gone = { key: newKey(), path: `/buyer/webhook-subscriptions/${subscription.id}`, method: 'DELETE' };
    const first = await send(gone);
    const second = await send(gone);
    const other = await send({ ...gone, by: await buyer.withKey(['buyer:admin', 'buyer:write']) });

    expect(first.status).toBe(200);
    expect([second.text, isReplayed(second)]).toEqual([first.text, true]);
    expectRefusal(other, 404, { code: 'NOT_FOUND', words: 'No such webhook subscription.' });
  });

  test('is made by one of many who ask at once; the others get its answer', async () => {
    const key = newKey();
    const before = await campaigns();
    const replies = await Promise.all(Array.from({ length: 8 }, () => create(key)));

    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expect(replies.filter((reply) => !isReplayed(reply))).toHaveLength(1);
    expect(await campaigns()).toBe(before + 1);
  });

  test('on a version is made by one of several credentials that ask at once; the others get its answer', async () => {
    const id = await newAdvertiser(buyer);
    const path = `/buyer/advertisers/${id}`;
    const tag = (await buyer.get(path)).headers.get('etag') ?? '';
    const key = newKey();
    const people = await Promise.all([1, 2, 3].map(() => buyer.withKey(['buyer:read', 'buyer:write'])));
    const headers = { 'content-type': 'application/json', 'idempotency-key': key, 'if-match': tag };
    const body = JSON.stringify({ name: 'Renamed' });
    const replies = await Promise.all(people.map((by) => by.send(path, { method: 'PUT', headers, body })));

    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(replies.filter((reply) => !isReplayed(reply))).toHaveLength(1);
  });

  test('comes again with the tag of its first answer, on which the next change is made', async () => {
    const path = `/buyer/advertisers/${await newAdvertiser(buyer)}`;
    const rename = { key: newKey(), path, method: 'PUT', body: { name: 'Renamed' } };
    const first = await send(rename);
    const again = await send(rename);
    const headers = { 'content-type': 'application/json', 'if-match': again.headers.get('etag') ?? '' };
    const next = await buyer.send(path, { method: 'PUT', headers, body: '{"name":"Once more"}' });

    expect(first.headers.get('etag')).toMatch(/^"\d+-[0-9a-f]{32}"$/);
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
    expect(next.status).toBe(200);
  });

  test('takes everything back when it breaks after its writes, and is made by the next try', async () => {
    const key = newKey();
    const before = await campaigns();
    broken.next();
    const failed = await create(key);

    expect(failed.status).toBe(500);
    expect(await campaigns()).toBe(before);
    expect([(await create(key)).status, await campaigns()]).toEqual([201, before + 1]);
  });

  test('that finds what it was to make answers as it did, under any number of keys', async () => {
    const seller = await newPerson(server, { roles: ['SELLER'] });
    const make = (key: string) => send({ key, path: '/storefront', body: { name: 'Corner' }, by: seller });
    const [first, second] = [await make('one'), await make('two')];
    const again = await make('two');

    expect([first.status, second.status, again.status]).toEqual([201, 200, 200]);
    expect([isReplayed(second), isReplayed(again)]).toEqual([false, true]);
  });

  test('over MCP belongs to the tool, is no word of its input, and is passed on by api_call', async () => {
    const idempotencyKey = newKey();
    const call = async (name: string, args: object) => {
      const reply = await buyer.send(`${server.url}/mcp/v2/buyer`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
          'mcp-name': name,
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: {
            name,
            arguments: args,
            _meta: {
              'io.modelcontextprotocol/protocolVersion': '2026-07-28',
              'io.modelcontextprotocol/clientCapabilities': {},
            },
          },
        }),
      });
      return reply.body.result;
    };
    const first = await call('campaign_create', { ...fields(), idempotencyKey });
    const again = await call('campaign_create', { ...fields(), idempotencyKey });
    const passedOn = await call('api_call', { operation: 'campaign_create', body: fields(), idempotencyKey });
    const other = await call('campaign_create', { ...fields({ name: 'Other' }), idempotencyKey });
    const wrong = await call('campaign_create', { ...fields(), idempotencyKey: 7 });
    const reading = await call('campaign_list', { idempotencyKey });

    expect(first._meta).not.toHaveProperty('idempotencyReplayed');
    for (const repeat of [again, passedOn]) {
      expect(repeat.structuredContent).toEqual(first.structuredContent);
      expect(repeat._meta).toMatchObject({ idempotencyReplayed: true });
    }
    expect(other.structuredContent).toMatchObject({ code: 'CONFLICT', field: 'idempotencyKey' });
    for (const refused of [wrong, reading]) {
      expect(refused.structuredContent).toMatchObject({ code: 'VALIDATION_ERROR', field: 'idempotencyKey' });
    }
  });

  test('whose first call is still under way is one to wait for, over MCP too', async () => {
    const tool = toolNamed('advertiser_create');
    const again = { url: server.url, key: buyer.key, tool, args: advertiser, repeatKey: newKey() };
    const made = await overMcp(again);
    const now = new Date(clock.now()).toISOString();
    await beat(server.store.db, { id: 'another', now, keyIds: [] });
    const rows = server.store.db.withoutPlugins().updateTable('idempotency_keys');
    await rows
      .set({ answer: null, process_id: 'another' })
      .where('resource_id', '=', String(made.content['id']))
      .execute();

    const { content } = await overMcp(again);

    expect(content).toMatchObject({ code: 'CONFLICT', recovery: 'transient', retry_after: 1 });
    expect(content['message']).toBe('The first call with this idempotency key is still under way.');
  });

  test('is made anew once 24 hours have passed, whether its key was swept or not', async () => {
    const [swept, left] = [newKey(), newKey()];
    const before = [await create(swept), await create(left)];
    clock.skip(24 * HOUR_MS - 60_000);
    expect(isReplayed(await create(left))).toBe(true);
    clock.skip(120_000);
    const after = await create(left);
    const before24h = new Date(clock.now() - 24 * HOUR_MS).toISOString();
    while ((await forgetIdempotencyKeys(server.store.db, { before: before24h, limit: 3 })) >= 3);
    expect(await keysBefore(before24h)).toBe(0);
    const anew = await create(swept);

    expect([after, anew].map((reply) => [reply.status, isReplayed(reply)])).toEqual([
      [201, false],
      [201, false],
    ]);
    const ids = [...before, after, anew].map(({ body }) => body.data.campaign.campaignId);
    expect(new Set(ids).size).toBe(4);
    expect(isReplayed(await create(left))).toBe(true);
  });

  test('has room for so many keys an account; calls without one go on', async () => {
    const crowd = await newPerson(server);
    const save = (key: string) => send({ key, path: '/buyer/advertisers', body: advertiser, by: crowd });
    for (let used = 0; used < KEYS_MAX; used += 1) expect((await save(`n-${used}`)).status).toBe(201);
    const over = await save('one-more');

    expectRefusal(over, 429, {
      code: 'RATE_LIMITED',
      words: 'The account has 40 idempotency keys in use, which is the limit.',
    });
    expect(over.headers.get('retry-after')).toBe('60');
    expect(isReplayed(await save('n-3'))).toBe(true);
    expect((await crowd.post('/buyer/advertisers', advertiser)).status).toBe(201);
  });
});
