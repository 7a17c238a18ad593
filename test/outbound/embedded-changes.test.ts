import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { toJson } from '../../store/engine/codec.ts';
import { makeTenant } from '../../store/engine/scope.ts';
import { findSeller } from '../../store/unscoped/market.ts';
import type { BuyUpdate } from '../../tools/domain/sellers/buy-update.ts';
import { embeddedSellers } from '../../tools/domain/sellers/embedded/seller.ts';
import type { Seller, Sellers } from '../../tools/domain/sellers/port.ts';
import { asSeller } from '../../tools/domain/sellers/seller.ts';
import { newPerson } from '../support/callers/people.ts';
import { type SkippingClock, standingClock } from '../support/run/skipping-clock.ts';
import { openStorefront } from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const party = { brand: 'acme.example', operator: 'acme.example', sandbox: true };
const HOUR_OF_FLIGHT_MS = 1_000;

describe('a change at the embedded seller', () => {
  const signal = new AbortController().signal;
  let server: TestServer;
  let clock: SkippingClock;
  let sellers: Sellers;
  let seller: Seller;
  let productId: string;
  let mediaBuyId: string;
  let packageId: string;
  let orders = 0;
  beforeAll(async () => {
    clock = standingClock();
    server = await startTestServer({ clock });
    const person = await newPerson(server);
    const storefront = await openStorefront(person);
    [productId = ''] = storefront.productIds;
    const { ports } = server.running.app.services;
    sellers = embeddedSellers({ store: server.store, clock, ids: ports.ids, digest: ports.digest });
    const row = await findSeller(server.store.db, makeTenant(person.organizationId), storefront.agentId);
    if (row === undefined) throw new Error('There is no seller.');
    seller = asSeller(row);
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    const start = clock.now();
    orders += 1;
    const query = await sellers.getProducts(seller, { party, timeBudgetSeconds: 1 }, signal);
    const [product] = query as readonly { pricing_options: { pricing_option_id: string }[] }[];
    const answer = await sellers.createMediaBuy(
      seller,
      {
        party,
        idempotencyKey: `order-for-changes-${orders}`,
        startTime: new Date(start).toISOString(),
        endTime: new Date(start + 100 * 3_600_000).toISOString(),
        currency: 'USD',
        packages: [
          {
            product_id: productId,
            pricing_option_id: product?.pricing_options[0]?.pricing_option_id ?? '',
            budget: 100,
          },
        ],
      },
      signal,
    );
    if (answer.kind !== 'accepted') throw new Error(`Not accepted: ${toJson(answer)}`);
    mediaBuyId = answer.mediaBuyId;
    packageId = answer.packages[0]?.package_id ?? '';
  });

  let changes = 0;
  const change = (wanted: Partial<BuyUpdate>) => {
    changes += 1;
    const update = { party, idempotencyKey: `change-of-the-buy-${changes}`, ...wanted };
    return sellers.updateMediaBuy(seller, { mediaBuyId, update }, signal);
  };
  const report = async () => {
    const read = await sellers.getMediaBuy(seller, { party, mediaBuyId, taskId: null }, signal);
    if (read.kind !== 'buy') throw new Error('No buy.');
    const { delivery, ...buy } = read;
    if (delivery === undefined || 'unread' in delivery) throw new Error('No figures.');
    return { ...buy, delivery };
  };
  const revision = async () =>
    (
      await server.store.db
        .selectFrom('embedded_buys')
        .select('revision')
        .where('organization_id', '=', seller.source.organizationId)
        .where('id', '=', mediaBuyId)
        .executeTakeFirstOrThrow()
    ).revision;

  test('that pauses it spends nothing until it goes on, and then the rest over the rest of the flight', async () => {
    clock.skip(50 * HOUR_OF_FLIGHT_MS);
    expect(await change({ paused: true })).toMatchObject({ kind: 'accepted', status: 'paused' });
    clock.skip(25 * HOUR_OF_FLIGHT_MS);
    const held = await report();
    expect(held).toMatchObject({
      status: 'paused',
      validActions: expect.arrayContaining(['resume', 'cancel']),
    });
    expect(held.delivery.spend).toBeCloseTo(50, 0);

    expect(await change({ paused: false })).toMatchObject({ status: 'active' });
    clock.skip(13 * HOUR_OF_FLIGHT_MS);
    expect((await report()).delivery.spend).toBeCloseTo(76, 0);
    clock.skip(13 * HOUR_OF_FLIGHT_MS);
    expect(await report()).toMatchObject({
      status: 'completed',
      delivery: { spend: 100, impressions: 10_000 },
    });
  });

  test('that raises its budget keeps what was spent, and spends the new rest; each makes another revision', async () => {
    clock.skip(50 * HOUR_OF_FLIGHT_MS);
    expect(await revision()).toBe(1);
    expect(await change({ packages: [{ package_id: packageId, budget: 200 }] })).toMatchObject({
      kind: 'accepted',
      packages: [{ package_id: packageId, budget: 200 }],
    });
    expect(await revision()).toBe(2);
    clock.skip(25 * HOUR_OF_FLIGHT_MS);
    expect((await report()).delivery.spend).toBeCloseTo(125, 0);
    clock.skip(30 * HOUR_OF_FLIGHT_MS);
    expect((await report()).delivery.spend).toBe(200);
  });

  test.each([
    { pacing: 'even', afterTen: 10, afterHalf: 50 },
    { pacing: 'front_loaded', afterTen: 19, afterHalf: 75 },
    { pacing: 'asap', afterTen: 100, afterHalf: 100 },
  ] as const)('that paces a package $pacing is kept, shown and delivered by', async (one) => {
    const { pacing, afterTen, afterHalf } = one;
    const packages = [{ package_id: packageId, pacing }];

    expect(await change({ packages })).toMatchObject({ kind: 'accepted', packages });

    clock.skip(10 * HOUR_OF_FLIGHT_MS);
    expect(await report()).toMatchObject({ packages });
    expect((await report()).delivery.spend).toBeCloseTo(afterTen, 0);
    clock.skip(40 * HOUR_OF_FLIGHT_MS);
    expect((await report()).delivery.spend).toBeCloseTo(afterHalf, 0);
    clock.skip(50 * HOUR_OF_FLIGHT_MS);
    expect((await report()).delivery.spend).toBe(100);
  });

  test('is refused below what was spent, for a package it has not, and once the buy is over', async () => {
    clock.skip(50 * HOUR_OF_FLIGHT_MS);
    expect(await change({ packages: [{ package_id: packageId, budget: 10 }] })).toMatchObject({
      kind: 'refused',
      code: 'BUDGET_TOO_LOW',
    });
    expect(await change({ packages: [{ package_id: 'pkg_none', budget: 10 }] })).toMatchObject({
      code: 'PACKAGE_NOT_FOUND',
    });
    expect(await change({ canceled: true, cancellationReason: 'Enough.' })).toMatchObject({
      status: 'canceled',
    });
    expect(await change({ canceled: true })).toMatchObject({ code: 'NOT_CANCELLABLE' });
    expect(await change({ paused: true })).toMatchObject({ code: 'INVALID_STATE' });
    clock.skip(100 * HOUR_OF_FLIGHT_MS);
    const after = await report();
    expect(after).toMatchObject({ status: 'canceled', message: 'Enough.', validActions: [] });
    expect(after.delivery.spend).toBeCloseTo(50, 0);
  });

  test('that comes twice under its key is carried out once; another change under that key is refused', async () => {
    const idempotencyKey = 'the-same-key-for-both';
    const packages = [{ package_id: packageId, budget: 150 }];
    const [one, other] = await Promise.all([
      change({ idempotencyKey, packages }),
      change({ idempotencyKey, packages }),
    ]);
    expect([one.kind, other.kind].toSorted()).toContain('accepted');
    expect(await change({ idempotencyKey, packages })).toMatchObject({ kind: 'accepted' });
    expect(await revision()).toBe(2);
    expect(await change({ idempotencyKey, paused: true })).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' });
    expect(await revision()).toBe(2);
  });

  test('that was made on another revision is refused where it names the one it was made on', async () => {
    await change({ paused: true });
    expect(await change({ paused: false, revision: 1 })).toMatchObject({ code: 'CONFLICT' });
    expect(await change({ paused: false, revision: 2 })).toMatchObject({ kind: 'accepted' });
  });
});
