import { fromJson } from '../../../../store/engine/codec.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { isAwaited, isOpenStatus } from '../machines.ts';
import { askSeller } from '../references.ts';

/**
 * What is said of a seller that lists a media buy which it is asked about more than once, and not each
 * time the same. Pure.
 */
export function listedTwice(buy: MediaBuyRow): string | undefined {
  const { listed_apart: apart, agent_name, adcp_media_buy_id } = buy;
  if (apart === null || !(isOpenStatus(buy.status) || isAwaited(buy))) return undefined;
  const fields = fromJson(apart).join(', ');
  return `${agent_name} lists ${adcp_media_buy_id} more than once, each time with another ${fields}: nothing of that was taken. ${askSeller(buy)}, to list each media buy once.`;
}

/** Whether that is its status: then nobody knows whether it is over there. */
export function isStatusApart({ listed_apart: apart }: Pick<MediaBuyRow, 'listed_apart'>): boolean {
  return apart !== null && fromJson(apart).includes('status');
}
