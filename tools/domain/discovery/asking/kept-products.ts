import type { DiscoveryProductRow } from '../../../../store/discovery-products.ts';
import { fromJson } from '../../../../store/engine/codec.ts';
import type { Product } from '../schema.ts';
import type { AdcpSource } from './adcp-source.ts';

/** Products as they are kept with a session: the store knows them as texts. Pure. */

export function productIn({ product }: Pick<DiscoveryProductRow, 'product'>): Product {
  return fromJson<Product>(product);
}

/** Where a product came from at its seller; empty where that is not kept. */
export function sourceIn({ source }: Pick<DiscoveryProductRow, 'source'>): AdcpSource {
  return source === null ? {} : fromJson<AdcpSource>(source);
}
