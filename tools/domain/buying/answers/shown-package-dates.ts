import { toJson } from '../../../../store/engine/codec.ts';
import type { BuyPackage } from '../../../../store/media-buy-packages.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import type { SellerPackage } from '../../sellers/seller-package.ts';
import { byPackageId } from '../buy-packages.ts';
import { type Ordered, packagesOrdered } from '../choice/package-lines.ts';
import { otherStart, unlessAsOrdered } from './shown-dates.ts';

/** Dates of packages that a seller shows, held against what was ordered of each. Pure. */

type Buy = Pick<MediaBuyRow, 'start_time' | 'end_time' | 'created_at'>;
type Moments = Readonly<Record<'start' | 'end', string>>;

/** When a package was to run: as it was said of it, of its line, or of the whole. */
export function datesOrdered({ part, line }: Ordered, buy: Pick<Buy, 'start_time' | 'end_time'>): Moments {
  return {
    start: part.start_time ?? line?.start_time ?? buy.start_time,
    end: part.end_time ?? line?.end_time ?? buy.end_time,
  };
}

/** When a package runs by what its seller shows, and else as was said of it; undefined where it runs with the whole. */
export function datesShown({ part, line }: Ordered): Partial<Record<'start' | 'end', string | undefined>> {
  return {
    start: part.shown_start ?? part.start_time ?? line?.start_time,
    end: part.shown_end ?? part.end_time ?? line?.end_time,
  };
}

/** What differs of the dates of a package, by now. */
export function datesApart(ordered: Ordered, buy: Buy): Readonly<Record<'start' | 'end', string | null>> {
  const { part } = ordered;
  const { start, end } = datesOrdered(ordered, buy);
  return {
    start: otherStart({ ...buy, start_time: start }, part.shown_start ?? null),
    end: unlessAsOrdered(part.shown_end ?? null, end),
  };
}

/** Packages with the dates that differ; what is left out stays as it was told. */
export function withShownDates(
  packages: readonly BuyPackage[],
  told: readonly SellerPackage[],
  buy: Buy & Pick<MediaBuyRow, 'order_payload' | 'currency'>,
): BuyPackage[] {
  const ordered = packagesOrdered({ ...buy, packages: toJson(packages) });
  const toldById = byPackageId(told);
  return packages.map((part, at) => {
    const said = toldById.get(part.package_id);
    const line = ordered[at]?.line;
    const { start_time = part.shown_start, end_time = part.shown_end } = said ?? {};
    const shown = { ...part, shown_start: start_time, shown_end: end_time };
    const apart = datesApart({ part: shown, line }, buy);
    return { ...shown, shown_start: apart.start ?? undefined, shown_end: apart.end ?? undefined };
  });
}

/** What was shown of a package before says nothing of a date that is asked for. */
export function withoutShown(part: BuyPackage, asked: Partial<BuyPackage> | undefined): BuyPackage {
  return {
    ...part,
    ...(asked?.start_time === undefined ? {} : { shown_start: undefined }),
    ...(asked?.end_time === undefined ? {} : { shown_end: undefined }),
  };
}

/** The dates that are shown of a package, where they are not those that hold of it after a change. */
export function shownBeside(
  part: Pick<BuyPackage, 'start_time' | 'end_time'>,
  { shown_start, shown_end }: BuyPackage,
): Pick<BuyPackage, 'shown_start' | 'shown_end'> {
  return {
    shown_start: unlessHeld(shown_start, part.start_time),
    shown_end: unlessHeld(shown_end, part.end_time),
  };
}

function unlessHeld(shown: string | undefined, held: string | undefined): string | undefined {
  if (shown === undefined || held === undefined) return shown;
  return unlessAsOrdered(shown, held) ?? undefined;
}
