import { fromFlag, fromJson } from '../../../store/engine/codec.ts';
import type { MediaBuyChangeRow } from '../../../store/media-buy-changes.ts';
import type { MediaBuyRow } from '../../../store/media-buys.ts';
import { grossBudgetOf } from '../ledger/pricing.ts';
import { readMoney } from '../money.ts';
import { mediaOf } from './buy-commitment.ts';
import { isOpen } from './change-states.ts';
import { isOpenStatus } from './machines.ts';
import { askSeller } from './references.ts';

/** What is said of a seller that shows far more money for its packages than was ordered of it. Pure. */

/** Sellers round: a hundredth is not spoken of. */
const HUNDREDTH = 100;
/** In words; undefined where it shows what was ordered, and in the sandbox, where nothing is owed. */
export function beyondOrdered(buy: MediaBuyRow, changes: readonly MediaBuyChangeRow[]): string | undefined {
  if (fromFlag(buy.sandbox) || !isOpenStatus(buy.status)) return undefined;
  const { agent_name, budget_minor, currency, fee_bps } = buy;
  const told = fromJson(buy.packages).filter(({ canceled }) => canceled !== true);
  const shown = told.reduce((sum, part) => sum + (part.budget_minor ?? 0), 0);
  // A raise that waits is bound already, and its seller may show it before it is confirmed.
  const asked = changes.filter(({ state }) => isOpen(state)).map(({ committed_minor }) => committed_minor);
  const ordered = Math.max(budget_minor, ...asked);
  const gross = grossBudgetOf(shown, fee_bps);
  const most = Math.max(ordered, grossBudgetOf(mediaOf(buy), fee_bps));
  if (gross <= most + most / HUNDREDTH) return undefined;
  const [only, another] = told;
  const which = only !== undefined && another === undefined ? only.package_id : 'its packages';
  const [showing, owed] = [gross, ordered].map((minor) => readMoney(minor, currency));
  return `${agent_name} shows ${showing} for ${which}, where ${owed} were ordered: no more than ${owed} is owed. ${askSeller(buy)}.`;
}
