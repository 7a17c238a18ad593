import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DiscoveryAgentRow, DiscoverySessionRow } from '../../store/discovery-sessions.ts';
import { toJson } from '../../store/engine/codec.ts';
import { newGroup, revisionPayload, settle } from '../../tools/domain/discovery/asking/revisions.ts';
import { productReader } from '../../tools/domain/discovery/asking/seller-products.ts';
import { discoveryRevision } from '../../tools/domain/discovery/events.ts';
import type { Seller } from '../../tools/domain/sellers/port.ts';
import { productAt } from '../support/sellers/far-seller.ts';

const NOW = '2026-12-01T09:00:00.000Z';

const seller: Seller = {
  agentId: 'agent_1',
  agentName: 'Agent',
  storefrontId: 7,
  storefrontName: 'Corner Media',
  source: {
    id: 'source_1',
    organizationId: 1,
    customerId: 1,
    executionType: 'AGENT',
    endpointUrl: null,
    authenticationType: null,
    auth: null,
  },
};

const session: DiscoverySessionRow = {
  id: 'disc_1',
  organization_id: 1,
  customer_id: 1,
  advertiser_id: 1,
  campaign_id: null,
  request: toJson({ currency: 'USD' }),
  status: 'collecting',
  revision: 3,
  last_subscription: 0,
  owner: 'process',
  created_at: NOW,
  completed_at: null,
  removed_at: null,
  asked_at: null,
  refinement: null,
};

const agent: DiscoveryAgentRow = {
  organization_id: 1,
  session_id: 'disc_1',
  agent_id: 'agent_1',
  agent_name: 'Agent',
  storefront_id: 7,
  storefront_name: 'Corner Media',
  state: 'pending',
  reason: null,
  message: null,
  products: 0,
  invalid_products: 0,
  revision: null,
  settled_at: null,
  response_ms: null,
  told: null,
};

const read = (products: readonly unknown[], filter: object = {}) => {
  const reader = productReader(seller, { filter: { currency: 'USD', ...filter }, sandbox: false });
  for (const product of products) reader.add(product);
  return reader.result();
};
const rowsOf = (products: readonly unknown[]) =>
  read(products).groups.map((group) => newGroup(session, group, 'agent_1'));
const priced = (id: string, fixed_price: number, currency = 'USD') =>
  productAt('one.example', id, {
    pricing_options: [{ pricing_option_id: 'o', pricing_model: 'cpm', currency, fixed_price }],
  });

describe('the payload of a revision', () => {
  test('is one line of JSON with the fields of the event catalogue, whatever stands in its texts', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.string({ unit: 'grapheme', minLength: 1 }),
        (name, message) => {
          const payload = revisionPayload(session, {
            groups: rowsOf([productAt('one.example', 'p1', { name: `x${name}`, description: name })]),
            pending: [{ ...agent, agent_name: message }],
            incomplete: [{ ...agent, state: 'incomplete', reason: 'error', message }],
            timestamp: NOW,
          });
          expect(payload).not.toMatch(/[\r\n]/);
          const read = discoveryRevision.parse(JSON.parse(payload));
          expect(read).toMatchObject({
            discoveryId: 'disc_1',
            revision: 3,
            resultsComplete: false,
            timestamp: NOW,
          });
          expect(read.pendingAgents).toEqual([{ agentId: 'agent_1', agentName: message }]);
          expect(read.incompleteAgents).toMatchObject([{ reason: 'error', message }]);
          expect(read.productGroups).toMatchObject([{ groupId: 'agent_1:one.example' }]);
        },
      ),
    );
  });

  test('names a hundred sellers of each list, and says how many more there are', () => {
    const many = (state: 'pending' | 'incomplete', length: number) =>
      Array.from({ length }, (_, index) => ({ ...agent, agent_id: `agent_${index}`, state }));
    const facts = {
      groups: [],
      pending: many('pending', 250),
      incomplete: many('incomplete', 100),
      timestamp: NOW,
    };

    const read = discoveryRevision.parse(JSON.parse(revisionPayload(session, facts)));

    expect(read.pendingAgents).toHaveLength(100);
    expect(read.incompleteAgents).toHaveLength(100);
    expect(read.moreAgents).toEqual({ pendingAgents: 150 });
  });

  test('of a complete session says so', () => {
    const facts = { groups: [], pending: [], incomplete: [], timestamp: NOW };

    const payload = revisionPayload({ ...session, status: 'complete' }, facts);

    expect(JSON.parse(payload)).toEqual({
      event: 'discovery.revision',
      discoveryId: 'disc_1',
      revision: 3,
      resultsComplete: true,
      productGroups: [],
      pendingAgents: [],
      incompleteAgents: [],
      timestamp: NOW,
    });
  });
});

