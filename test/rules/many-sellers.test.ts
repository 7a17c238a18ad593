import { describe, expect, test } from 'vitest';
import type { DiscoveryAgentRow } from '../../store/discovery-sessions.ts';
import type { SellerRow } from '../../store/unscoped/market.ts';
import { issuesAmong } from '../../tools/domain/discovery/connection-issues.ts';
import { broughtBy, closedAmong } from '../../tools/domain/discovery/sessions/rounds.ts';

const MANY = 1_000;
/** How often the id of one may be looked at, however many there are. */
const LOOKS_EACH = 3;

const ids = Array.from({ length: MANY }, (_, index) => `agent_${index}`);

/** Counts how often the id of anything it makes is read. */
function countingIds() {
  let looks = 0;
  return {
    looks: () => looks,
    make: <Key extends string, Rest extends object>(key: Key, id: string, rest: Rest) =>
      Object.defineProperty({ ...rest }, key, {
        enumerable: true,
        get: () => {
          looks += 1;
          return id;
        },
      }) as Rest & Record<Key, string>,
  };
}

/** What is done with sellers takes as many steps as there are of them, and not their square. */
describe('with a thousand sellers', () => {
  test('those that want another credential are each held against those that sell once', () => {
    const { make, looks } = countingIds();
    const refused = ids.map((id, index) =>
      make('agent_id', id, { storefront_id: index, storefront_name: `Storefront ${index}` }),
    );
    const sellers = ids.map((id) => ({ source: make('agent_id', id, { execution_type: 'AGENT' }) }));

    const issues = issuesAmong(refused as unknown as DiscoveryAgentRow[], sellers as unknown as SellerRow[]);

    expect(issues).toHaveLength(MANY);
    expect(issues[7]).toEqual({ providerType: 'AGENT', storefrontId: '7', storefrontName: 'Storefront 7' });
    expect(looks()).toBeLessThanOrEqual(2 * MANY * LOOKS_EACH);
  });

  test('what each brought before is found in one pass', () => {
    const { make, looks } = countingIds();
    const agents = ids.map((id) => make('agent_id', id, { invalid_products: 1 }));
    const groups = ids.map((id) =>
      make('agent_id', id, {
        group_id: `group of ${id}`,
        name: 'News',
        position: 1,
        publisher_domain: 'news.example',
      }),
    );

    const brought = broughtBy(agents as unknown as DiscoveryAgentRow[], groups);

    expect(brought.get('agent_7')).toMatchObject({
      groups: [{ group_id: 'group of agent_7' }],
      invalidProducts: 1,
    });
    expect(looks()).toBeLessThanOrEqual(2 * MANY * LOOKS_EACH + 1);
  });

  test('those that sell no more are told from the others in one pass', () => {
    const { make, looks } = countingIds();
    const open = ids.slice(1).map((id) => make('agentId', id, {}));

    const closed = closedAmong(new Map(ids.map((id) => [id, 'asked'])), open);

    expect(closed).toEqual([['agent_0', 'asked']]);
    expect(looks()).toBeLessThanOrEqual(MANY * LOOKS_EACH);
  });
});
