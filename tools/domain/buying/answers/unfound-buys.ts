import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { isOpenStatus } from '../machines.ts';
import { askSeller } from '../references.ts';
import { isNamed } from './ended-at-seller.ts';

/** Media buys that live here, and that their sellers say they do not have. Pure. */

export const ENDED_AS_UNFOUND =
  'Its seller says that it does not have it, and the operator of this installation has ended it here.';

type Asked = Pick<MediaBuyRow, 'status' | 'submission' | 'adcp_media_buy_id'>;

/** Whether its seller took it and named it, and could still have it. */
export function livesThere(buy: Asked): boolean {
  return isNamed(buy) && buy.submission === 'answered' && isOpenStatus(buy.status);
}

/** What is said of one while its seller says so, with the way out. */
export function unfoundInWords(buy: MediaBuyRow): string | undefined {
  const { unfound_since, agent_name, adcp_media_buy_id } = buy;
  if (unfound_since === null || !livesThere(buy)) return undefined;
  return `${agent_name} says since ${unfound_since} that it does not have ${adcp_media_buy_id}: its budget stays bound. ${askSeller(buy)}; where it has none, the operator of this installation can end it here.`;
}

/** What is said of one that was ended so. */
export function endedInWords({ agent_name }: Pick<MediaBuyRow, 'agent_name'>): string {
  return `${agent_name} says that it does not have it, and the operator of this installation has ended it here: what was delivered counts, and the rest of its budget is released.`;
}
