import type { PackageUpdate } from './abilities.ts';

/** A package as its seller tells of it. */
export interface SellerPackage {
  readonly package_id: string;
  readonly product_id: string | null;
  /** Major units of `currency`. */
  readonly budget: number | null;
  /** ISO 4217; undefined where the seller names none, which is then that of the order. */
  readonly currency?: string;
  /** Undefined where the seller does not say, as with all that follows. */
  readonly paused?: boolean;
  readonly canceled?: boolean;
  readonly pacing?: PackageUpdate['pacing'];
  /** Of `currency` too. */
  readonly bid_price?: number;
  readonly start_time?: string;
  readonly end_time?: string;
  /** As the seller wrote it: data from outside, to be compared field by field. */
  readonly targeting_overlay?: Readonly<Record<string, unknown>>;
}

/**
 * The currency of what a seller tells of a package, where it is not that of the order: no amount in it is read as one.
 */
export function otherCurrency(
  { currency }: Pick<SellerPackage, 'currency'>,
  ordered: string,
): string | undefined {
  return currency === ordered ? undefined : currency;
}
