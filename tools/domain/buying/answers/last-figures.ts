import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { next } from '../../../core/machines.ts';
import type { BuyReport } from '../../sellers/port.ts';
import { buyMachine } from '../machines.ts';
import { afterReport, type BuyChange, listedApartIn } from './buy-status.ts';
import { afterDelivery, type HeardAt } from './delivery.ts';
import { goesOnThere, mayGoOnThere } from './going-on-there.ts';

/**
 * What a report makes of a buy that is over: it stays so, unless its seller goes on showing it as one that is not. What
 * comes with such a word settles nothing: more may be spent.
 */
export function afterLastReport(buy: MediaBuyRow, report: BuyReport, at: HeardAt): BuyChange {
  if (report.kind !== 'buy') return {};
  if (goesOnThere(buy, report, at.now)) return goingOn(buy, report, at);
  const heard = { ...afterDelivery(buy, report, at), listed_apart: listedApartIn(report) };
  if (!mayGoOnThere(buy, report, at.now)) return heard;
  const { figures_reported_at: _, ...change } = heard;
  return change;
}

function goingOn(buy: MediaBuyRow, report: BuyReport, at: HeardAt): BuyChange {
  const status = next(buyMachine, buy.status, 'goOn') ?? buy.status;
  return {
    ...afterReport({ ...buy, status }, report, at),
    figures_awaited_since: null,
    figures_reported_at: null,
    goes_on_since: at.now,
  };
}
