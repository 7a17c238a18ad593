import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Clock } from '../../tools/core/ports.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { runningClock } from '../support/run/clock.ts';
import { gate } from '../support/run/gate.ts';
import { beginDiscovery, browse, productIdsIn } from '../support/sellers/discovery.ts';
import { answersLater, type FarSeller, farSeller } from '../support/sellers/far-seller.ts';
import { done, draftCampaign, newAdvertiser } from '../support/sellers/market.ts';
import { adcpProduct } from '../support/sellers/seller-agent.ts';
import { subscribe, subscriptionWhen } from '../support/sellers/webhooks.ts';
import { type Authority, newAuthority, type Receiver, startReceiver } from '../support/server/receiver.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const HOUR_MS = 3_600_000;
const MINUTE_S = 60;
const LIMIT = 400;

/**
 * A clock whose timers run on and whose time of day is put forward or back, as an operator or a server of time does.
 */
function jumpingClock(): Clock & { jump(milliseconds: number): void } {
  const base = runningClock();
  let jumped = 0;
  return {
    now: () => base.now() + jumped,
    after: base.after,
    jump: (milliseconds) => {
      jumped += milliseconds;
    },
  };
}

describe.each([
  ['an hour ahead', HOUR_MS],
  ['an hour back', -HOUR_MS],
])('a clock that jumps %s', (_where, jump) => {
  const clock = jumpingClock();
  let authority: Authority;
  let hook: Receiver;
  let server: TestServer;
  let ada: FarSeller;
  let buyer: Person;
  let person: Person;
  let advertiserId: string;
  beforeAll(async () => {
    authority = await newAuthority();
    hook = await startReceiver(authority);
    server = await startTestServer({
      clock,
      settings: {
        SELLER_ALLOWED_CIDRS: '127.0.0.0/8',
        WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
        OUTBOUND_CA_FILE: authority.file,
        PROCESS_LEASE_MS: '300',
        RATE_LIMIT_BASIC: String(LIMIT),
      },
    });
    ada = await farSeller(server, 'Ada');
    buyer = await newPerson(server);
    person = await newPerson(server, { tier: 'basic' });
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(async () => {
    await server.stop();
    await ada.agent.stop();
    await hook.stop();
    authority.remove();
  });

  /** Resolves once the service has looked twice for work that nobody does any more. */
  const looksForWork = () =>
    new Promise<void>((resolve) => {
      clock.after(400, resolve);
    });

  test('amid a session loses no seller, and its webhook comes once', async () => {
    const held = answersLater(ada, { products: [adcpProduct('ada-1')] });
    const { id } = await subscribe(buyer, hook.url);
    const answered = gate();
    hook.answers((res) => void answered.passed.then(() => res.writeHead(204).end()));
    const { discoveryId } = await beginDiscovery(buyer, advertiserId, [ada.storefrontId]);

    clock.jump(jump);
    await looksForWork();
    held.open();
    const found = await browse(buyer, discoveryId);
    await hook.received(1);
    clock.jump(jump);
    await looksForWork();
    answered.open();

    expect(productIdsIn(found)).toEqual(['ada-1']);
    expect(found.incompleteAgents).toEqual([]);
    const { status, failureCount } = await subscriptionWhen(
      buyer,
      id,
      ({ lastSuccess, lastFailure }) => lastSuccess !== null || lastFailure !== null,
    );
    expect({ status, failureCount }).toEqual({ status: 'active', failureCount: 0 });
    const told = hook.deliveries.map(({ payload }) => `${payload.discoveryId} ${payload.revision}`);
    expect(new Set(told).size).toBe(told.length);
  });

  test('amid an order leaves one buy at its seller, and the caller hears of it', async () => {
    ada.agent.on('get_products', () => ({ products: [adcpProduct('ada-1')] }));
    const { campaignId } = await draftCampaign(buyer, { advertiserId, storefrontIds: [ada.storefrontId] });
    const held = gate();
    const keys = new Set<string>();
    ada.agent.on('create_media_buy', async (args) => {
      keys.add(String(args['idempotency_key']));
      await held.passed;
      return { media_buy_id: 'ada_1', status: 'active', packages: [] };
    });
    const executing = buyer.post(`/buyer/campaigns/${campaignId}/execute`);
    await ada.agent.called('create_media_buy');

    clock.jump(jump);
    await looksForWork();
    held.open();

    expect(done(await executing)).toMatchObject({ success: true });
    expect(keys.size).toBe(1);
    const { campaign } = done(await buyer.get(`/buyer/campaigns/${campaignId}`));
    expect(campaign).toMatchObject({ status: 'ACTIVE', mediaBuys: [{ status: 'ACTIVE' }] });
  });

  test('amid a change of a media buy sends it once, and the caller hears of it', async () => {
    ada.agent.on('get_products', () => ({ products: [adcpProduct('ada-1')] }));
    ada.agent.on('create_media_buy', () => ({ media_buy_id: 'ada_2', status: 'active', packages: [] }));
    const { campaignId } = await draftCampaign(buyer, { advertiserId, storefrontIds: [ada.storefrontId] });
    done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
    const held = gate();
    const sent: unknown[] = [];
    ada.agent.on('update_media_buy', async (args) => {
      sent.push(args['idempotency_key']);
      await held.passed;
      return { media_buy_id: 'ada_2', status: 'paused' };
    });
    const pausing = buyer.post(`/buyer/campaigns/${campaignId}/pause`);
    await ada.agent.called('update_media_buy');

    clock.jump(jump);
    await looksForWork();
    held.open();

    expect(done(await pausing)).toMatchObject({ newStatus: 'PAUSED', successCount: 1 });
    expect(sent).toHaveLength(1);
  });

  test('repeats a change under its key, and makes nothing anew', async () => {
    const create = () =>
      buyer.send('/buyer/advertisers', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': 'once' },
        body: JSON.stringify({
          name: 'Once',
          brand: 'acme.example',
          saveBrand: true,
          primaryCurrency: 'USD',
        }),
      });
    const first = await create();

    clock.jump(jump);
    const again = await create();

    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  test('keeps nobody out for longer than a minute', async () => {
    let last = await person.get('/buyer/advertisers');
    while (last.status === 200) last = await person.get('/buyer/advertisers');
    expect(last.status).toBe(429);

    clock.jump(jump);
    const jumped = await person.get('/buyer/advertisers');
    if (jumped.status !== 200) {
      expect(Number(jumped.headers.get('retry-after'))).toBeLessThanOrEqual(MINUTE_S);
      clock.jump(MINUTE_S * 1_000);
    }

    expect((await person.get('/buyer/advertisers')).status).toBe(200);
  });

  test('lists what is made after it behind what was made before', async () => {
    const advertiser = await newAdvertiser(buyer, { name: 'Before' });
    clock.jump(jump);
    const later = await newAdvertiser(buyer, { name: 'After' });

    const { items } = done(await buyer.get('/buyer/advertisers?take=100'));
    const ids = items.map(({ id }: { id: string }) => String(id));
    const { logs } = done(await buyer.get('/buyer/audit-logs?take=2'));

    expect(Math.abs(ids.indexOf(String(advertiser)) - ids.indexOf(String(later)))).toBe(1);
    expect(logs.map(({ resourceId }: { resourceId: string }) => resourceId)).toEqual([
      String(later),
      String(advertiser),
    ]);
  });
});
