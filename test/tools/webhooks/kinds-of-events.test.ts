import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createKey } from '../../../tools/domain/organizations/keys.ts';
import { grantedOnly } from '../../support/buying/access.ts';
import { limitSpend } from '../../support/buying/spend-limits.ts';
import { type Client, clientFor } from '../../support/callers/client.ts';
import { type EventReader, readStream } from '../../support/callers/event-reader.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { type SkippingClock, skippingClock } from '../../support/run/skipping-clock.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import {
  done,
  draftCampaign,
  executed,
  newAdvertiser,
  openStorefront,
} from '../../support/sellers/market.ts';
import { subscribe, subscriptionWhen } from '../../support/sellers/webhooks.ts';
import { type Authority, newAuthority, type Receiver, startReceiver } from '../../support/server/receiver.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const HOUR_MS = 3_600_000;
const TOLD = ['campaign.updated', 'media_buy.updated', 'media_buy.delivery', 'approval.needed'];

describe('events of campaigns and media buys', () => {
  let server: TestServer;
  let clock: SkippingClock;
  let authority: Authority;
  let hook: Receiver;
  let far: FarSeller;
  let nearId: string;
  const readers: EventReader[] = [];
  beforeAll(async () => {
    authority = await newAuthority();
    clock = skippingClock();
    server = await startTestServer({
      clock,
      settings: {
        WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
        SELLER_ALLOWED_CIDRS: '127.0.0.0/8',
        OUTBOUND_CA_FILE: authority.file,
      },
    });
    hook = await startReceiver(authority);
    far = await farSeller(server, 'Far');
    nearId = (await openStorefront(await newPerson(server))).storefrontId;
  });
  afterEach(() => {
    for (const reader of readers.splice(0)) reader.close();
  });
  afterAll(async () => {
    await server.stop();
    await hook.stop();
    await far.agent.stop();
    authority.remove();
  });

  /** What is kept for whoever asks. */
  async function kept(person: Person) {
    const reader = await readStream(server, person, { path: '/buyer/events?follow=false' });
    readers.push(reader);
    if (reader.status === 204) return [];
    return (await reader.rest()).map(({ payload }) => payload);
  }
  const ofKind = async (person: Person, kind: string) =>
    (await kept(person)).filter(({ event }) => event === kind);
  const bought = async (buyer: Person, draft: { advertiserId: string; storefrontIds: string[] }) => {
    const { campaignId } = await draftCampaign(buyer, draft);
    return { campaignId, mediaBuyId: await executed(buyer, campaignId) };
  };
  const atFar = async (buyer: Person) =>
    bought(buyer, { advertiserId: await newAdvertiser(buyer), storefrontIds: [far.storefrontId] });

  test('media_buy.delivery tells the figures that became others, and nothing where they stay', async () => {
    const buyer = await newPerson(server);
    far.agent.on('create_media_buy', () => ({ media_buy_id: 'far_1', status: 'active', packages: [] }));
    far.agent.on('get_media_buys', () => ({ media_buys: [{ media_buy_id: 'far_1', status: 'active' }] }));
    const { campaignId, mediaBuyId } = await atFar(buyer);
    const report = async (impressions: number, spend: number) => {
      const totals = { impressions, spend, clicks: 4 };
      far.agent.on('get_media_buy_delivery', () => ({
        media_buy_deliveries: [{ media_buy_id: 'far_1', totals }],
      }));
      done(await buyer.get(`/buyer/campaigns/${campaignId}/delivery`));
    };

    await report(2_000, 10.5);
    await report(2_000, 10.5);
    await report(3_000, 11);

    expect(await ofKind(buyer, 'media_buy.delivery')).toMatchObject([
      {
        campaignId,
        mediaBuyId,
        changes: {
          impressions: { from: 0, to: 2_000 },
          clicks: { from: 0, to: 4 },
          spend: { from: 0, to: 10.5 },
        },
      },
      { changes: { impressions: { from: 2_000, to: 3_000 }, spend: { from: 10.5, to: 11 } } },
    ]);
  });

  test('approval.needed tells that a seller has to look a buy over, once', async () => {
    const buyer = await newPerson(server);
    far.agent.on('create_media_buy', () => ({ status: 'submitted', task_id: 'task_1' }));
    const { campaignId, mediaBuyId } = await atFar(buyer);

    const [told, another] = await ofKind(buyer, 'approval.needed');

    expect(told).toMatchObject({ campaignId, mediaBuyId, waitsFor: 'seller' });
    expect(told.changes.status.to).toBe('PENDING_APPROVAL');
    expect(another).toBeUndefined();
  });

  test('approval.needed tells that a seller waits for creatives, with the order and later, and once', async () => {
    const buyer = await newPerson(server);
    const says = (status: string) => {
      const told = { media_buy_id: 'far_2', status, packages: [] };
      far.agent.on('create_media_buy', () => told);
      far.agent.on('get_media_buys', () => ({ media_buys: [told] }));
    };
    says('pending_creatives');
    const { campaignId, mediaBuyId } = await atFar(buyer);
    const looks = async (status: string) => {
      says(status);
      done(await buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`));
    };
    await looks('pending_creatives');
    const isFor = { campaignId, mediaBuyId, waitsFor: 'buyer' };
    const ordered = {
      status: { from: 'DRAFT', to: 'ACTIVE' },
      pendingReason: { from: null, to: 'no_creatives_attached' },
    };
    expect(await ofKind(buyer, 'approval.needed')).toMatchObject([{ ...isFor, changes: ordered }]);

    await looks('active');
    await looks('pending_creatives');

    const [, again, another] = await ofKind(buyer, 'approval.needed');
    const { pendingReason } = ordered;
    expect(again).toMatchObject({ ...isFor, changes: { pendingReason } });
    expect(another).toBeUndefined();
  });

  test('approval.needed tells that a seller holds all that is left of a buy, however it is heard, and once', async () => {
    const buyer = await newPerson(server);
    const own = await farSeller(server, 'Own');
    let held = ['one', 'two'];
    const shown = () => ({
      ...{ media_buy_id: 'own_1', status: 'active' },
      packages: ['one', 'two'].map((id) => ({
        ...{ package_id: id, product_id: 'own-1', budget: 50 },
        ...(held.includes(id) ? { paused: true } : {}),
      })),
    });
    own.agent.on('create_media_buy', shown);
    own.agent.on('update_media_buy', shown);
    own.agent.on('get_media_buys', () => ({ media_buys: [shown()] }));
    const advertiserId = await newAdvertiser(buyer);
    const { campaignId, mediaBuyId } = await bought(buyer, {
      advertiserId,
      storefrontIds: [own.storefrontId],
    });
    const holds = async (...ids: string[]) => {
      held = ids;
      done(await buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`));
    };
    const isFor = { campaignId, mediaBuyId, waitsFor: 'buyer' };
    const byOrder = { ...isFor, changes: { status: { from: 'DRAFT', to: 'ACTIVE' } } };
    const byNews = { ...isFor, changes: { 'packages.two.paused': { to: 'true' } } };
    expect(await ofKind(buyer, 'approval.needed')).toMatchObject([byOrder]);

    await holds();
    await holds('one');
    await holds('one', 'two');
    await holds('one', 'two');
    expect(await ofKind(buyer, 'approval.needed')).toMatchObject([byOrder, byNews]);

    await holds();
    held = ['one', 'two'];
    const packages = [{ packageId: 'one', pacing: 'asap' }];
    done(await buyer.patch(`/buyer/media-buys/${mediaBuyId}`, { packages }));
    expect(await ofKind(buyer, 'approval.needed')).toMatchObject([byOrder, byNews, byNews]);
    await own.agent.stop();
  });

  test('approval.needed tells that another person has to allow a spend, once, and webhooks hear it', async () => {
    const buyer = await newPerson(server);
    const advertiserId = await newAdvertiser(buyer);
    const { id } = await subscribe(buyer, hook.url, { eventTypes: ['approval.needed'] });
    const before = hook.deliveries.length;
    await limitSpend(server, buyer, 50);
    const { campaignId } = await draftCampaign(buyer, { advertiserId, storefrontIds: [nearId] });
    const execute = async () => done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`)).approval;
    const { approvalId } = await execute();
    await execute();

    await subscriptionWhen(buyer, id, ({ lastSuccess }) => lastSuccess !== null);
    const told = await ofKind(buyer, 'approval.needed');
    expect(told).toMatchObject([
      {
        advertiserId,
        campaignId,
        approvalId,
        waitsFor: 'person',
        changes: { approval: { from: null, to: 'pending' }, amount: { from: null, to: 100 } },
      },
    ]);
    expect(hook.deliveries.slice(before).map(({ payload }) => payload)).toEqual(told);
  });

  describe('reach', () => {
    /** How many events of an advertiser a subscription was sent, once all that are due were. */
    const sentTo = async (by: Client, work: () => Promise<unknown>) => {
      const before = hook.deliveries.length;
      const { id } = await subscribe(by, hook.url, { eventTypes: TOLD });
      await work();
      const all = async () => done(await by.get(`/buyer/webhook-subscriptions/${id}/deliveries`)).items;
      for (;;) {
        const states = (await all()).map(({ state }: { state: string }) => state);
        if (!states.some((state: string) => state === 'pending' || state === 'attempting')) break;
      }
      return hook.deliveries.slice(before).map(({ payload }) => payload['advertiserId']);
    };

    test('a narrowed credential hears of its advertisers alone, in the stream and over webhooks', async () => {
      const buyer = await newPerson(server);
      const [one, other] = [await newAdvertiser(buyer), await newAdvertiser(buyer)];
      const narrowed = await grantedOnly(server, buyer, one);
      const buy = async (advertiserId: string) => bought(buyer, { advertiserId, storefrontIds: [nearId] });

      const sent = await sentTo(narrowed, async () => {
        await buy(one);
        await buy(other);
      });

      const heard = (await kept(narrowed)).map(({ advertiserId }) => advertiserId);
      expect(new Set(heard)).toEqual(new Set([one]));
      expect(new Set(sent)).toEqual(new Set([one]));
      expect(new Set((await kept(buyer)).map(({ advertiserId }) => advertiserId))).toEqual(
        new Set([one, other]),
      );
    });

    test('a test key hears over webhooks of sandbox advertisers alone', async () => {
      const buyer = await newPerson(server);
      const trial = await createKey(server.operator, {
        organizationId: buyer.organizationId,
        name: 'Trial',
        permissions: ['buyer:write'],
        environment: 'test',
      });
      const [live, sandbox] = [await newAdvertiser(buyer), await newAdvertiser(buyer, { sandbox: true })];

      const sent = await sentTo(clientFor(server.url, trial.value), async () => {
        for (const advertiserId of [live, sandbox])
          await bought(buyer, { advertiserId, storefrontIds: [nearId] });
      });

      expect(new Set(sent)).toEqual(new Set([sandbox]));
    });

    test('an expired credential opens no stream', async () => {
      const buyer = await newPerson(server);
      await bought(buyer, { advertiserId: await newAdvertiser(buyer), storefrontIds: [nearId] });
      const short = await createKey(server.operator, {
        organizationId: buyer.organizationId,
        name: 'Short',
        permissions: ['buyer:read'],
        expiresAt: new Date(clock.now() + HOUR_MS).toISOString(),
      });
      const reader = clientFor(server.url, short.value);
      expect((await reader.get('/buyer/events?follow=false')).status).toBe(200);

      clock.skip(HOUR_MS);

      expect((await reader.get('/buyer/events?follow=false')).status).toBe(401);
    });
  });
});
