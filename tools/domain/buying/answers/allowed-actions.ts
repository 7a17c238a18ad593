import { toJson } from '../../../../store/engine/codec.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';

type Columns = Pick<MediaBuyRow, 'adcp_status' | 'valid_actions'>;

/**
 * What a seller allows to be done with a buy, as it is kept after a report. That is of where the buy stands: what was
 * said of where it stood before holds no more, also where nothing is said of it now. Pure.
 */
export function actionsAfter(
  before: Pick<Columns, 'adcp_status'>,
  { adcp_status: now = before.adcp_status }: Partial<Columns>,
  told: readonly string[] | undefined,
): Partial<Pick<Columns, 'valid_actions'>> {
  if (told !== undefined) return { valid_actions: toJson([...told]) };
  return now === before.adcp_status ? {} : { valid_actions: null };
}
