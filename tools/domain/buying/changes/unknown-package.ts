import { fromJson } from '../../../../store/engine/codec.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import type { Issue } from '../../../core/errors/app-error.ts';
import { isUnsent } from '../answers/unsent.ts';
import { packageOfAll } from '../choice/package-of-all.ts';

/** What is said where a media buy has no package that could be changed. Pure. */

export const NONE_NAMED =
  'The seller has named no package yet: wait until it does, or cancel the media buy and choose anew.';

/** That a package is not there, or was called off. */
export function unknownPackage(buy: MediaBuyRow, id: string, path: string): Issue[] {
  const known = fromJson(buy.packages);
  const found = known.find(({ package_id }) => package_id === id);
  if (found?.canceled === true) return [{ path, message: 'The package is canceled.' }];
  if (found !== undefined) return [];
  const ids = known.filter(({ canceled }) => canceled !== true).map(({ package_id }) => package_id);
  const told = ids.length === 0 ? noneOf(buy) : `It has: ${ids.slice(0, 20).join(', ')}.`;
  const all = known.length === 1 ? packageOfAll(known) : undefined;
  const alone = all && `It has ${all.package_id} alone, in which its seller holds all of its products.`;
  return [{ path, message: `The media buy has no such package. ${alone ?? told}` }];
}

function noneOf(buy: MediaBuyRow): string {
  return isUnsent(buy)
    ? 'No seller holds its order: change its products, with products, and execute the campaign again.'
    : NONE_NAMED;
}
