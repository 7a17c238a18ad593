import type { ProposedBuy } from '../../../../store/media-buy-changes.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { packagesById } from '../buy-packages.ts';

type Days = Pick<MediaBuyRow, 'start_time' | 'end_time'>;

/** Whether a buy or a package of it is to begin sooner or end later: what is left is spent on more days. Pure. */
export function runsLonger(
  buy: Pick<MediaBuyRow, 'start_time' | 'end_time' | 'packages'>,
  proposed: ProposedBuy,
): boolean {
  const { start_time = buy.start_time, end_time = buy.end_time, packages = [] } = proposed;
  const after = { start_time, end_time };
  if (isWider(after, buy)) return true;
  return packages.some((part) => {
    const before = packagesById(buy).get(part.package_id);
    return before !== undefined && isWider(within(part, after), within(before, buy));
  });
}

/** One without dates of its own has those of its buy. */
function within({ start_time, end_time }: Partial<Days>, buy: Days): Days {
  return { start_time: start_time ?? buy.start_time, end_time: end_time ?? buy.end_time };
}

function isWider(after: Days, before: Days): boolean {
  return after.start_time < before.start_time || after.end_time > before.end_time;
}
