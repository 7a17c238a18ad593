import { copyFileSync } from 'node:fs';
import { startServer } from '../adapters/process/server.ts';
import { readConfig } from '../adapters/settings/config.ts';
import { openStore } from '../store/open.ts';
import { clientFor } from '../test/support/callers/client.ts';
import { connectAgent, openStorefront } from '../test/support/sellers/market.ts';
import { createKey } from '../tools/domain/organizations/keys.ts';
import { operatorFor } from '../tools/domain/organizations/operator.ts';
import { createOrganization } from '../tools/domain/organizations/organizations.ts';
import { acceptTerms } from '../tools/domain/organizations/terms.ts';
import type { Seed } from './seed.ts';

/** Settings under which sellers on this machine may be asked. */
export const amongSellers = { SELLER_ALLOWED_CIDRS: '127.0.0.0/8', SELLER_ALLOWED_ORGANIZATIONS: '*' };

const silent = { request: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** A storefront that sells through agents, the first address being its first source, or one product of its own. */
export interface Stall {
  readonly name: string;
  readonly urls: readonly string[];
}

/** Copies the seed and opens storefronts in the copy, each of an organization of its own, in this order. */
export async function openMarket(seed: Seed, file: string, stalls: readonly Stall[]): Promise<string[]> {
  copyFileSync(seed.file, file);
  const settings = { ...seed.settings, ...amongSellers, DATABASE_URL: `file:${file}`, PORT: '0' };
  const running = await startServer(readConfig(settings), { log: silent });
  const ids: string[] = [];
  try {
    const operator = operatorFor(running.app.services, 'bench');
    for (const { name, urls } of stalls) {
      const { organization } = await createOrganization(operator, {
        name,
        domain: `${name.toLowerCase().replaceAll(' ', '-')}.example`,
        roles: ['SELLER'],
        tier: 'premium',
      });
      await acceptTerms(operator, organization.id);
      const { value: key } = await createKey(operator, {
        organizationId: organization.id,
        name,
        permissions: ['buyer:read', 'buyer:write', 'buyer:admin', 'account:admin'],
      });
      const [first] = urls;
      const client = clientFor(running.url, key);
      const { storefrontId } = await (first === undefined
        ? openStorefront(client, { name })
        : connectAgent(client, first, { name }));
      ids.push(storefrontId);
    }
  } finally {
    await running.stop();
  }
  await addSources(file, stalls);
  return ids;
}

/** The further sources of each storefront, put there as their owner would have over years. */
async function addSources(file: string, stalls: readonly Stall[]): Promise<void> {
  const store = openStore(`file:${file}`);
  try {
    const first = await store.db.selectFrom('inventory_sources').selectAll().orderBy('created_at').execute();
    const storefronts = await store.db.selectFrom('storefronts').select(['id', 'name']).execute();
    for (const { name, urls } of stalls) {
      const storefront = storefronts.find((row) => row.name === name);
      const source = first.find((row) => row.storefront_id === storefront?.id);
      if (source === undefined) throw new Error(`${name} has no source.`);
      for (const [index, endpoint_url] of urls.slice(1).entries()) {
        const id = `${source.id}_${index}`;
        const more = { ...source, id, source_id: id, agent_id: `${source.agent_id}_${index}`, endpoint_url };
        await store.db.insertInto('inventory_sources').values(more).execute();
      }
    }
  } finally {
    await store.close();
  }
}
