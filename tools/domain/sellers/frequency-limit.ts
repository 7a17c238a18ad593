import { isDeepStrictEqual } from 'node:util';
import type { Targeting } from '../../../store/discovery-selections.ts';

/** How often one person is to see ads within a time, in the words of AdCP. */
export interface FrequencyLimit {
  readonly max_impressions: number;
  readonly window: { readonly interval: number; readonly unit: string };
}

/** The same of a product, as its choice says it: for whom, or only how far apart. */
type OwnCap = Partial<FrequencyLimit> & { readonly per?: string };

const PEOPLE = 'individuals';

/**
 * The cap of a product that has one of its own, beside that of all. Its own comes first, but of two that count alike
 * the lower holds, and one that only keeps ads apart says nothing of how many. Pure.
 */
export function capOfBoth(given: unknown, all: FrequencyLimit): object {
  const own = (given ?? {}) as OwnCap;
  if (own.max_impressions === undefined) return { per: PEOPLE, ...own, ...all };
  const isAlike = own.per === PEOPLE && isDeepStrictEqual(own.window, all.window);
  return isAlike ? { ...own, max_impressions: Math.min(own.max_impressions, all.max_impressions) } : own;
}

/** A targeting as its seller is told it: the cap that it has of its own beside that of all. */
export function withCapOfBoth(targeting: Targeting, all: FrequencyLimit | undefined): Targeting {
  const { frequency_cap: own } = targeting;
  return own === undefined || all === undefined
    ? targeting
    : { ...targeting, frequency_cap: capOfBoth(own, all) };
}
