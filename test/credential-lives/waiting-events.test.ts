import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { giveGrant, takeGrant } from '../../tools/domain/organizations/grants.ts';
import { createKey } from '../../tools/domain/organizations/keys.ts';
import { suspendPerson } from '../../tools/domain/organizations/operator-decisions.ts';
import { clientFor } from '../support/callers/client.ts';
import { newServiceToken } from '../support/callers/service-tokens.ts';
import { gate } from '../support/run/gate.ts';
import { discover } from '../support/sellers/discovery.ts';
import { productAt } from '../support/sellers/far-seller.ts';
import { done, newAdvertiser } from '../support/sellers/market.ts';
import { SECRET } from '../support/sellers/webhooks.ts';
import { newPlace, type Place } from './kinds.ts';
import { deliveriesOf, newWorld, type World } from './world.ts';

/** Longer than the test takes, however busy the machine is. */
const SHORT_MS = 60_000;

describe('an event that waits for the one before it', () => {
  let world: World;
  let place: Place;
  beforeAll(async () => {
    world = await newWorld();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    place = await newPlace(world);
    world.ada.agent.on('get_products', () => ({ products: [productAt('ada.example', 'ada-1')] }));
  });

  const grant = (holder: string, advertiserId: string) =>
    giveGrant(world.one.operator, {
      organizationId: place.owner.organizationId,
      holder,
      advertiserId: Number(advertiserId),
    });
  const subscribed = async (shown: string): Promise<string> => {
    const client = clientFor(world.one.url, shown);
    const fields = {
      url: `${world.receiver.url}?of=${place.advertiserId}`,
      secret: SECRET,
      eventTypes: ['discovery.revision'],
    };
    return done(await client.post('/buyer/webhook-subscriptions', fields)).subscription.id;
  };

  /** One event under way, one that waits for it, and what lets the first one arrive. */
  const twoEvents = async () => {
    const { receiver, ada } = world;
    const held = gate();
    receiver.answers((res) => void held.passed.then(() => res.writeHead(204).end()));
    const arrived = receiver.received(receiver.deliveries.length + 1);
    const { owner, advertiserId } = place;
    const first = await discover(owner, advertiserId, [ada.storefrontId]);
    await arrived;
    const second = await discover(owner, advertiserId, [ada.storefrontId]);
    return {
      first: first.discoveryId,
      second: second.discoveryId,
      arrive: () => {
        receiver.answers((res) => res.writeHead(204).end());
        held.open();
      },
    };
  };

  test('is not sent when the narrowed key behind the subscription expires meanwhile', async () => {
    const { one, clock } = world;
    const key = await createKey(one.operator, {
      organizationId: place.owner.organizationId,
      name: 'Short',
      permissions: ['buyer:write'],
      expiresAt: new Date(clock.now() + SHORT_MS).toISOString(),
    });
    await grant(`api_key:${key.id}`, place.advertiserId);
    const subscriptionId = await subscribed(key.value);
    const { second, arrive } = await twoEvents();

    clock.skip(SHORT_MS);
    arrive();

    expect(await deliveriesOf(world, { discoveryId: second, subscriptionId })).toEqual([
      'skipped: beyond_grants',
    ]);
  });

  test('is not sent when the narrowed person behind a token’s subscription is suspended meanwhile', async () => {
    const { maker, bearer } = await newServiceToken(world.one, place.owner, { role: 'READ_WRITE' });
    await grant(`user:${maker.userId}`, place.advertiserId);
    const subscriptionId = await subscribed(bearer);
    const { second, arrive } = await twoEvents();

    await suspendPerson(world.one.operator, { email: maker.email, isSuspended: true });
    arrive();

    expect(await deliveriesOf(world, { discoveryId: second, subscriptionId })).toEqual([
      'skipped: beyond_grants',
    ]);
  });

  test('is skipped at once when the person behind a token’s subscription is narrowed to another advertiser', async () => {
    const { maker, bearer } = await newServiceToken(world.one, place.owner, { role: 'READ_WRITE' });
    const elsewhere = await newAdvertiser(place.owner, { name: 'Other', brand: 'other.example' });
    const subscriptionId = await subscribed(bearer);
    const { first, second, arrive } = await twoEvents();

    await grant(`user:${maker.userId}`, elsewhere);

    expect(await deliveriesOf(world, { discoveryId: second, subscriptionId })).toEqual([
      'skipped: beyond_grants',
    ]);
    arrive();
    expect(await deliveriesOf(world, { discoveryId: first, subscriptionId })).toEqual(['delivered']);
  });

  test('is skipped at once when the grant of its advertiser is taken from the key behind the subscription', async () => {
    const { organizationId } = place.owner;
    const { id, value } = await createKey(world.one.operator, {
      organizationId,
      name: 'Narrowed',
      permissions: ['buyer:write'],
    });
    const holder = `api_key:${id}`;
    await grant(holder, place.advertiserId);
    await grant(holder, await newAdvertiser(place.owner, { name: 'Kept', brand: 'kept.example' }));
    const subscriptionId = await subscribed(value);
    const { first, second, arrive } = await twoEvents();

    const taken = { organizationId, holder, advertiserId: Number(place.advertiserId) };
    await takeGrant(world.one.operator, taken, { mayBeLast: false });

    expect(await deliveriesOf(world, { discoveryId: second, subscriptionId })).toEqual([
      'skipped: beyond_grants',
    ]);
    arrive();
    expect(await deliveriesOf(world, { discoveryId: first, subscriptionId })).toEqual(['delivered']);
  });

  test('is dropped with the subscription of a token when the narrowed person it acts for is removed', async () => {
    const { maker, bearer } = await newServiceToken(world.one, place.owner, { role: 'READ_WRITE' });
    await grant(`user:${maker.userId}`, place.advertiserId);
    const subscriptionId = await subscribed(bearer);
    const { second, arrive } = await twoEvents();

    done(await place.admin.delete(`/members/${maker.userId}`));

    const { subscriptions } = done(await place.owner.get('/buyer/webhook-subscriptions'));
    expect(subscriptions).toEqual([]);
    expect(await deliveriesOf(world, { discoveryId: second, subscriptionId })).toEqual([
      'skipped: subscription_deleted',
    ]);
    arrive();
  });
});
