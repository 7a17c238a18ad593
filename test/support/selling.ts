import { done } from './market.ts';
import { newPerson, type Person } from './people.ts';
import type { TestServer } from './server.ts';

/** A storefront that is not open yet, and sells through nothing. */
export async function newStorefront(seller: Person, changes: object = {}): Promise<string> {
  return done(await seller.post('/storefront', { name: 'Corner Media', ...changes })).storefrontId;
}

/** Somebody who has a storefront that is not open yet. */
export async function newSeller(server: TestServer): Promise<Person> {
  const seller = await newPerson(server);
  await newStorefront(seller);
  return seller;
}

/** Makes the source through which a seller offers products of its own. */
export async function newShelf(seller: Person, sourceId = 'shelf'): Promise<string> {
  const source = { name: sourceId, sourceId, executionType: 'MANAGED_SALES_AGENT' };
  return done(await seller.post('/storefront/inventory-sources', source)).sourceId;
}

/** The same possessions in the hands of an organization that accepted no terms. */
export async function beforeTerms(server: TestServer, owner: Person): Promise<Person> {
  const hasty = await newPerson(server, { terms: false });
  const { BUYER: buyer = 0, SELLER: seller = 0 } = hasty.accounts;
  const { db } = server.store;
  const moved = (customer_id: number) => ({ organization_id: hasty.organizationId, customer_id });
  const theirs = ['organization_id', '=', owner.organizationId] as const;
  await db
    .updateTable('advertisers')
    .set(moved(buyer))
    .where(...theirs)
    .execute();
  await db
    .updateTable('webhook_subscriptions')
    .set(moved(buyer))
    .where(...theirs)
    .execute();
  await db
    .updateTable('storefronts')
    .set(moved(seller))
    .where(...theirs)
    .execute();
  await db
    .updateTable('inventory_sources')
    .set(moved(seller))
    .where(...theirs)
    .execute();
  await db
    .updateTable('embedded_products')
    .set(moved(seller))
    .where(...theirs)
    .execute();
  return hasty;
}
