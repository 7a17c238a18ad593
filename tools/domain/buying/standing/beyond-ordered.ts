import { fromFlag, fromJson } from '../../../../store/engine/codec.ts';
import type { MediaBuyChangeRow } from '../../../../store/media-buy-changes.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { grossBudgetOf } from '../../ledger/pricing.ts';
import { readMoney } from '../../money.ts';
import { isOpen } from '../changes/change-states.ts';
import { isOpenStatus } from '../machines.ts';
import { askSeller } from '../references.ts';
import { mediaOf } from '../spend/buy-commitment.ts';

/** What is said of a seller that shows far more money for its packages than was ordered of it, or delivered for more. Pure. */

/** Sellers round: a hundredth is not spoken of. */
const HUNDREDTH = 100;

/** In words; undefined where it shows what was ordered, and in the sandbox, where nothing is owed. */
export function beyondOrdered(buy: MediaBuyRow, changes: readonly MediaBuyChangeRow[]): string | undefined {
  if (fromFlag(buy.sandbox)) return undefined;
  if (isOpenStatus(buy.status)) return shownBeyond(buy, changes);
  return DELIVERED.has(buy.status) ? deliveredBeyond(buy) : undefined;
}

function shownBeyond(buy: MediaBuyRow, changes: readonly MediaBuyChangeRow[]): string | undefined {
  const { agent_name, budget_minor, currency, fee_bps } = buy;
  const told = fromJson(buy.packages).filter(({ canceled }) => canceled !== true);
  const shown = told.reduce((sum, part) => sum + (part.budget_minor ?? 0), 0);
  // A raise that waits is bound already, and its seller may show it before it is confirmed.
  const asked = changes.filter(({ state }) => isOpen(state)).map(({ committed_minor }) => committed_minor);
  const ordered = Math.max(budget_minor, ...asked);
  const gross = grossBudgetOf(shown, fee_bps);
  if (!isBeyond(buy, gross, ordered)) return undefined;
  const [only, another] = told;
  const which = only !== undefined && another === undefined ? only.package_id : 'its packages';
  return `${agent_name} shows ${readMoney(gross, currency)} for ${which}, ${owedOf(ordered, currency)} ${askSeller(buy)}.`;
}

/** What is over, once something of it may have been delivered. */
const DELIVERED: ReadonlySet<string> = new Set(['COMPLETED', 'CANCELED', 'ARCHIVED']);

function deliveredBeyond(buy: MediaBuyRow): string | undefined {
  const { agent_name, budget_minor, currency, fee_bps, spend_minor } = buy;
  const gross = grossBudgetOf(spend_minor, fee_bps);
  if (!isBeyond(buy, gross, budget_minor)) return undefined;
  return `${agent_name} delivered for ${readMoney(gross, currency)}, ${owedOf(budget_minor, currency)}`;
}

function isBeyond(buy: MediaBuyRow, gross: number, ordered: number): boolean {
  const most = Math.max(ordered, grossBudgetOf(mediaOf(buy), buy.fee_bps));
  return gross > most + most / HUNDREDTH;
}

function owedOf(ordered: number, currency: string): string {
  const owed = readMoney(ordered, currency);
  return `where ${owed} were ordered: no more than ${owed} is owed.`;
}