describe('a seller that settles', () => {
  test('with products is answered, its invalid ones counted', () => {
    const outcome = { agentId: 'agent_1', read: read([priced('p1', 1), 'nothing']) };

    expect(settle(agent, outcome, NOW)).toEqual({
      ...agent,
      state: 'answered',
      products: 1,
      invalid_products: 1,
      settled_at: NOW,
    });
  });

  test('without an answer is incomplete, with the reason and the message', () => {
    const outcome = { agentId: 'agent_1', reason: 'timeout', message: 'Too late.' } as const;

    expect(settle(agent, outcome, NOW)).toEqual({
      ...agent,
      state: 'incomplete',
      reason: 'timeout',
      message: 'Too late.',
      settled_at: NOW,
    });
  });
});

describe('the group of a seller’s products', () => {
  test('sums prices up exactly, in the advertiser’s currency alone', () => {
    const [group] = rowsOf([priced('a', 0.1), priced('b', 0.2), priced('c', 9, 'EUR'), priced('d', 0.3)]);

    expect(group?.row).toMatchObject({
      group_id: 'agent_1:one.example',
      storefront_id: 7,
      product_count: 4,
      price_count: 3,
      price_min: 1_000,
      price_max: 3_000,
      price_sum: 6_000,
    });
  });

  test('sums up to a whole number that is exact, however many products there are at the highest price', () => {
    const [group] = rowsOf(Array.from({ length: 2_000 }, (_, index) => priced(`p${index}`, 1_000_000_000)));

    const { price_sum = 0, price_count = 0 } = group?.row ?? {};
    expect(Number.isSafeInteger(price_sum)).toBe(true);
    expect(price_count).toBeGreaterThan(0);
    expect(price_sum).toBe(price_count * 1e13);
  });

  test('has no price when nothing is sold by the thousand', () => {
    const [group] = rowsOf([
      productAt('one.example', 'p1', {
        pricing_options: [{ pricing_option_id: 'o', pricing_model: 'cpc', currency: 'USD', fixed_price: 1 }],
      }),
    ]);

    expect(group?.row).toMatchObject({ price_count: 0, price_min: null, price_max: null, price_sum: 0 });
  });

  test('is the same whatever order the products come in, but for the order inside', () => {
    const products = ['one', 'two', 'three'].flatMap((name) =>
      [1, 2, 3].map((index) => productAt(`${name}.example`, `${name}-${index}`)),
    );
    const ids = (list: readonly unknown[]) =>
      read(list)
        .groups.map(({ groupId, products: found }) => [
          groupId,
          found.map(({ productId }) => productId).sort(),
        ])
        .sort();

    fc.assert(
      fc.property(fc.shuffledSubarray(products, { minLength: products.length }), (shuffled) => {
        expect(ids(shuffled)).toEqual(ids(products));
      }),
    );
  });

  test('never throws, and counts each entry of an answer as found, passed over or invalid', () => {
    const entry = fc.oneof(fc.anything(), fc.constantFrom(priced('a', 1), priced('b', 2), priced('a', 3)));
    fc.assert(
      fc.property(fc.array(entry), (answer) => {
        const { groups, products, invalid } = read(answer);
        expect(groups.reduce((sum, group) => sum + group.products.length, 0)).toBe(products);
        expect(products + invalid).toBeLessThanOrEqual(answer.length);
      }),
    );
  });

  test.each([
    ['one.example', true],
    ['example', true],
    ['e.example', false],
    ['sub.one.example', false],
  ])('matches the publisher %s by whole labels: %s', (publisherDomain, found) => {
    expect(read([priced('a', 1)], { publisherDomain }).products).toBe(found ? 1 : 0);
  });
});
