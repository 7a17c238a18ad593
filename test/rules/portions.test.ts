import { describe, expect, test } from 'vitest';
import type { DiscoveryAgentRow } from '../../store/discovery-sessions.ts';
import { batchesOf } from '../../tools/domain/discovery/asking/portions.ts';
import { groupWith, type NewGroup } from '../../tools/domain/discovery/asking/revisions.ts';

const ids = { organization_id: 1, session_id: 'disc_1', agent_id: 'agt_1' };
const agent: DiscoveryAgentRow = Object.assign(Object.create(null), { ...ids, agent_name: 'Agent' });

function groupOf(id: number, count: number, bytes: number): NewGroup {
  const group_id = `group-${id}`;
  const row = {
    ...ids,
    group_id,
    position: 0,
    revision: 0,
    name: '',
    storefront_id: 1,
    publisher_domain: '',
  };
  const product = {
    ...ids,
    group_id,
    product_id: 'p',
    pricing_models: '',
    publisher_domains: '',
    price: null,
    product: 'x'.repeat(bytes),
    source: null,
  };
  return groupWith(
    row,
    Array.from({ length: count }, (_, ordinal) => ({ ...product, ordinal })),
  );
}

describe('a landing', () => {
  test.each([
    ['many small groups', 4_500, 10],
    ['fewer large ones', 900, 4_000],
  ])('is stored in commits of bounded length: %s', (_what, count, bytes) => {
    const groups = Array.from({ length: count }, (_, id) => groupOf(id, 1, bytes));

    const portions = batchesOf([{ agent, groups }]).flatMap((batch) => batch.portions);

    expect(portions.flatMap((portion) => portion.groups)).toHaveLength(count);
    for (const portion of portions) {
      expect(portion.groups.length).toBeLessThanOrEqual(300);
      expect(portion.groups.length * bytes).toBeLessThanOrEqual(300_000);
    }
    expect(portions.filter(({ settled }) => settled.length > 0)).toHaveLength(1);
  });
});
