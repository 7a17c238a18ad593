import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { giveGrant } from '../../tools/domain/organizations/grants.ts';
import { createKey, revokeKey } from '../../tools/domain/organizations/keys.ts';
import { grantedOnly } from '../support/buying/access.ts';
import { clientFor } from '../support/callers/client.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { expectRefusal } from '../support/callers/refusals.ts';
import { discover } from '../support/sellers/discovery.ts';
import { done, newAdvertiser, openStorefront } from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const HOOKS = '/buyer/webhook-subscriptions';
const hook = {
  url: 'https://127.255.255.254:4443/hook',
  secret: 'sixteen characters and more',
  eventTypes: ['discovery.revision'],
};

describe('a key that grants narrow to one advertiser', () => {
  let server: TestServer;
  let wide: Person;
  let narrow: Person;
  let own: string;
  let other: string;
  let storefrontId: string;
  beforeAll(async () => {
    server = await startTestServer();
    wide = await newPerson(server);
    storefrontId = (await openStorefront(wide)).storefrontId;
    own = await newAdvertiser(wide);
    other = await newAdvertiser(wide);
    narrow = await grantedOnly(server, wide, own);
  });
  afterAll(() => server.stop());

  let made = 0;
  const subscribe = async (person: Person): Promise<string> => {
    made += 1;
    return done(await person.post(HOOKS, { ...hook, url: `${hook.url}/${made}` })).subscription.id;
  };
  const listed = async (person: Person): Promise<string[]> =>
    done(await person.get(HOOKS)).subscriptions.map(({ id }: { id: string }) => id);
  /** The advertisers whose events were put on their way to a subscription. */
  const sentTo = async (id: string): Promise<string[]> => {
    const rows = await server.store.db
      .selectFrom('webhook_deliveries')
      .innerJoin('discovery_sessions', 'discovery_sessions.id', 'webhook_deliveries.session_id')
      .select('discovery_sessions.advertiser_id')
      .where('webhook_deliveries.organization_id', '=', wide.organizationId)
      .where('discovery_sessions.organization_id', '=', wide.organizationId)
      .where('subscription_id', '=', id)
      .execute();
    return [...new Set(rows.map(({ advertiser_id }) => String(advertiser_id)))].sort();
  };
  const discoverBoth = async () => {
    for (const advertiserId of [own, other]) await discover(wide, advertiserId, [storefrontId]);
  };

  test('makes no advertiser and changes no storefront, and reads both', async () => {
    const advertiser = { name: 'Another', brand: 'another.example', saveBrand: true, primaryCurrency: 'USD' };

    expectRefusal(await narrow.post('/buyer/advertisers', advertiser), 403, {
      code: 'FORBIDDEN',
      words:
        'This credential is narrowed, by grants or to one account: it changes what is within that, nothing else.',
    });
    expectRefusal(await narrow.put('/storefront', { name: 'Taken over' }), 403, {
      code: 'FORBIDDEN',
      words:
        'This credential is narrowed, by grants or to one account: it changes what is within that, nothing else.',
    });
    expect(done(await narrow.get('/storefront')).name).toBe('Corner Media');
    expect(done(await narrow.get('/buyer/advertisers')).items.map(({ id }: { id: string }) => id)).toEqual([
      own,
    ]);
  });

  test('gets the events of its advertiser alone; a wide key gets all of them', async () => {
    const [ofNarrow, ofWide] = [await subscribe(narrow), await subscribe(wide)];

    await discoverBoth();

    expect(await sentTo(ofNarrow)).toEqual([own]);
    expect(await sentTo(ofWide)).toEqual([own, other].sort());
  });

  test('lists and deletes its own subscriptions, never those of others', async () => {
    const [ofNarrow, ofWide] = [await subscribe(narrow), await subscribe(wide)];

    expect(await listed(narrow)).toContain(ofNarrow);
    expect(await listed(narrow)).not.toContain(ofWide);
    expectRefusal(await narrow.delete(`${HOOKS}/${ofWide}`), 403, {
      code: 'ACCESS_DENIED',
      words: 'This webhook subscription belongs to an account or advertiser beyond your grants.',
    });
    expect(await listed(wide)).toEqual(expect.arrayContaining([ofNarrow, ofWide]));
    expect((await narrow.delete(`${HOOKS}/${ofNarrow}`)).status).toBe(200);
  });

  test('is followed by its subscriptions when it is granted more, and when it was wide before', async () => {
    const growing = await grantedOnly(server, wide, own);
    const shrinking = await wide.withKey(['buyer:admin']);
    const [grown, shrunk] = [await subscribe(growing), await subscribe(shrinking)];
    const { organizationId } = wide;
    await giveGrant(server.operator, {
      organizationId,
      holder: `api_key:${growing.keyId}`,
      advertiserId: Number(other),
    });
    await giveGrant(server.operator, {
      organizationId,
      holder: `api_key:${shrinking.keyId}`,
      advertiserId: Number(own),
    });

    await discoverBoth();

    expect(await sentTo(grown)).toEqual([own, other].sort());
    expect(await sentTo(shrunk)).toEqual([own]);
  });

  test('takes its subscriptions with it when it is revoked; those of a wide key live on', async () => {
    const [dying, leaving] = [await grantedOnly(server, wide, own), await wide.withKey(['buyer:admin'])];
    const [gone, kept] = [await subscribe(dying), await subscribe(leaving)];

    for (const { keyId: id, organizationId } of [dying, leaving])
      await revokeKey(server.operator, { organizationId, id });
    await discoverBoth();

    expect(await listed(wide)).not.toContain(gone);
    expect(await listed(wide)).toContain(kept);
    expect(await sentTo(gone)).toEqual([]);
    expect(await sentTo(kept)).toEqual([own, other].sort());
  });
});

