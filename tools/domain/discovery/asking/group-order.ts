import { preferredFirst } from '../../sale-terms.ts';
import type { Seller } from '../../sellers/port.ts';
import type { ProductFilter } from './fitting.ts';
import type { FoundProduct, Group } from './seller-products.ts';

/** What the publisher of products is called whose seller names none. */
export const NO_PUBLISHER = 'other';

/** The products of one seller by their publishers, each and all of them with what is preferred first. Pure. */
export function inOrder(
  { agentId, storefrontName }: Pick<Seller, 'agentId' | 'storefrontName'>,
  found: ReadonlyMap<string, readonly FoundProduct[]>,
  { sale }: Pick<ProductFilter, 'sale'>,
): Group[] {
  const groups = [...found].map(([domain, products]) => ({
    groupId: `${agentId}:${domain}`,
    groupName: domain === NO_PUBLISHER ? storefrontName : domain,
    publisherDomain: domain,
    products: preferredFirst(products, sale, ({ deliveryType }) => deliveryType),
  }));
  return preferredFirst(groups, sale, ({ products: [first] }) => first?.deliveryType);
}
