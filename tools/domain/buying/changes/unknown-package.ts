import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import type { Issue } from '../../../core/errors/app-error.ts';
import { isUnsent } from '../answers/unsent.ts';
import { packagesById, packagesIn, packagesLeft } from '../buy-packages.ts';
import { packageOfAll } from '../choice/package-of-all.ts';

/** What is said where a media buy has no package that could be changed. Pure. */

const NONE_NAMED =
  'The seller has named no package yet: wait until it does, or cancel the media buy and choose anew.';

/** That a package is not there, or was called off. */
export function unknownPackage(buy: MediaBuyRow, id: string, path: string): Issue[] {
  const found = packagesById(buy).get(id);
  if (found?.canceled === true) return [{ path, message: 'The package is canceled.' }];
  if (found !== undefined) return [];
  const ids = packagesLeft(buy).map(({ package_id }) => package_id);
  const told = ids.length === 0 ? noneOf(buy).said : `It has: ${ids.slice(0, 20).join(', ')}.`;
  const known = packagesIn(buy);
  const all = known.length === 1 ? packageOfAll(known) : undefined;
  const alone = all && `It has ${all.package_id} alone, in which its seller holds all of its products.`;
  return [{ path, message: `The media buy has no such package. ${alone ?? told}` }];
}

/** What can be done with an order that its seller holds. */
export function ofHeld(buy: MediaBuyRow): string {
  if (packagesIn(buy).length === 0) return NONE_NAMED;
  return packagesLeft(buy).length > 0 ? CHANGE_PACKAGES : ALL_CANCELED.way;
}

const CHANGE_PACKAGES =
  'Change budgets, pacing and dates of its packages instead, or cancel it and choose anew.';

/** What to do where packages were named that a buy does not have: to read it again helps where it has some. */
export function wayToPackages(buy: MediaBuyRow): string {
  return packagesLeft(buy).length > 0 ? READ_AGAIN : noneOf(buy).way;
}

export const READ_AGAIN =
  'Read the campaign with campaign_get: it names its media buys and where each stands.';

interface None {
  readonly said: string;
  readonly way: string;
}

function noneOf(buy: MediaBuyRow): None {
  if (isUnsent(buy)) return UNSENT;
  return packagesIn(buy).length > 0 ? ALL_CANCELED : UNNAMED;
}

const UNSENT: None = {
  said: 'No seller holds its order: change its products, with products, and execute the campaign again.',
  way: 'Change products of the media buy in place of packages, and order it with campaign_execute.',
};
const CALL_OFF =
  'call the media buy off with action cancel of mediaBuys in campaign_update, and choose anew.';
const ALL_CANCELED: None = {
  said: 'All that it had are canceled.',
  way: `None of its packages goes on: ${CALL_OFF}`,
};
const UNNAMED: None = {
  said: NONE_NAMED,
  way: `Wait until campaign_get_media_buy_status shows packages of the media buy, or ${CALL_OFF}`,
};
