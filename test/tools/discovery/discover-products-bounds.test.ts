import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { channelWords } from '../../../tools/domain/channels.ts';
import { done, newAdvertiser, openStorefront } from '../../support/market.ts';
import { newPerson, type Person } from '../../support/people.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

const request = { scope: 'request', ask: 'Cheaper' };

describe('discover_products takes', () => {
  let server: TestServer;
  let buyer: Person;
  let advertiserId: string;
  let storefrontId: string;
  let discoveryId: string;
  beforeAll(async () => {
    server = await startTestServer();
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
    ({ storefrontId } = await openStorefront(await newPerson(server), { name: 'Corner Media' }));
    ({ discoveryId } = done(await discover({})));
  });
  afterAll(() => server.stop());

  const discover = (fields: object) =>
    buyer.post('/buyer/discovery/discover-products', {
      advertiserId,
      waitSeconds: 30,
      storefrontIds: [storefrontId],
      ...fields,
    });
  const refine = (items: readonly object[]) =>
    buyer.post('/buyer/discovery/discover-products', { discoveryId, waitSeconds: 30, refine: items });

  test.each([
    ['all channels and words for several', { channels: channelWords }],
    ['a brief of 5,000 characters', { brief: 'x'.repeat(5_000) }],
    ['50 storefronts, though it is the same one', { storefrontNames: Array(50).fill('Corner') }],
    ['250 countries, though it is the same one', { countries: Array(250).fill('US') }],
    ['the last page', { groupLimit: 10, productsPerGroup: 15, productOffset: 1_000 }],
    ['the widest page', { groupLimit: 1, productsPerGroup: 1 }],
  ])('%s', async (_, fields) => {
    expect((await discover(fields)).status).toBe(200);
  });

  test.each([
    ['brief', { brief: 'x'.repeat(5_001) }],
    ['brief', { brief: ' ' }],
    ['channels', { channels: Array(channelWords.length + 1).fill('ctv') }],
    ['countries', { countries: Array(251).fill('US') }],
    ['budget', { budget: 0 }],
    ['storefrontIds', { storefrontIds: Array.from({ length: 51 }, (_, n) => n + 1) }],
    ['storefrontIds.0', { storefrontIds: [0] }],
    ['storefrontNames', { storefrontNames: Array(51).fill('Corner') }],
    ['storefrontNames.0', { storefrontNames: ['x'.repeat(256)] }],
    ['publisherDomain', { publisherDomain: '' }],
    ['waitMode', { waitMode: 'forever' }],
    ['groupLimit', { groupLimit: 0 }],
    ['productsPerGroup', { productsPerGroup: 0 }],
    ['productOffset', { productOffset: -1 }],
    ['flightDates.startDate', { flightDates: { endDate: '2026-12-31T00:00:00Z' } }],
    [
      'flightDates.endDate',
      {
        flightDates: { startDate: '2020-01-01T00:00:00Z', endDate: '2020-02-01T00:00:00Z' },
      },
    ],
  ])('no %s out of bounds: %#', async (field, fields) => {
    const { status, body } = await discover(fields);

    expect([status, body.error?.code, body.error?.field]).toEqual([400, 'VALIDATION_ERROR', field]);
  });

  test('a hundred changes at once, and no more', async () => {
    expect((await refine(Array(101).fill(request))).body.error).toMatchObject({ field: 'refine' });
    expect((await refine([])).body.error).toMatchObject({ field: 'refine' });

    const { refinementApplied } = done(await refine(Array(100).fill(request)));
    expect(refinementApplied).toHaveLength(100);
  });

  test.each([
    ['refine.0.scope', { scope: 'seller', ask: 'Cheaper' }],
    ['refine.0.ask', { scope: 'request' }],
    ['refine.0.ask', { scope: 'request', ask: '' }],
    ['refine.0.ask', { scope: 'request', ask: 'x'.repeat(2_001) }],
    ['refine.0.id', { scope: 'product', action: 'omit' }],
    ['refine.0.action', { scope: 'product', id: 'one' }],
    ['refine.0.action', { scope: 'product', id: 'one', action: 'finalize' }],
    ['refine.0.ask', { scope: 'product', id: 'one', action: 'omit', ask: 'x'.repeat(2_001) }],
    ['refine.0.action', { scope: 'proposal', id: 'one', action: 'more_like_this' }],
  ])('no change with %s out of bounds: %#', async (field, item) => {
    const { status, body } = await refine([item]);

    expect([status, body.error?.code, body.error?.field]).toEqual([400, 'VALIDATION_ERROR', field]);
  });
});
