import type { PackageUpdate } from './abilities.ts';

/** A package as its seller tells of it. */
export interface SellerPackage {
  readonly package_id: string;
  readonly product_id: string | null;
  readonly budget: number | null;
  /** Undefined where the seller does not say, as with all that follows. */
  readonly paused?: boolean;
  readonly canceled?: boolean;
  readonly pacing?: PackageUpdate['pacing'];
  readonly bid_price?: number;
  readonly start_time?: string;
  readonly end_time?: string;
  /** As the seller wrote it: data from outside, to be compared field by field. */
  readonly targeting_overlay?: Readonly<Record<string, unknown>>;
}
