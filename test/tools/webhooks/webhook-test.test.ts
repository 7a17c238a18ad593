import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { done } from '../../support/sellers/market.ts';
import { subscribe, subscriptionOf } from '../../support/sellers/webhooks.ts';
import { type Authority, newAuthority, type Receiver, startReceiver } from '../../support/server/receiver.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const path = (id: string) => `/buyer/webhook-subscriptions/${id}`;

describe('webhook_test', () => {
  let server: TestServer;
  let authority: Authority;
  let hook: Receiver;
  let buyer: Person;
  beforeAll(async () => {
    authority = await newAuthority();
    server = await startTestServer({
      settings: { WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8', OUTBOUND_CA_FILE: authority.file },
    });
    hook = await startReceiver(authority);
    buyer = await newPerson(server);
  });
  afterAll(async () => {
    await server.stop();
    await hook.stop();
    authority.remove();
  });

  test('sends one signed delivery marked as a test with 200, and shows what was answered in the log', async () => {
    const { id } = await subscribe(buyer, hook.url);
    hook.answers((res) => res.writeHead(202).end('taken'));

    const reply = await buyer.post(`${path(id)}/test`, {});

    expect(reply.status).toBe(200);
    const { delivery } = reply.body.data;
    expect(delivery).toMatchObject({
      event: 'webhook.test',
      test: true,
      state: 'delivered',
      httpStatus: 202,
    });
    expect(delivery).toMatchObject({ reason: null, answer: 'taken', ms: expect.any(Number) });
    expect(hook.deliveries).toHaveLength(1);
    const [sent] = hook.deliveries;
    expect(sent?.payload).toMatchObject({ event: 'webhook.test', test: true, subscriptionId: id });
    expect(sent?.headers['x-webhook-signature']).toMatch(/^[0-9a-f]{64}$/);
    expect(sent?.headers['x-webhook-delivery']).toBe(delivery.id);
    expect(delivery.id).toBe(`${id}.${sent?.payload['id']}`);
    expect(done(await buyer.get(`${path(id)}/deliveries`)).items).toEqual([delivery]);
  });

  test.each([
    ['active', 3],
    ['failed', 10],
  ] as const)('leaves status and counters alone, of one that is %s as well', async (status, failures) => {
    const { id } = await subscribe(buyer, `${hook.url}/${status}`);
    await server.store.db
      .updateTable('webhook_subscriptions')
      .set({ status, failure_count: failures })
      .where('organization_id', '=', buyer.organizationId)
      .where('id', '=', id)
      .execute();
    const before = await subscriptionOf(buyer, id);

    for (const code of [204, 500]) {
      hook.answers((res) => res.writeHead(code).end());
      done(await buyer.post(`${path(id)}/test`, {}));
    }

    expect(await subscriptionOf(buyer, id)).toEqual(before);
    const { items } = done(await buyer.get(`${path(id)}/deliveries?take=1`));
    expect(items).toMatchObject([{ state: 'failed', httpStatus: 500, reason: 'http_500', test: true }]);
  });

  test('shows the first 500 characters of an answer in any script, wherever the network cuts it', async () => {
    const { id } = await subscribe(buyer, `${hook.url}/script`);
    const words = `${'Заказ не принят: 予約できません '.repeat(40).slice(0, 499)}😀 and more`;
    const bytes = Buffer.from(words);
    // In the middle of a letter.
    const cut = Buffer.byteLength('Зак') + 1;
    for (const parts of [[bytes], [bytes.subarray(0, cut), bytes.subarray(cut)]]) {
      hook.answers((res) => {
        const [first, rest] = parts;
        res.writeHead(400);
        if (rest === undefined) res.end(first);
        else res.write(first, () => setImmediate(() => res.end(rest)));
      });

      const { delivery } = done(await buyer.post(`${path(id)}/test`, {}));

      expect(delivery).toMatchObject({ state: 'failed', answer: words.slice(0, 499) });
    }
  });

  test('is refused with 409 CONFLICT while the receiver is being tried, and holds nothing up', async () => {
    const { id } = await subscribe(buyer, `${hook.url}/slow`);
    let finish = () => {};
    hook.answers((res) => {
      finish = () => res.writeHead(204).end();
    });
    const arrived = hook.received(hook.deliveries.length + 1);
    const first = buyer.post(`${path(id)}/test`, {});
    await arrived;

    expectRefusal(await buyer.post(`${path(id)}/test`, {}), 409, {
      code: 'CONFLICT',
      words: 'This receiver is being tried already.',
    });

    finish();
    expect((await first).status).toBe(200);
  });

  test('is refused with 404 NOT_FOUND to others', async () => {
    const { id } = await subscribe(buyer, `${hook.url}/mine`);
    const stranger = await newPerson(server);

    expectRefusal(await stranger.post(`${path(id)}/test`, {}), 404, {
      code: 'NOT_FOUND',
      words: 'No such webhook subscription.',
    });
    expectRefusal(await stranger.get(`${path(id)}/deliveries`), 404, {
      code: 'NOT_FOUND',
      words: 'No such webhook subscription.',
    });
  });
});
