import { newPerson, type Person } from '../callers/people.ts';
import type { TestServer } from '../server/server.ts';
import { done } from './market.ts';

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
