import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { makeScope } from '../../../store/engine/scope.ts';
import { listEventsAfter, STREAM_BEGIN } from '../../../store/events.ts';
import { accountEvent } from '../../../tools/domain/events/catalogue.ts';
import { placeAll } from '../../../tools/domain/events/tail.ts';
import { type EventReader, readStream } from '../../support/callers/event-reader.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
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

const EVERYTHING = ['campaign.updated', 'media_buy.updated', 'media_buy.delivery', 'approval.needed'];

describe('account_events', () => {
  let server: TestServer;
  let authority: Authority;
  let hook: Receiver;
  let storefrontId: string;
  const readers: EventReader[] = [];
  beforeAll(async () => {
    authority = await newAuthority();
    server = await startTestServer({
      settings: { WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8', OUTBOUND_CA_FILE: authority.file },
    });
    hook = await startReceiver(authority);
    storefrontId = (await openStorefront(await newPerson(server))).storefrontId;
  });
  afterEach(() => {
    for (const reader of readers.splice(0)) reader.close();
  });
  afterAll(async () => {
    await server.stop();
    await hook.stop();
    authority.remove();
  });

  async function follow(person: Person, options: { lastEventId?: string; query?: string } = {}) {
    const { query = '', ...rest } = options;
    const reader = await readStream(server, person, { path: `/buyer/events${query}`, ...rest });
    readers.push(reader);
    return reader;
  }

  /** A campaign that runs, with its one media buy. */
  async function running(buyer: Person, advertiserId: string) {
    const { campaignId } = await draftCampaign(buyer, { advertiserId, storefrontIds: [storefrontId] });
    return { campaignId, mediaBuyId: await executed(buyer, campaignId) };
  }

  test('tells of a campaign and its media buy as they change, webhooks in the very same bytes and order', async () => {
    const buyer = await newPerson(server);
    const advertiserId = await newAdvertiser(buyer);
    const { campaignId, mediaBuyId } = await running(buyer, advertiserId);
    const { id } = await subscribe(buyer, hook.url, { eventTypes: EVERYTHING });
    const before = hook.deliveries.length;
    const events = await follow(buyer);

    done(await buyer.post(`/buyer/campaigns/${campaignId}/pause`, {}));
    const seen = [await events.next(), await events.next()];
    await hook.received(before + 2);
    await subscriptionWhen(buyer, id, ({ lastSuccess }) => lastSuccess !== null);

    const told = seen.map((frame) => accountEvent.parse(frame?.payload));
    expect(told).toMatchObject([
      {
        event: 'campaign.updated',
        advertiserId,
        campaignId,
        schemaVersion: 1,
        changes: { status: { from: 'ACTIVE', to: 'PAUSED' } },
      },
      {
        event: 'media_buy.updated',
        campaignId,
        mediaBuyId,
        changes: { status: { from: 'ACTIVE', to: 'PAUSED' } },
      },
    ]);
    expect(seen.map((frame) => frame?.event)).toEqual(told.map(({ event }) => event));
    expect(hook.deliveries.slice(before).map(({ raw }) => raw)).toEqual(seen.map((frame) => frame?.data));
    expect(new Set(told.map((one) => one.id)).size).toBe(2);
  });

  test('reaches whom any number of grants narrow, more than a statement takes values', async () => {
    const buyer = await newPerson(server);
    const advertiserId = await newAdvertiser(buyer);
    await running(buyer, advertiserId);
    const advertiser = await server.store.db
      .selectFrom('advertisers')
      .select('customer_id')
      .where('organization_id', '=', buyer.organizationId)
      .where('id', '=', Number(advertiserId))
      .executeTakeFirstOrThrow();
    const account = { organizationId: buyer.organizationId, customerId: advertiser.customer_id };
    const others = Array.from({ length: 70_000 }, (_, index) => 1_000_000 + index);
    const services = server.running.app.services;
    await placeAll(services, makeScope(account));

    const scope = makeScope({ ...account, advertiserIds: [...others, Number(advertiserId)] });
    const seen = await listEventsAfter(server.store.db, scope, { after: STREAM_BEGIN, limit: 1 });

    expect(seen.map((event) => String(event.advertiser_id))).toEqual([advertiserId]);
  });

  test('goes on after Last-Event-ID with what was missed, and gives what is kept when it is not to follow', async () => {
    const buyer = await newPerson(server);
    const { campaignId } = await running(buyer, await newAdvertiser(buyer));
    const all = await (await follow(buyer, { query: '?follow=false' })).rest();
    expect(all.length).toBeGreaterThan(1);

    const [first] = all;
    const later = await follow(buyer, { lastEventId: first?.id ?? '' });
    const missed = [];
    for (let index = 1; index < all.length; index += 1) missed.push(await later.next());
    expect(missed).toEqual(all.slice(1));

    done(await buyer.post(`/buyer/campaigns/${campaignId}/pause`, {}));
    expect((await later.next())?.event).toBe('campaign.updated');
    const rest = await follow(buyer, { query: '?follow=false', lastEventId: all.at(-1)?.id ?? '' });
    expect((await rest.rest()).map(({ event }) => event)).toEqual(['campaign.updated', 'media_buy.updated']);
  });

  test('goes on after Last-Event-ID where the address still says after, as a browser comes back', async () => {
    const buyer = await newPerson(server);
    const { campaignId } = await running(buyer, await newAdvertiser(buyer));
    done(await buyer.post(`/buyer/campaigns/${campaignId}/pause`, {}));
    const all = await (await follow(buyer, { query: '?follow=false' })).rest();
    const query = `?follow=false&after=${all.at(0)?.id}`;

    const back = await follow(buyer, { query, lastEventId: all.at(-2)?.id ?? '' });

    expect(all.length).toBeGreaterThan(2);
    expect(await back.rest()).toEqual(all.slice(-1));
  });

  test('tells nothing of what was taken back, and nothing to another account', async () => {
    const buyer = await newPerson(server);
    const other = await newPerson(server);
    const { campaignId } = await running(buyer, await newAdvertiser(buyer));
    const kept = async (person: Person) => (await follow(person, { query: '?follow=false' })).rest();
    const before = await kept(buyer);

    const stale = await buyer.put(`/buyer/campaigns/${campaignId}`, { name: 'Late', revision: 1 });

    expect(stale.status).toBe(409);
    expect(await kept(buyer)).toEqual(before);
    expect((await follow(other, { query: '?follow=false' })).status).toBe(204);
  });

  test('refuses an id that is none of its own with 400', async () => {
    const buyer = await newPerson(server);

    expect((await follow(buyer, { lastEventId: 'no id of an event' })).status).toBe(400);
  });

  test('names events by their own ids, which tell nothing of what happens to others', async () => {
    const [buyer, other] = [await newPerson(server), await newPerson(server)];
    await running(buyer, await newAdvertiser(buyer));
    await running(other, await newAdvertiser(other));
    await running(buyer, await newAdvertiser(buyer));

    const kept = await (await follow(buyer, { query: '?follow=false' })).rest();

    expect(kept.length).toBeGreaterThan(2);
    expect(kept.map(({ id }) => id)).toEqual(kept.map(({ payload }) => payload.id));
    expect(new Set(kept.map(({ id }) => id)).size).toBe(kept.length);
  });

  test.each(['12-345', 'evt_kept.no.longer'])(
    'gives all that is kept to whoever goes on after %s, which is kept no more or was an id of before',
    async (lastEventId) => {
      const buyer = await newPerson(server);
      await running(buyer, await newAdvertiser(buyer));
      const all = await (await follow(buyer, { query: '?follow=false' })).rest();

      expect(await (await follow(buyer, { query: '?follow=false', lastEventId })).rest()).toEqual(all);
      expect(await (await follow(buyer, { lastEventId })).next()).toEqual(all[0]);
    },
  );

  test('gives somebody else’s event no place: what is one’s own is all that follows it', async () => {
    const [buyer, other] = [await newPerson(server), await newPerson(server)];
    await running(other, await newAdvertiser(other));
    await running(buyer, await newAdvertiser(buyer));
    const [foreign] = await (await follow(other, { query: '?follow=false' })).rest();
    const all = await (await follow(buyer, { query: '?follow=false' })).rest();

    const after = await follow(buyer, { query: '?follow=false', lastEventId: foreign?.id ?? '' });

    expect(await after.rest()).toEqual(all);
  });

  test('gives an event no place before it is stored, so that none that is stored late is passed over', async () => {
    const buyer = await newPerson(server);
    await running(buyer, await newAdvertiser(buyer));
    const kept = await (await follow(buyer, { query: '?follow=false' })).rest();
    const { db } = server.store;
    const { customer_id } = await db
      .selectFrom('account_events')
      .select('customer_id')
      .where('organization_id', '=', buyer.organizationId)
      .executeTakeFirstOrThrow();
    const scope = makeScope({ organizationId: buyer.organizationId, customerId: customer_id });

    // Drawn before the others were read, and stored afterwards: its sequence is the lowest.
    await db
      .insertInto('account_events')
      .values({
        sequence: -1,
        id: 'evt_late',
        organization_id: scope.organizationId,
        customer_id,
        advertiser_id: 1,
        event_type: 'campaign.updated',
        payload: '{"id":"evt_late"}',
        place: null,
        created_at: '2026-12-01T09:00:00.000Z',
      })
      .execute()
      .catch(() => undefined);
    const after = await follow(buyer, { query: '?follow=false', lastEventId: kept.at(-1)?.id ?? '' });

    expect(after.status).toBe(200);
    expect((await after.rest()).map(({ payload }) => payload.id)).toEqual(['evt_late']);
  });
});
