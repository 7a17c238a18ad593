import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import type { BuyReport } from '../../sellers/port.ts';
import type { BuyChange } from './buy-status.ts';
import { afterDelivery, type HeardAt } from './delivery.ts';

/** What a report makes of a buy that is over: it stays so, whatever its seller says of where it stands. */
export function afterLastReport(buy: MediaBuyRow, report: BuyReport, at: HeardAt): BuyChange {
  return report.kind === 'buy' ? afterDelivery(buy, report, at) : {};
}
