import type { CampaignRow } from '../../../../store/campaigns.ts';
import type { Pacing } from '../../../../store/media-buy-packages.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import type { AppError } from '../../../core/errors/app-error.ts';
import { namesApart } from '../../../core/errors/names-apart.ts';
import { conflict } from '../../../core/errors/refusals.ts';
import { isUnsent } from '../answers/unsent.ts';
import { packagesNow } from '../choice/package-lines.ts';
import { isLive } from '../machines.ts';
import { orderLines } from '../payloads.ts';
import { columnsProposed } from './columns-proposed.ts';
import type { AskedOf, Taking } from './taking.ts';

type Capped = Pick<CampaignRow, 'daily_cap_minor'>;

interface Capping extends Pick<Taking, 'buys' | 'open'> {
  readonly before: Capped;
  readonly after: Capped & Pick<CampaignRow, 'status'>;
}

/**
 * What stands against a daily cap for a campaign that was ordered without one: sellers are told none, and an even pace
 * alone keeps it. What is ordered under a cap is ordered so. Pure.
 */
export function pacedOtherwise({ before, after, buys, open }: Capping): AppError | undefined {
  if (after.daily_cap_minor === null || before.daily_cap_minor !== null) return undefined;
  // The orders of a draft are made anew.
  if (after.status === 'DRAFT') return undefined;
  const others = buys.filter((buy) => (isLive(buy) || isUnsent(buy)) && !isEven(buy, open));
  if (others.length === 0) return undefined;
  return conflict(
    `${[...namesApart(others).values()].join(', ')}: not all is paced even, and no other pace keeps budget.dailyCap.`,
    'Give its packages pacing even, or cancel it, with mediaBuys in the same call: the cap holds once its seller has confirmed.',
    { field: 'budget.dailyCap' },
  );
}

/** As it stands, and as it would once its seller has confirmed what was asked. */
function isEven(buy: MediaBuyRow, open: readonly AskedOf[]): boolean {
  const asked = open.filter(({ media_buy_id }) => media_buy_id === buy.id);
  const terms = [buy, ...asked.map(({ proposed }) => ({ ...buy, ...columnsProposed(proposed) }))];
  const added = asked.flatMap(({ newPackages = [] }) => newPackages);
  return [...terms.flatMap((one) => pacesOf(one)), ...added.map(({ pacing }) => pacing)].every(
    (pacing) => pacing === 'even',
  );
}

/** Of its packages; of what was ordered, as long as its seller names none. */
function pacesOf(buy: MediaBuyRow): (Pacing | undefined)[] {
  const packages = packagesNow(buy);
  if (packages.length === 0) return orderLines(buy).map(({ pacing }) => pacing);
  return packages.filter(({ canceled }) => canceled !== true).map(({ pacing }) => pacing);
}
