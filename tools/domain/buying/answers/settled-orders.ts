import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { isTakenUnheard } from '../../../../store/unscoped/unknown-orders.ts';
import { WITH_ITS_CAMPAIGN } from '../ways-out.ts';
import { endedInWords } from './unfound-buys.ts';

/**
 * Orders of which nobody knew whether their sellers took them, until the operator of the installation had asked by
 * other means and settled it. Pure.
 */

/** Who writes what the operator settles. */
export const SETTLER = 'operator';

export const SETTLED_AS_NOT_TAKEN =
  'The operator of this installation has settled that the seller did not take the order.';

interface Beside {
  /** Whether a change that is spoken of was refused. */
  readonly isRefused: boolean;
  /** Whether anything else is said. */
  readonly more: boolean;
  /** Whether its campaign is over, so that nothing is ordered again. */
  readonly isLeft: boolean;
}

/** What is said of an order as long as what the operator settled is the last that is known of it. */
export function settledInWords(buy: MediaBuyRow, { isRefused, more, isLeft }: Beside): string | undefined {
  const { status, submission, updated_by, agent_name, adcp_media_buy_id } = buy;
  if (isTakenUnheard(buy)) {
    const nothing = more ? '' : ' Nothing is to be done.';
    const next = isRefused
      ? ` You: tell the operator, who settles it anew where ${agent_name} does not know it so.`
      : nothing;
    return `Nobody knew whether ${agent_name} took the order, and the operator of this installation has settled that it did, as ${adcp_media_buy_id}: where it stands there is told with the next news of the seller.${next}`;
  }
  if (updated_by !== SETTLER || submission !== 'answered') return undefined;
  if (status === 'CANCELED') return endedInWords(buy);
  return status === 'FAILED' ? notTakenInWords(agent_name, isLeft) : undefined;
}

function notTakenInWords(agent_name: string, isLeft: boolean): string {
  return `Nobody knew whether ${agent_name} took the order, and the operator of this installation has settled that it did not: nothing of it is bound. ${isLeft ? WITH_ITS_CAMPAIGN : 'You: execute the campaign again, or choose products of other sellers.'}`;
}
