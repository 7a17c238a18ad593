import type { Targeting } from './discovery-selections.ts';

/** A chosen product inside a buy. Prices are decimals as the seller gave them, budgets minor units. */
export interface BuyProduct {
  readonly product_id: string;
  readonly name: string;
  readonly pricing_option_id: string;
  readonly budget_minor: number;
  readonly bid_price: number | null;
  /** As its choice had it; the campaign's where it said nothing. */
  readonly pacing?: Pacing;
  /** Whom it is to reach, as its choice had it. */
  readonly targeting_overlay?: Targeting;
  /** By how much its reports come late, as its seller said when it was chosen; absent where they do not. */
  readonly reporting_delay_minutes?: number;
  readonly format_ids: readonly { readonly agent_url: string; readonly id: string }[];
}

/** A package as the seller confirmed it. */
export interface BuyPackage {
  readonly package_id: string;
  readonly product_id: string | null;
  /** In the currency of the buy. */
  readonly budget_minor: number | null;
  /** With the fee, as it was asked for: it holds while `budget_minor` is what falls to the seller of it. */
  readonly gross_minor?: number;
  /** The currency that its seller shows it in, where that is another: no amount of that is kept. */
  readonly shown_in?: string | undefined;
  /** The fields that its seller, which lists it more than once, does not show alike: each stays as it was. */
  readonly listed_apart?: readonly string[] | undefined;
  /** What its seller shows as amounts and can be none, in words by their fields: each stays as it was. */
  readonly unread?: Readonly<Partial<Record<'budget' | 'bid_price', string>>> | undefined;
  /** The only one that its seller lists, and all products of the buy are in it: its budget is that of all of them. */
  readonly of_all?: true | undefined;
  /** The place of its line in what was ordered; null where it has none, absent where that was not asked yet. */
  readonly line?: number | null | undefined;
  readonly pacing?: Pacing;
  readonly bid_price?: number;
  readonly start_time?: string;
  readonly end_time?: string;
  /** What its seller shows where that is a day or more from what holds; absent where it is not, or is not told. */
  readonly shown_start?: string | undefined;
  readonly shown_end?: string | undefined;
  /** Whom it is to reach, once that was changed; before, as its product has it. */
  readonly targeting_overlay?: Targeting;
  readonly paused?: boolean;
  readonly canceled?: true;
  /** Of one that was called off: what stays bound of its budget, because it was spent. Minor units, with the fee. */
  readonly kept_minor?: number;
  /** Of one that was called off: nothing was bound for it, and it keeps nothing, whatever it spent. */
  readonly never_ordered?: true;
  /** Its seller called it off, and was not asked to. */
  readonly ended_by_seller?: true;
  /** It was called off, and its seller shows it as one that goes on. */
  readonly shown_on?: true | undefined;
  /** It was called off, and its seller lists it on without a word of whether it goes on. */
  readonly listed_on?: true | undefined;
}

export const packagePacings = ['even', 'asap', 'front_loaded'] as const;
export type Pacing = (typeof packagePacings)[number];
