import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deliveryName } from '../../tools/domain/webhooks/names.ts';
import type { Client } from '../support/callers/client.ts';
import { type Member, newMember, withStore } from '../support/callers/operator.ts';
import { freshDatabase, type TestDatabase } from '../support/database/database.ts';
import { faultRoundsOf, timeoutOf } from '../support/run/effort.ts';
import { gate } from '../support/run/gate.ts';
import { lookUntil } from '../support/run/looking.ts';
import { beginDiscovery, browse, draftOf, productIdsIn } from '../support/sellers/discovery.ts';
import { connectAgent, done, flightAhead, newAdvertiser, openStorefront } from '../support/sellers/market.ts';
import { adcpProduct, type SellerAgent, startSellerAgent } from '../support/sellers/seller-agent.ts';
import { subscribe, subscriptionWhen } from '../support/sellers/webhooks.ts';
import { type Authority, newAuthority, type Receiver, startReceiver } from '../support/server/receiver.ts';
import { killServices, type Service, settingsFor, startService } from '../support/server/service.ts';

describe('after a SIGKILL', () => {
  let database: TestDatabase;
  let settings: Readonly<Record<string, string>>;
  let authority: Authority;
  let service: Service;
  let far: SellerAgent;
  let member: Member;
  let buyer: Client;
  let advertiserId: string;
  let near: { storefrontId: string; agentId: string; productIds: readonly string[] };
  let remote: { storefrontId: string; agentId: string };
  const receivers: Receiver[] = [];

  beforeAll(async () => {
    authority = await newAuthority();
    database = await freshDatabase();
    settings = settingsFor(database, { OUTBOUND_CA_FILE: authority.file });
    service = await startService({ folder: database.folder, settings });
    near = await openStorefront((await newMember(settings, 'near')).at(service.url));
  });
  afterAll(async () => {
    await killServices();
    await database.drop();
    authority.remove();
  });
  beforeEach(async () => {
    far = await startSellerAgent();
    remote = await connectAgent((await newMember(settings, 'far')).at(service.url), far.url);
    member = await newMember(settings, 'buyer');
    buyer = member.at(service.url);
    advertiserId = await newAdvertiser(buyer);
  });
  afterEach(async () => {
    await far.stop();
    await Promise.all(receivers.splice(0).map((receiver) => receiver.stop()));
  });

  /** The process dies where it stands, and another one takes its place. */
  async function crashAndRestart(): Promise<void> {
    const { signal } = await service.kill();
    expect(signal).toBe('SIGKILL');
    service = await startService({ folder: database.folder, settings });
    buyer = member.at(service.url);
  }

  async function receiver(): Promise<Receiver> {
    const made = await startReceiver(authority);
    receivers.push(made);
    return made;
  }

  test('while collecting, the session is closed with its unanswered sellers named, and what landed is there', async () => {
    far.on('get_products', () => new Promise(() => {}));
    const ids = [near.storefrontId, remote.storefrontId];
    const { discoveryId } = await beginDiscovery(buyer, advertiserId, ids);
    const landed = await browse(buyer, discoveryId, ({ revision }) => revision === 1);
    await far.called('get_products');

    await crashAndRestart();

    const closed = await browse(buyer, discoveryId);
    expect(closed).toMatchObject({ resultsComplete: true, revision: 2, pendingAgents: [] });
    expect(productIdsIn(closed)).toEqual(productIdsIn(landed));
    expect(closed.incompleteAgents).toEqual([
      {
        agentId: remote.agentId,
        agentName: 'Agent',
        storefronts: [{ storefrontId: remote.storefrontId, storefrontName: expect.any(String) }],
        reason: 'error',
        message: 'The service stopped while this seller was being asked.',
        waitSeconds: expect.any(Number),
      },
    ]);
    const stream = await buyer.get(`/buyer/discovery/${discoveryId}/events`);
    expect(stream.text.match(/^event: .+$/gm)).toEqual(['event: revision', 'event: complete']);
    expect(far.calls).toHaveLength(1);
  });

  test('while delivering, no webhook is sent twice, and none that waited is lost', async () => {
    const hook = await receiver();
    hook.answers(() => {});
    const { id } = await subscribe(buyer, hook.url);
    far.on('get_products', () => new Promise(() => {}));
    const ids = [near.storefrontId, remote.storefrontId];
    const begun = await beginDiscovery(buyer, advertiserId, ids);
    await hook.received(1);
    const waiting = await beginDiscovery(buyer, advertiserId, [near.storefrontId]);
    await browse(buyer, waiting.discoveryId);

    hook.answers((res) => res.writeHead(204).end());
    await crashAndRestart();
    await hook.received(3);
    const subscription = await subscriptionWhen(buyer, id, ({ lastSuccess }) => lastSuccess !== null);
    const last = await beginDiscovery(buyer, advertiserId, [near.storefrontId]);
    await hook.received(4);

    const told = hook.deliveries.map(({ payload }) => `${payload.discoveryId} ${payload.revision}`);
    expect(new Set(told).size).toBe(4);
    expect(told.toSorted()).toEqual(
      [
        `${begun.discoveryId} 1`,
        `${begun.discoveryId} 2`,
        `${waiting.discoveryId} 1`,
        `${last.discoveryId} 1`,
      ].toSorted(),
    );
    const marks = hook.deliveries.map(({ headers }) => headers['x-webhook-delivery']);
    expect(new Set(marks).size).toBe(4);
    // The attempt that was broken off had its one chance, and counts as a failure.
    expect(subscription.lastFailure).not.toBeNull();
  });

  test('again and again amid deliveries, each had its one attempt and is accounted for', async () => {
    const sessions = 12;
    const hooks = [await receiver(), await receiver()];
    for (const hook of hooks) await subscribe(buyer, hook.url);
    for (const enough of [2, 5]) {
      for (let round = 0; round < sessions / 2; round += 1) {
        await beginDiscovery(buyer, advertiserId, [near.storefrontId]);
      }
      await Promise.all(hooks.map((hook) => hook.received(enough)));
      await crashAndRestart();
    }

    // A session that a crash cut off is completed, and told of, once the next process has taken it over.
    const rows = await deliveriesWhen(
      (states, count) =>
        count >= sessions * hooks.length && !states.has('pending') && !states.has('attempting'),
    );

    expect(rows).toHaveLength(sessions * hooks.length);
    const marks = hooks.flatMap(({ deliveries }) =>
      deliveries.map(({ headers }) => headers['x-webhook-delivery']),
    );
    expect(new Set(marks).size).toBe(marks.length);
    const taken = rows.filter(({ state }) => state === 'delivered').map(deliveryName);
    expect(taken.filter((id) => !marks.includes(id))).toEqual([]);
    const others = rows.filter(({ state }) => state !== 'delivered');
    expect(others.filter(({ outcome }) => outcome !== 'interrupted')).toEqual([]);
    // No more is lost to a crash than what was in flight: one a subscription.
    expect(others.length).toBeLessThanOrEqual(2 * hooks.length);
  });

  /** The deliveries of this test's buyer once their states are as a test wants them. */
  async function deliveriesWhen(holds: (states: ReadonlySet<string>, count: number) => boolean) {
    return withStore(settings, ({ db }) =>
      lookUntil(
        async () => {
          // Lets the service have its turn: each look is behind one of its answers.
          await buyer.get('/buyer/webhook-subscriptions');
          return db
            .selectFrom('webhook_deliveries')
            .select(['id', 'subscription_id', 'told', 'state', 'outcome'])
            .where('organization_id', '=', member.organizationId)
            .execute();
        },
        (rows) => holds(new Set(rows.map(({ state }) => state)), rows.length),
      ),
    );
  }

  test('while executing, the order is sent again under its key: one buy at the seller, and it runs', async () => {
    far.on('get_products', () => ({ products: [adcpProduct('far-1')] }));
    const wanted = { ...remote, advertiserId, productId: 'far-1', flight: flightAhead() };
    const campaignId = await draftOf(buyer, wanted);
    const bought = new Map<string, object>();
    let crashed = false;
    const dead = gate();
    far.on('create_media_buy', async (args) => {
      const key = String(args['idempotency_key']);
      const buy = bought.get(key) ?? {
        media_buy_id: `far_${bought.size + 1}`,
        status: 'active',
        packages: [],
      };
      bought.set(key, buy);
      if (!crashed) await dead.passed;
      return buy;
    });
    const lost = buyer.post(`/buyer/campaigns/${campaignId}/execute`).catch(() => 'no answer');
    await far.called('create_media_buy');
    crashed = true;

    await crashAndRestart();
    dead.open();
    await far.called('create_media_buy', 2);

    expect(await lost).toBe('no answer');
    const mediaBuyId = await placedBuyOf(campaignId);
    const { mediaBuy } = done(await buyer.get(`/buyer/media-buys/${mediaBuyId}`));
    expect(mediaBuy).toMatchObject({ status: 'ACTIVE', adcpMediaBuyId: 'far_1', adcpStatus: 'active' });
    expect(bought.size).toBe(1);
    const orders = far.calls.filter(({ tool }) => tool === 'create_media_buy');
    expect(orders[1]?.args).toEqual(orders[0]?.args);
    const again = await buyer.post(`/buyer/campaigns/${campaignId}/execute`);
    expect(again.body.data).toMatchObject({ success: true, mediaBuysExecuted: 0 });
  });

  test('while changing a buy, the change is sent again under its key: one change at the seller, and it holds', async () => {
    const wanted = { ...remote, advertiserId, productId: 'far-1', flight: flightAhead() };
    const campaignId = await draftOf(buyer, wanted);
    const shown = { media_buy_id: 'far_1', status: 'active', packages: [] };
    far.on('create_media_buy', () => shown);
    far.on('get_media_buys', () => ({ media_buys: [shown] }));
    done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
    const mediaBuyId = await placedBuyOf(campaignId);
    const carriedOut = new Set<string>();
    const dead = gate();
    let crashed = false;
    far.on('update_media_buy', async (args) => {
      carriedOut.add(String(args['idempotency_key']));
      shown.status = 'paused';
      if (!crashed) await dead.passed;
      return { media_buy_id: 'far_1', status: 'paused' };
    });
    const lost = buyer.post(`/buyer/media-buys/${mediaBuyId}/pause`, {}).catch(() => 'no answer');
    await far.called('update_media_buy');
    crashed = true;

    await crashAndRestart();
    dead.open();
    await far.called('update_media_buy', 2);

    expect(await lost).toBe('no answer');
    const buy = await pausedBuy(mediaBuyId);
    expect(buy.changes).toMatchObject([{ action: 'pause', state: 'confirmed' }]);
    expect(carriedOut.size).toBe(1);
    const sent = far.calls.filter(({ tool }) => tool === 'update_media_buy');
    expect(sent).toHaveLength(2);
    expect(sent[1]?.args).toEqual(sent[0]?.args);
  });

  /** A media buy, once its pause is no longer on its way. */
  function pausedBuy(mediaBuyId: string) {
    return lookUntil(
      async () => done(await buyer.get(`/buyer/media-buys/${mediaBuyId}`)).mediaBuy,
      ({ changes }) => changes[0].state !== 'sending',
    );
  }

  /** The one media buy of a campaign, once its order is no longer on its way. */
  async function placedBuyOf(campaignId: string): Promise<string> {
    const look = async () => {
      const { campaign } = done(await buyer.get(`/buyer/campaigns/${campaignId}`));
      expect(campaign).toMatchObject({ status: 'ACTIVE', mediaBuys: [expect.any(Object)] });
      return campaign.mediaBuys[0];
    };
    return (await lookUntil(look, ({ status }) => status !== 'DRAFT')).mediaBuyId;
  }

  test(
    'every write that was acknowledged is there, whole and with its audit entry, and nothing half-done',
    async () => {
      for (let round = 0; round < faultRoundsOf(1, 40); round += 1) {
        member = await newMember(settings, 'writer');
        buyer = member.at(service.url);
        await crashWhileWriting();
      }
    },
    timeoutOf(30_000),
  );

  /** Eight write as fast as they can while the process dies. */
  async function crashWhileWriting(): Promise<void> {
    const writers = 8;
    const acknowledged: string[] = [];
    const dying = gate();
    const fields = { name: 'Acme', brand: 'acme.example', saveBrand: true, primaryCurrency: 'USD' };
    const writeOne = async () => {
      const reply = await buyer.post('/buyer/advertisers', fields).catch(() => undefined);
      if (reply?.status === 201) acknowledged.push(reply.body.data.id);
      if (acknowledged.length >= 150) dying.open();
      return reply?.status === 201;
    };
    const writeOn = async () => {
      while (await writeOne());
    };
    const writing = Array.from({ length: writers }, writeOn);
    await dying.passed;
    await service.kill();
    await Promise.all(writing);
    service = await startService({ folder: database.folder, settings });
    buyer = member.at(service.url);

    const kept = (await everyOne('/buyer/advertisers', 'items')).map(({ id }) => id);
    const audited = (await everyOne('/buyer/audit-logs', 'logs'))
      .filter(({ resourceType }) => resourceType === 'ADVERTISER')
      .map(({ resourceId }) => resourceId);

    expect(acknowledged.filter((id) => !kept.includes(id))).toEqual([]);
    // What was under way when the end came may be there as well.
    expect(kept.length).toBeLessThanOrEqual(acknowledged.length + writers);
    expect(audited.toSorted()).toEqual(kept.toSorted());
  }

  /** A list, page by page to its end. */
  async function everyOne(path: string, name: string): Promise<Readonly<Record<string, string>>[]> {
    const found: Record<string, string>[] = [];
    for (let more = true; more; ) {
      const page = done(await buyer.get(`${path}?take=100&skip=${found.length}`))[name];
      found.push(...page);
      more = page.length === 100;
    }
    return found;
  }
});
