import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { discoveryRevision } from '../../../tools/domain/discovery/events.ts';
import { type EventReader, readEvents } from '../../support/callers/event-reader.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { type SkippingClock, skippingClock } from '../../support/run/skipping-clock.ts';
import { answersLater, type FarSeller, farSeller, productAt } from '../../support/sellers/far-seller.ts';
import { done, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('discovery_events', () => {
  let server: TestServer;
  let clock: SkippingClock;
  let ada: FarSeller;
  let bea: FarSeller;
  let buyer: Person;
  let advertiserId: string;
  beforeAll(async () => {
    clock = skippingClock();
    server = await startTestServer({ clock, settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    ada = await farSeller(server, 'Ada');
    bea = await farSeller(server, 'Bea');
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterEach(() => {
    for (const { agent } of [ada, bea]) agent.on('get_products', () => ({ products: [] }));
  });
  afterAll(async () => {
    await server.stop();
    await Promise.all([ada, bea].map(({ agent }) => agent.stop()));
  });

  const follow = (discoveryId: string, options: { since?: number; lastEventId?: string } = {}) =>
    readEvents(server, buyer, { discoveryId, ...options });
  const begin = async (): Promise<string> => {
    const storefrontIds = [ada.storefrontId, bea.storefrontId];
    const fields = { advertiserId, storefrontIds, waitSeconds: 0 };
    return done(await buyer.post('/buyer/discovery/discover-products', fields)).discoveryId;
  };
  /** A session with one landing after the other; both are over. */
  const twoLandings = async () => {
    const first = answersLater(ada, { products: [productAt('ada.example', 'ada-1')] });
    const second = answersLater(bea, { products: [productAt('bea.example', 'bea-1')] });
    const discoveryId = await begin();
    const events = await follow(discoveryId);
    first.open();
    const one = await events.next();
    second.open();
    return { discoveryId, seen: [one, ...(await events.rest())] };
  };
  const idsOf = async (reader: EventReader) => (await reader.rest()).map(({ event, id }) => `${event} ${id}`);

  describe('200', () => {
    test('sends each revision as it is stored, the last one as complete, and ends', async () => {
      const { discoveryId, seen } = await twoLandings();

      expect(seen.map((event) => [event?.event, event?.id])).toEqual([
        ['revision', '1'],
        ['complete', '2'],
      ]);
      const [one, two] = seen.map((event) => discoveryRevision.parse(event?.payload));
      expect(one).toMatchObject({ event: 'discovery.revision', discoveryId, revision: 1 });
      expect(one?.resultsComplete).toBe(false);
      expect(one?.pendingAgents).toEqual([{ agentId: bea.agentId, agentName: 'Agent' }]);
      expect(two).toMatchObject({
        revision: 2,
        resultsComplete: true,
        pendingAgents: [],
        incompleteAgents: [],
      });
    });

    test('sends with a revision only the groups that landed with it', async () => {
      const { seen } = await twoLandings();

      const groups = seen.map((event) =>
        event?.payload.productGroups.map(({ groupId }: { groupId: string }) => groupId),
      );
      expect(groups).toEqual([[`${ada.agentId}:ada.example`], [`${bea.agentId}:bea.example`]]);
    });

    test('sends exactly the fields of the event catalogue', async () => {
      const { seen } = await twoLandings();

      for (const event of seen) {
        expect(Object.keys(event?.payload)).toEqual([
          'event',
          'discoveryId',
          'revision',
          'resultsComplete',
          'productGroups',
          'pendingAgents',
          'incompleteAgents',
          'timestamp',
        ]);
        expect(event?.payload.timestamp).toMatch(/^2026-12-01T.*\.\d{3}Z$/);
        expect(Object.keys(event?.payload.productGroups[0])).toEqual(['groupId', 'groupName', 'products']);
      }
    });

    test('sends the bytes that are stored', async () => {
      const { discoveryId, seen } = await twoLandings();

      const rows = await server.store.db
        .selectFrom('discovery_revisions')
        .select('payload')
        .where('organization_id', '=', buyer.organizationId)
        .where('session_id', '=', discoveryId)
        .orderBy('revision')
        .execute();
      expect(seen.map((event) => event?.data)).toEqual(rows.map(({ payload }) => payload));
    });

    test('is an event stream that nothing on the way may keep or cache', async () => {
      const { discoveryId } = await twoLandings();

      const { status, headers } = await follow(discoveryId);

      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
      expect(headers.get('cache-control')).toMatch(/no-store|no-cache/);
      expect(headers.get('x-accel-buffering')).toBe('no');
    });

    test('replays everything to a reader that comes after the end, and ends', async () => {
      const { discoveryId, seen } = await twoLandings();

      expect(await (await follow(discoveryId)).rest()).toEqual(seen);
    });

    test('begins after sinceRevision, and after Last-Event-ID in the same way', async () => {
      const { discoveryId } = await twoLandings();

      expect(await idsOf(await follow(discoveryId, { since: 1 }))).toEqual(['complete 2']);
      expect(await idsOf(await follow(discoveryId, { lastEventId: '1' }))).toEqual(['complete 2']);
    });

    test('goes on after Last-Event-ID where the address still says sinceRevision, as a browser comes back', async () => {
      const { discoveryId } = await twoLandings();

      expect(await idsOf(await follow(discoveryId, { lastEventId: '1', since: 0 }))).toEqual(['complete 2']);
      expect((await follow(discoveryId, { lastEventId: '2', since: 0 })).status).toBe(204);
    });

    test('replays what a reader missed and then follows, without a gap and without a repeat', async () => {
      const first = answersLater(ada, { products: [productAt('ada.example', 'ada-1')] });
      const second = answersLater(bea, { products: [] });
      const discoveryId = await begin();
      const early = await follow(discoveryId);
      first.open();
      const one = await early.next();
      early.close();

      const back = await follow(discoveryId, { lastEventId: one?.id ?? '' });
      const late = await follow(discoveryId);
      expect(await late.next()).toEqual(one);
      second.open();

      expect(await idsOf(back)).toEqual(['complete 2']);
      expect(await idsOf(late)).toEqual(['complete 2']);
    });

    test('says every 15 s that it is still there', async () => {
      const held = answersLater(ada, { products: [] });
      const discoveryId = await begin();
      const abort = new AbortController();
      const response = await fetch(`${server.url}/api/v2/buyer/discovery/${discoveryId}/events`, {
        headers: { authorization: `Bearer ${buyer.key}` },
        signal: abort.signal,
      });
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      expect((await reader?.read())?.value).toMatch(/^event: revision\nid: 1\n/);

      clock.skip(15_000);

      expect((await reader?.read())?.value).toBe(': still here\n\n');
      abort.abort();
      held.open();
    });

    test('answers HEAD with the headers of the stream and no event', async () => {
      const { discoveryId } = await twoLandings();

      const head = await buyer.send(`/buyer/discovery/${discoveryId}/events`, { method: 'HEAD' });

      expect(head.status).toBe(200);
      expect(head.headers.get('content-type')).toContain('text/event-stream');
      expect(head.text).toBe('');
    });
  });

  describe('204', () => {
    test('without a body for a reader that has the final revision, so that it does not come back', async () => {
      const { discoveryId } = await twoLandings();

      const readers = [{ lastEventId: '2' }, { since: 2 }, { lastEventId: '3' }];
      for (const reader of readers) {
        const events = await follow(discoveryId, reader);
        expect(events.status).toBe(204);
        expect(events.headers.get('content-type')).toBeNull();
        expect(events.headers.get('cache-control')).toBe('no-store');
        expect(events.headers.get('x-request-id')).not.toBeNull();
        expect(await events.rest()).toEqual([]);
      }
    });

    test('not while a seller is still asked: what a reader has may not be the last', async () => {
      const first = answersLater(ada, { products: [] });
      const second = answersLater(bea, { products: [] });
      const discoveryId = await begin();
      const early = await follow(discoveryId);
      first.open();
      const one = await early.next();

      const back = await follow(discoveryId, { lastEventId: one?.id ?? '' });
      second.open();

      expect(back.status).toBe(200);
      expect(await idsOf(back)).toEqual(['complete 2']);
    });
  });

  describe('400', () => {
    test.each([
      ['?sinceRevision=-1', { sinceRevision: '0 at the least.' }],
      ['?sinceRevision=1.5', { sinceRevision: 'Give a whole number.' }],
      ['?sinceRevision=last', { sinceRevision: 'Give a number.' }],
      ['?since=1', { since: 'Unknown field. Known here: discoveryId, sinceRevision.' }],
    ])('VALIDATION_ERROR for %s, as an envelope and not as a stream', async (query, at) => {
      const { discoveryId } = await twoLandings();

      const reply = await buyer.get(`/buyer/discovery/${discoveryId}/events${query}`);

      expectRefusal(reply, 400, { code: 'VALIDATION_ERROR', at });
      expect(reply.headers.get('content-type')).toContain('application/json');
    });
  });

  describe('429', () => {
    test('RATE_LIMITED for a sixth reader of one session, and a seat is free again once one leaves', async () => {
      const held = answersLater(ada, { products: [] });
      const discoveryId = await begin();
      const readers = await Promise.all(Array.from({ length: 5 }, () => follow(discoveryId)));

      const reply = await buyer.get(`/buyer/discovery/${discoveryId}/events`);
      expectRefusal(reply, 429, {
        code: 'RATE_LIMITED',
        words: '5 readers follow this stream already, as many as it takes.',
      });
      expect(reply.headers.get('retry-after')).toBe('15');

      held.open();
      await Promise.all(readers.map((reader) => reader.rest()));
      expect(await idsOf(await follow(discoveryId))).not.toEqual([]);
    });
  });
});
