import type { campaignRecord } from './record.ts';

type Shown = Awaited<ReturnType<typeof campaignRecord>>;
type Overlay = NonNullable<Shown['mediaBuys'][number]['packages'][number]['targetingOverlay']>;

/** Packages that have to reach the same people for it to be told once. */
const SHARED_MIN = 2;

/**
 * A campaign in the short form: whom its packages are to reach stands once, and with a package where that differs,
 * as {} where it is nobody in particular; what stands elsewhere in it, as mediaBuyRefs do, is left out. Pure.
 */
export function compactCampaign(shown: Shown) {
  // A copy without the field would cost more than all the rest of this.
  const record = { ...shown, mediaBuyRefs: undefined, mediaBuys: shown.mediaBuys.map(inShort) };
  const overlays = record.mediaBuys.flatMap(({ packages }) =>
    packages.flatMap(({ targetingOverlay: overlay }) => (overlay === undefined ? [] : [overlay])),
  );
  const shared = mostShared(overlays);
  if (shared === undefined) return record;
  const same = textOf(shared);
  return {
    ...record,
    targetingOverlay: shared,
    mediaBuys: record.mediaBuys.map((buy) => ({
      ...buy,
      packages: buy.packages.map(({ targetingOverlay: own = {}, ...part }) =>
        textOf(own) === same ? part : { ...part, targetingOverlay: own },
      ),
    })),
  };
}

/** A media buy without what its packages say of it again, and without counts of nothing. */
function inShort({ performance, packages, ...buy }: Shown['mediaBuys'][number]) {
  const { views, completedViews, conversions, leads, ...figures } = performance;
  const counts = Object.entries({ views, completedViews, conversions, leads }).filter(([, count]) => count);
  return {
    ...buy,
    packages: packages.map(({ budgetCurrency: _, ...part }) => part),
    performance: { ...figures, ...Object.fromEntries(counts) },
  };
}

/** What most of them say, where at least two do; of several the first. */
function mostShared(overlays: readonly Overlay[]): Overlay | undefined {
  if (overlays.length < SHARED_MIN) return undefined;
  const counts = new Map<string, number>();
  for (const text of overlays.map(textOf)) counts.set(text, (counts.get(text) ?? 0) + 1);
  const most = Math.max(0, ...counts.values());
  return most < SHARED_MIN ? undefined : overlays.find((one) => counts.get(textOf(one)) === most);
}

/** The same text for the same fields, in whatever order they were given. */
function textOf(overlay: Overlay): string {
  return JSON.stringify(Object.entries(overlay).sort(([one], [other]) => (one < other ? -1 : 1)));
}
