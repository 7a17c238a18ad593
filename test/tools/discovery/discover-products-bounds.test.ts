import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { channelWords } from '../../../tools/domain/channels.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { done, newAdvertiser, openStorefront } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

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
    ['brief', { brief: 'x'.repeat(5_001) }, '5000 characters at the most.'],
    ['brief', { brief: ' ' }, '1 character at the least.'],
    ['channels', { channels: Array(channelWords.length + 1).fill('ctv') }, '22 entries at the most.'],
    ['countries', { countries: Array(251).fill('US') }, '250 entries at the most.'],
    ['budget', { budget: 0 }, 'More than 0.'],
    [
      'storefrontIds',
      { storefrontIds: Array.from({ length: 51 }, (_, n) => n + 1) },
      '50 entries at the most.',
    ],
    ['storefrontIds.0', { storefrontIds: [0] }, '1 at the least.'],
    ['storefrontNames', { storefrontNames: Array(51).fill('Corner') }, '50 entries at the most.'],
    ['storefrontNames.0', { storefrontNames: ['x'.repeat(256)] }, '255 characters at the most.'],
    [
      'publisherDomain',
      { publisherDomain: '' },
      'Give a domain or whole parts of one, such as acme or acme.example.',
    ],
    ['waitMode', { waitMode: 'forever' }, 'Give one of: quick, long.'],
    ['groupLimit', { groupLimit: 0 }, '1 at the least.'],
    ['productsPerGroup', { productsPerGroup: 0 }, '1 at the least.'],
    ['productOffset', { productOffset: -1 }, '0 at the least.'],
    [
      'flightDates.startDate',
      { flightDates: { endDate: '2026-12-31T00:00:00Z' } },
      'Required: give a date and time with an offset, such as 2026-12-01T00:00:00Z, or a day.',
    ],
    [
      'flightDates.endDate',
      {
        flightDates: { startDate: '2020-01-01T00:00:00Z', endDate: '2020-02-01T00:00:00Z' },
      },
      'The flight is over already.',
    ],
  ])('no %s out of bounds: %#', async (field, fields, words) => {
    const reply = await discover(fields);

    expectRefusal(reply, 400, { code: 'VALIDATION_ERROR', at: { [field]: words } });
  });

  test('a hundred changes at once, and no more', async () => {
    const [many, none] = [await refine(Array(101).fill(request)), await refine([])];
    expectRefusal(many, 400, { code: 'VALIDATION_ERROR', at: { refine: '100 entries at the most.' } });
    expectRefusal(none, 400, { code: 'VALIDATION_ERROR', at: { refine: '1 entry at the least.' } });

    const { refinementApplied } = done(await refine(Array(100).fill(request)));
    expect(refinementApplied).toHaveLength(100);
  });

  test.each([
    ['refine.0.scope', { scope: 'seller', ask: 'Cheaper' }, 'Give one of: request, product, proposal.'],
    ['refine.0.ask', { scope: 'request' }, 'Required: give a string.'],
    ['refine.0.ask', { scope: 'request', ask: '' }, '1 character at the least.'],
    ['refine.0.ask', { scope: 'request', ask: 'x'.repeat(2_001) }, '2000 characters at the most.'],
    ['refine.0.id', { scope: 'product', action: 'omit' }, 'Required: give a string.'],
    ['refine.0.action', { scope: 'product', id: 'one' }, 'Give one of: include, omit, more_like_this.'],
    [
      'refine.0.action',
      { scope: 'product', id: 'one', action: 'finalize' },
      'Give one of: include, omit, more_like_this.',
    ],
    [
      'refine.0.ask',
      { scope: 'product', id: 'one', action: 'omit', ask: 'x'.repeat(2_001) },
      '2000 characters at the most.',
    ],
    [
      'refine.0.action',
      { scope: 'proposal', id: 'one', action: 'more_like_this' },
      'Give one of: include, omit, finalize.',
    ],
  ])('no change with %s out of bounds: %#', async (field, item, words) => {
    const reply = await refine([item]);

    expectRefusal(reply, 400, { code: 'VALIDATION_ERROR', at: { [field]: words } });
  });
});
