import type { CampaignRow } from '../../../../store/campaigns.ts';
import type { DiscoverySelectionRow } from '../../../../store/discovery-selections.ts';
import { fromFlag } from '../../../../store/engine/codec.ts';
import { scopeOfRow } from '../../../../store/engine/scope.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import type { Context } from '../../../core/context.ts';
import type { AppError } from '../../../core/errors/app-error.ts';
import { archived } from '../../advertisers/active.ts';
import { reachAdvertiser } from '../../advertisers/reach.ts';
import { accountOf } from '../../ledger/account.ts';
import { creditMissing } from '../../ledger/commitments.ts';
import { withoutEnded } from '../answers/ended-at-seller.ts';
import { ahead, planOf } from '../choice/allocation.ts';
import { closedSellers } from '../choice/closed-sellers.ts';
import { type Fees, unpriced } from '../choice/fees.ts';
import { flightOver } from '../choice/flight.ts';
import { nothingChosenInWords } from './nothing-chosen.ts';
import { accountsTakenBack } from './order-accounts.ts';
import { againstRebuying, boughtElsewhere } from './rebuying.ts';

interface Drafted {
  readonly selections: readonly DiscoverySelectionRow[];
  readonly fees: Fees;
  /** The buys of an execute before, every one of which was refused. */
  readonly before: readonly MediaBuyRow[];
}

/**
 * What would keep the orders of a draft back, whatever its products are: each in the words in which an execute would
 * refuse it, with what to do. It costs a few queries, so that it is asked of one campaign and never of a list.
 */
export async function stopsOf(ctx: Context, campaign: CampaignRow, drafted: Drafted): Promise<string[]> {
  const { fees, before } = drafted;
  const { open } = withoutEnded(drafted.selections, before);
  if (open.length === 0) return [];
  const advertiser = await reachAdvertiser(ctx, campaign.advertiser_id);
  const stops = [
    archived(advertiser),
    flightOver(campaign, ctx.now),
    ...unpriced(open, fees, before),
    ...(await closedSellers(ctx, open, { before })),
    ...(await accountsTakenBack(ctx, advertiser, open)),
    ...againstRebuying(await boughtElsewhere(ctx, campaign), open, { tool: 'campaign_execute' }),
    await beyondAccount(ctx, campaign, open),
  ];
  return stops.flatMap((stop) => (stop === undefined ? [] : [inWords(stop)]));
}

/** The same of a draft for which nothing is chosen: what can be said without a look at anything else. */
export function stopsWithoutChoice(campaign: CampaignRow, now: string): string[] {
  const over = flightOver(campaign, now);
  return [...(over === undefined ? [] : [inWords(over)]), nothingChosenInWords(campaign)];
}

/** What the orders would bind beyond what the account has. Nothing is paid in the sandbox. */
async function beyondAccount(
  { db, now }: Context,
  campaign: CampaignRow,
  open: readonly DiscoverySelectionRow[],
): Promise<AppError | undefined> {
  if (fromFlag(campaign.sandbox)) return undefined;
  const { allocated, problem } = planOf(ahead(campaign, now), open);
  // What does not fit into the budget is refused before anybody looks at the account.
  if (problem !== undefined) return undefined;
  const account = await accountOf(db, scopeOfRow(campaign), campaign.currency);
  return creditMissing(account, allocated, { by: 'Executing it' });
}

function inWords({ message, suggestion }: AppError): string {
  return suggestion === undefined ? message : `${message} ${suggestion}`;
}
