/** How the products of the sandbox are written down. */

export interface CatalogProduct {
  readonly name: string;
  readonly description: string;
  readonly publisherDomain: string;
  readonly channels: readonly string[];
  readonly countries: readonly string[];
  readonly guaranteed: boolean;
  /** Dollars a thousand impressions: fixed, or the floor of an auction. */
  readonly cpm: { readonly fixed: number } | { readonly floor: number };
  readonly minSpend: number;
  readonly formats: readonly string[];
  readonly exposures: number;
}

/** Name, description, price, least spend, impressions a month. */
export type Line = readonly [
  name: string,
  description: string,
  price: CatalogProduct['cpm'],
  minSpend: number,
  exposures: number,
];

/** The products of one publisher. */
export interface Shelf {
  readonly publisherDomain: string;
  readonly channels: readonly string[];
  readonly countries: readonly string[];
  readonly guaranteed: boolean;
  readonly formats: readonly string[];
  readonly lines: readonly Line[];
}
