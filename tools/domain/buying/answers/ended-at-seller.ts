import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import type { Remark } from '../choice/choice-warnings.ts';
import { isPutAway } from '../machines.ts';

/**
 * Buys that their sellers gave an id, and that came to nothing all the same. Whatever was said beside the id, the
 * order was taken once: it is never sent anew under another key, and what is known of it stays. Pure.
 */

type Named = Pick<MediaBuyRow, 'adcp_media_buy_id'>;
type Ended = Named & Pick<MediaBuyRow, 'status'>;

/** Whether its seller gave it an id, and with that took the order. */
export function isNamed({ adcp_media_buy_id }: Named): boolean {
  return adcp_media_buy_id !== null;
}

/** Whether its seller took the order and ended it: it can be neither changed nor ordered again. */
export function isEndedThere(buy: Ended): boolean {
  return isNamed(buy) && (buy.status === 'FAILED' || buy.status === 'REJECTED');
}

/** Whether its seller took the order, and it is over for good: its seller ended it, or its buyer put it away. */
export function isOverThere(buy: Ended): boolean {
  return isEndedThere(buy) || isPutAway(buy);
}

interface Chosen {
  readonly agent_id: string;
}

/** What can still be ordered of a choice, and what a reader has to know of the rest. */
export function withoutEnded<C extends Chosen>(
  chosen: readonly C[],
  buys: readonly (Ended & Chosen & Pick<MediaBuyRow, 'id' | 'name' | 'agent_name'>)[],
): { readonly open: readonly C[]; readonly warnings: readonly Remark[] } {
  const ended = buys.filter(
    (buy) => isOverThere(buy) && chosen.some(({ agent_id }) => agent_id === buy.agent_id),
  );
  return {
    open: chosen.filter(({ agent_id }) => !ended.some((buy) => buy.agent_id === agent_id)),
    warnings: ended.map(({ id, name, agent_name, status, adcp_media_buy_id }) => ({
      type: 'ended_at_seller',
      text: `${name} is ${status}: ${agent_name} had taken it as ${adcp_media_buy_id}, so that nothing more is ordered there by this campaign. Choose products of other sellers, or order from it with another campaign.`,
      mediaBuyIds: [id],
    })),
  };
}
