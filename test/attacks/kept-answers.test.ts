import { afterEach, describe, expect, test } from 'vitest';
import { forgetIdempotencyKeys } from '../../store/unscoped/idempotency-keys.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { expectRefusal } from '../support/callers/refusals.ts';
import { type SkippingClock, skippingClock } from '../support/run/skipping-clock.ts';
import { draftOf } from '../support/sellers/discovery.ts';
import { farSeller } from '../support/sellers/far-seller.ts';
import { done, flightDates, newAdvertiser } from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const ROOM = 65_536;
const HOUR_MS = 3_600_000;

/** What is kept for the repeats of an account, once there is no room for more. */
/** What is told of a change whose answer was not kept. */
const NOT_KEPT =
  /^This call was made at [-\d:.TZ]+: .+\. Its answer is not kept, and nothing was done now\.$/;

describe('answers that are kept under idempotency keys', () => {
  let server: TestServer;
  let clock: SkippingClock;
  let buyer: Person;
  let advertiserId: string;
  afterEach(() => server.stop());

  async function start(): Promise<void> {
    clock = skippingClock();
    server = await startTestServer({
      clock,
      settings: {
        IDEMPOTENCY_BYTES_PER_ACCOUNT: String(ROOM),
        AUDIT_RETENTION_DAYS: '3650',
        SELLER_ALLOWED_CIDRS: '127.0.0.0/8',
      },
    });
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  }

  const sentBy =
    (by: Person) =>
    (path: string, key: string, body: object = {}) =>
      by.send(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify(body),
      });
  const send = (path: string, key: string, body?: object) => sentBy(buyer)(path, key, body);
  /** Its answer has some ten thousand bytes. */
  const create = (key: string) => {
    const brief = 'é'.repeat(5_000);
    return send('/buyer/campaigns', key, {
      advertiserId,
      name: key,
      flightDates,
      budget: { total: 1_000 },
      brief,
    });
  };
  const keys = (count: number) => Array.from({ length: count }, (_, index) => `key-${index}`);
  const isReplayed = ({ headers }: { headers: Headers }) => headers.get('idempotency-replayed') === 'true';

  const stored = async () => {
    const rows = await server.store.db
      .withoutPlugins()
      .selectFrom('idempotency_keys')
      .select(['answer', 'answer_bytes'])
      .execute();
    for (const { answer, answer_bytes } of rows) {
      expect(Number(answer_bytes)).toBe(answer === null ? 0 : Buffer.byteLength(answer));
    }
    return rows.reduce((sum, row) => sum + Number(row.answer_bytes), 0);
  };
  const fill = async () => {
    for (const key of keys(8)) expect((await create(key)).status).toBe(201);
  };
  const campaigns = async (): Promise<number> =>
    (await buyer.get(`/buyer/campaigns?advertiserId=${advertiserId}&take=1`)).body.meta.pagination.total;

  test('take no more bytes than an account may, and a change whose answer has no room is made once all the same', async () => {
    await start();
    await fill();

    const again = [];
    for (const key of keys(8)) again.push(await create(key));

    const bytes = await stored();
    expect(bytes).toBeGreaterThan(ROOM / 2);
    expect(bytes).toBeLessThanOrEqual(ROOM);
    expect(again.slice(0, 5).every(isReplayed)).toBe(true);
    const last = again.at(-1);
    if (last === undefined) throw new Error('Nothing was repeated.');
    expectRefusal(last, 409, { code: 'CONFLICT', at: { 'Idempotency-Key': NOT_KEPT } });
    expect(last.body.error.details).toMatchObject({ resourceId: expect.stringMatching(/^cmp_/) });
    expect(await campaigns()).toBe(8);
  });

  test('are counted by what is stored, and have room again once keys are forgotten', async () => {
    await start();
    await fill();
    const full = await stored();
    clock.skip(60_000);
    await create('still-full');
    expect(await stored()).toBe(full);

    clock.skip(25 * HOUR_MS);
    const before = new Date(clock.now() - 24 * HOUR_MS).toISOString();
    while ((await forgetIdempotencyKeys(server.store.db, { before, limit: 5 })) >= 5);
    await create('room-again');

    expect(isReplayed(await create('room-again'))).toBe(true);
  });

  test('count as some thousand bytes however short they are, and take nothing of the room of others', async () => {
    await start();
    for (const key of keys(ROOM / 4_096)) done(await send('/buyer/advertisers', key, advertiser));
    const over = await send('/buyer/advertisers', 'over', advertiser);
    const other = await newPerson(server);
    const theirs = () => sentBy(other)('/buyer/advertisers', 'theirs', advertiser);
    done(await theirs());

    expect(over.status).toBe(201);
    expectRefusal(await send('/buyer/advertisers', 'over', advertiser), 409, {
      code: 'CONFLICT',
      at: { 'Idempotency-Key': NOT_KEPT },
    });
    expect(isReplayed(await send('/buyer/advertisers', 'key-0', advertiser))).toBe(true);
    expect(isReplayed(await theirs())).toBe(true);
  });

  const advertiser = { name: 'Acme', brand: 'acme.example', saveBrand: true, primaryCurrency: 'USD' };

  test('without room leave an order with one seller, once: its repeat says so and asks nobody', async () => {
    await start();
    const far = await farSeller(server, 'Far');
    const campaignId = await draftOf(buyer, { ...far, advertiserId, productId: 'far-1' });
    await fill();
    const execute = () => send(`/buyer/campaigns/${campaignId}/execute`, 'execute');

    const { success } = done(await execute());
    const repeat = await execute();
    await far.agent.stop();

    expect(success).toBe(true);
    expectRefusal(repeat, 409, { code: 'CONFLICT', at: { 'Idempotency-Key': NOT_KEPT } });
    expect(repeat.body.error.details).toMatchObject({ resourceId: campaignId });
    expect(far.agent.calls.filter(({ tool }) => tool === 'create_media_buy')).toHaveLength(1);
  });
});
