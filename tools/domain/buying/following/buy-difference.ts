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
  if (Object.keys(now).some((line) => PRODUCT_LINE.test(line))) return was;
  const named = packagesByName(after);
  const lines = Object.entries(was).flatMap(([line, value]) => {
    const [, id = '', field] = PRODUCT_LINE.exec(line) ?? [];
    const [one, another] = named.get(id) ?? [];
    if (one === undefined) return [[line, value] as const];
    const name = `packages.${one}.${field}`;
    // Of several packages of one product each has a part of it; and what a package cannot say of itself is as ordered.
    return another === undefined && name in now ? [[name, value] as const] : [];
  });
  return Object.fromEntries(lines);
}

/** A field of a product, whose id may have points in it. */
const PRODUCT_LINE = /^products\.(.+)\.([^.]+)$/s;

/** The ids of packages by the ids that they name of products. */
function packagesByName({ packages }: Pick<MediaBuyRow, 'packages'>): ReadonlyMap<string, string[]> {
  const named = new Map<string, string[]>();
  for (const { product_id: id, package_id } of fromJson(packages))
    if (id !== null) named.set(id, [...(named.get(id) ?? []), package_id].slice(0, 2));
  return named;
}
