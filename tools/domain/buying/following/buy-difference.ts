import { fromJson } from '../../../../store/engine/codec.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { changesBetween } from '../../../core/changes.ts';

type Told = Readonly<Record<string, unknown>>;
type Lines = (buy: MediaBuyRow) => Told;

/**
 * What differs between two states of a buy, as its parts are told of. A seller that names its packages says nothing
 * new of what was ordered: a product is held against the package that it became. Pure.
 */
export function changesOfBuy(before: MediaBuyRow, after: MediaBuyRow, told: Lines) {
  const now = told(after);
  return changesBetween(asNamedIn(after, told(before), now), now);
}

function asNamedIn(after: MediaBuyRow, was: Told, now: Told): Told {
  if (Object.keys(now).some((line) => line.startsWith('products.'))) return was;
  const packages = fromJson(after.packages);
  const lines = Object.entries(was).flatMap(([line, value]) => {
    const named = packages.filter(({ product_id: id }) => id !== null && line.startsWith(`products.${id}.`));
    const [one, another] = named;
    if (one === undefined) return [[line, value] as const];
    const name = line.replace(`products.${one.product_id}.`, `packages.${one.package_id}.`);
    // Of several packages of one product each has a part of it; and what a package cannot say of itself is as ordered.
    return another === undefined && name in now ? [[name, value] as const] : [];
  });
  return Object.fromEntries(lines);
}
