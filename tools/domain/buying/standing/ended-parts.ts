import { fromFlag, fromJson } from '../../../../store/engine/codec.ts';
import type { BuyPackage } from '../../../../store/media-buy-packages.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { firstFew } from '../../counted.ts';
import { readMoney } from '../../money.ts';
import { keptIn } from '../changes/kept-budgets.ts';
import { isOpenStatus } from '../machines.ts';
import { askSeller } from '../references.ts';

const AGAIN = 'call it off once more with mediaBuys, action cancel and packageIds of campaign_update';

/** How many are named. */
const NAMED = 5;

/**
 * What is said of packages that their seller called off by itself, and of such that it shows as going on although they
 * were called off; undefined where there are none. Pure.
 */
export function endedPartsInWords(buy: MediaBuyRow): string | undefined {
  if (!isOpenStatus(buy.status)) return undefined;
  const packages = fromJson(buy.packages);
  const said = [
    bySeller(
      buy,
      packages.filter((part) => part.ended_by_seller === true),
    ),
    goingOn(
      buy,
      packages.filter((part) => part.shown_on === true),
    ),
  ].filter((one) => one !== undefined);
  return said.length === 0 ? undefined : said.join(' ');
}

function bySeller(
  { agent_name, currency, sandbox }: MediaBuyRow,
  ended: readonly BuyPackage[],
): string | undefined {
  if (ended.length === 0) return undefined;
  const called = `${agent_name} called off ${named(ended)} by itself`;
  if (fromFlag(sandbox)) return `${called}.`;
  return `${called}: ${readMoney(keptIn(ended), currency)} stay bound for what was delivered of that, and the rest is released.`;
}

/** What it goes on to spend is taken from the campaign as it is told. */
function goingOn(buy: MediaBuyRow, shown: readonly BuyPackage[]): string | undefined {
  if (shown.length === 0) return undefined;
  return `${buy.agent_name} shows ${named(shown)} as going on, although called off: what it spends there counts as it is told. ${askSeller(buy)}, to end that, or ${AGAIN}.`;
}

function named(packages: readonly BuyPackage[]): string {
  return firstFew(
    packages.map(({ package_id }) => package_id),
    { most: NAMED, word: 'package' },
  );
}
