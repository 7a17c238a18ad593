import type { Targeting } from '../../../store/discovery-selections.ts';
import type { DeclaredTargeting } from '../../../store/inventory-sources.ts';
import type { BuyGoal } from '../../../store/media-buy-goals.ts';

/** What a package of a buy is to be from now on; what is left out stays. */
export interface PackageUpdate {
  readonly package_id: string;
  /** Major units. */
  readonly budget?: number;
  readonly pacing?: 'even' | 'asap' | 'front_loaded';
  readonly bid_price?: number;
  readonly start_time?: string;
  readonly end_time?: string;
  /** In place of the one before: all of it, with what its campaign says. */
  readonly targeting_overlay?: Targeting;
  readonly optimization_goals?: readonly BuyGoal[];
  /** One that its seller holds is to go on. */
  readonly paused?: false;
  readonly canceled?: true;
  readonly cancellation_reason?: string;
}

/**
 * What a seller declares of itself (AdCP, get_adcp_capabilities), as far as it does: what it does not speak of may
 * work. As it is known over a connection that is kept, unless it was asked for as it is now.
 */
export interface SellerDeclaration {
  /** The versions of AdCP it speaks, such as `3.0`, or the major ones alone; undefined where it names none. */
  readonly versions?: readonly string[];
  /**
   * What buys may be targeted by: `execution.targeting` of get_adcp_capabilities, as the seller wrote it. Data from
   * outside, looked into field by field; undefined where it says nothing of it, `unheard` where it refused to say.
   */
  readonly targeting?: DeclaredTargeting | 'unheard';
  /** Whether it declares that it keeps sandbox accounts (`account.sandbox`); `unheard` where it refused to say. */
  readonly sandbox: boolean | 'unheard';
}

/** The same with what its tools can do. */
export interface SellerAbilities extends SellerDeclaration {
  /** False: it has no way to change a buy. */
  readonly updates: boolean;
  /** The fields that a change may have, of the buy and of its packages; undefined where it takes whatever comes. */
  readonly updateFields?: ReadonlySet<string>;
  readonly packageFields?: ReadonlySet<string>;
}
