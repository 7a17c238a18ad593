import type { ShownTotal } from '../../../store/media-buy-figures.ts';
import { isSameJson } from '../../core/schemas/checks.ts';
import type { PackageUpdate } from './abilities.ts';

export type { ShownTotal };

/** What is shown as amounts that can be none, in words, by their fields. */
export type Unread = Readonly<Partial<Record<'budget' | 'bid_price', string>>>;

/** When something runs, as its seller shows it. */
export interface ShownTimes {
  readonly start_time?: string;
  readonly end_time?: string;
  /** Which of them it shows as a day alone: no moment of that day is otherwise. */
  readonly asDays?: readonly ('start_time' | 'end_time')[];
}

/** A package as its seller tells of it. */
export interface SellerPackage extends ShownTimes {
  readonly package_id: string;
  readonly product_id: string | null;
  /** Major units of `currency`. */
  readonly budget: number | null;
  /** ISO 4217; undefined where the seller names none, which is then that of the order. */
  readonly currency?: string;
  /** The fields that its seller, which lists it more than once, does not show alike: they are left out. */
  readonly listedApart?: readonly string[];
  /** In words, by its field: what it shows as an amount and can be none. */
  readonly unread?: Unread;
  /** Undefined where the seller does not say, as with all that follows. */
  readonly paused?: boolean;
  readonly canceled?: boolean;
  readonly pacing?: PackageUpdate['pacing'];
  /** Of `currency` too. */
  readonly bid_price?: number;
  /** As the seller wrote it: data from outside, to be compared field by field. */
  readonly targeting_overlay?: Readonly<Record<string, unknown>>;
}

/** Each package once; of one that is listed more than once what all its entries say. Pure. */
export function eachOnce(listed: readonly SellerPackage[]): SellerPackage[] {
  const byId = new Map<string, SellerPackage>();
  for (const one of listed) {
    const before = byId.get(one.package_id);
    byId.set(one.package_id, before === undefined ? one : agreedOn(before, one));
  }
  return [...byId.values()];
}

/** Amounts in different currencies are not alike, whatever their figures. */
const AMOUNTS: readonly string[] = ['budget', 'bid_price'];

function agreedOn(one: SellerPackage, other: SellerPackage): SellerPackage {
  const { listedApart = [], unread = {}, asDays, ...said } = one;
  const { listedApart: apartThere = [], unread: unreadThere = {}, asDays: _, ...saidThere } = other;
  const others = new Map<string, unknown>(Object.entries(saidThere));
  const isApart = (name: string, value: unknown) =>
    !isSameJson(value, others.get(name)) || (AMOUNTS.includes(name) && one.currency !== other.currency);
  const mine = Object.entries(said);
  const alone = [...others.keys()].filter((name) => !(name in one));
  const apart = [
    ...mine.filter(([name, value]) => isApart(name, value)).map(([name]) => name),
    ...alone,
    ...unreadApart(unread, unreadThere),
  ];
  const all = [...new Set([...listedApart, ...apartThere, ...apart])];
  if (all.length === 0) return one;
  const left = Object.fromEntries(mine.filter(([name]) => !all.includes(name)));
  const days = asDays === undefined ? {} : { asDays };
  return { product_id: null, budget: null, ...left, ...days, package_id: one.package_id, listedApart: all };
}

function unreadApart(one: Unread, other: Unread): string[] {
  const fields = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  const words = (unread: Unread, field: string) => new Map(Object.entries(unread)).get(field);
  return fields.filter((field) => words(one, field) !== words(other, field));
}

/**
 * The currency of what a seller tells of a package, or of all of a buy, where it is not that of the order: no amount in
 * it is read as one.
 */
export function otherCurrency(
  { currency }: Pick<SellerPackage | ShownTotal, 'currency'>,
  ordered: string,
): string | undefined {
  return currency === ordered ? undefined : currency;
}
