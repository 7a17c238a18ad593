import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import type { AdvertiserRow, FrequencyCap, UtmParameter } from '../../../store/advertisers.ts';
import { fromJson, toJson } from '../../../store/engine/codec.ts';
import type { Context } from '../../core/context.ts';
import type { shownFrequencyCaps } from './delivery-fields.ts';

type CapInput = Pick<FrequencyCap, 'max_impressions' | 'window'>;
type Column<K extends keyof AdvertiserRow> = AdvertiserRow[K] | undefined;

/** The parameters as a row holds them: a list replaces the one before, and an empty one clears it. */
export function utmColumn(given: readonly UtmParameter[] | undefined): Column<'utm_config'> {
  if (given === undefined) return undefined;
  if (given.length === 0) return null;
  return toJson(given.map(({ paramKey, paramValue }) => ({ paramKey, paramValue })));
}

/** The caps as a row holds them, each with an id of its own. One that was there before stays what it was. */
export function capsColumn(
  ctx: Context,
  given: readonly CapInput[] | undefined,
  before: AdvertiserRow['frequency_caps'] = null,
): Column<'frequency_caps'> {
  if (given === undefined) return undefined;
  if (given.length === 0) return null;
  const there = before === null ? [] : [...fromJson(before)];
  return toJson(
    given.map(({ max_impressions, window: { interval, unit } }): FrequencyCap => {
      const cap = { max_impressions, window: { interval, unit } };
      const same = there.findIndex(({ id: _, created_at: __, ...one }) => isDeepStrictEqual(one, cap));
      const [kept] = same === -1 ? [] : there.splice(same, 1);
      return kept ?? { id: ctx.newId('fcap'), ...cap, created_at: ctx.now };
    }),
  );
}

/** Caps as readers see them, of what they cap; undefined where there are none. */
export function shownCaps(
  caps: AdvertiserRow['frequency_caps'],
  of: { readonly targetLevel: 'ADVERTISER' | 'CAMPAIGN'; readonly targetId: string },
): z.input<typeof shownFrequencyCaps> | undefined {
  if (caps === null) return undefined;
  return fromJson(caps).map(({ created_at: createdAt, ...cap }) => ({
    ...cap,
    ...of,
    createdAt,
    // A cap is replaced by another one, and never changed.
    updatedAt: createdAt,
  }));
}