describe('a test key', () => {
  let server: TestServer;
  let live: Person;
  let trial: ReturnType<typeof clientFor>;
  let liveAdvertiser: string;
  beforeAll(async () => {
    server = await startTestServer();
    live = await newPerson(server);
    await openStorefront(live);
    liveAdvertiser = await newAdvertiser(live);
    const { organizationId } = live;
    const key = await createKey(server.operator, {
      organizationId,
      name: 'Trial',
      permissions: ['buyer:admin'],
      environment: 'test',
    });
    trial = clientFor(server.url, key.value);
  });
  afterAll(() => server.stop());

  const fields = { name: 'Trial', brand: 'trial.example', saveBrand: true, primaryCurrency: 'USD' };

  test('makes sandbox advertisers and no others; a live key makes live ones', async () => {
    expect(done(await trial.post('/buyer/advertisers', fields)).sandbox).toBe(true);
    expectRefusal(await trial.post('/buyer/advertisers', { ...fields, sandbox: false }), 403, {
      code: 'FORBIDDEN',
      words: 'This advertiser is live, and a test key works in the sandbox only.',
    });
    expect(done(await live.post('/buyer/advertisers', fields)).sandbox).toBe(false);
  });

  test('changes nothing that is live, and says the way out', async () => {
    const replies = [
      await trial.put(`/buyer/advertisers/${liveAdvertiser}`, { name: 'Changed' }),
      await trial.post('/buyer/discovery/discover-products', { advertiserId: liveAdvertiser, brief: 'All' }),
      await trial.put('/storefront', { name: 'Changed' }),
    ];

    const said =
      /^This (advertiser is live, and a test key works in the sandbox only|is a test key: it works in the sandbox only, and this call reaches beyond it)\.$/;
    for (const reply of replies) {
      expectRefusal(reply, 403, { code: 'FORBIDDEN', words: said });
      expect(reply.body.error.details.suggestion).toContain('live key');
    }
    expect((await trial.get(`/buyer/advertisers/${liveAdvertiser}`)).status).toBe(200);
  });

  test('works for a sandbox advertiser', async () => {
    const advertiserId = done(await trial.post('/buyer/advertisers', fields)).id;

    expect((await trial.put(`/buyer/advertisers/${advertiserId}`, { name: 'Changed' })).status).toBe(200);
    const found = await trial.post('/buyer/discovery/discover-products', { advertiserId, brief: 'All' });
    expect(found.status).toBe(200);
  });

  test('subscribes to the events of sandbox advertisers, and deletes no live subscription', async () => {
    const ofLive = done(await live.post(HOOKS, hook)).subscription.id;
    const ofTrial = done(await trial.post(HOOKS, hook)).subscription.id;

    expectRefusal(await trial.delete(`${HOOKS}/${ofLive}`), 403, {
      code: 'FORBIDDEN',
      words: 'This webhook subscription is live, and a test key works in the sandbox only.',
    });
    expect((await trial.delete(`${HOOKS}/${ofTrial}`)).status).toBe(200);
  });
});
