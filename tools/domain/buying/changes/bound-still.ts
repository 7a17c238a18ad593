import { fromFlag, fromJson } from '../../../../store/engine/codec.ts';
import type { MediaBuyChangeRow } from '../../../../store/media-buy-changes.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { readMoney } from '../../money.ts';
import { isLive } from '../machines.ts';
import { nameOf } from './awaited-words.ts';
import { isOpen } from './change-states.ts';

/** Raises whose place another change took, and whose money is bound still. Pure. */

type Change = Pick<
  MediaBuyChangeRow,
  | 'id'
  | 'action'
  | 'state'
  | 'payload'
  | 'proposed'
  | 'committed_minor'
  | 'created_at'
  | 'gave_way_to'
  | 'gave_way_in'
>;
type Bought = Pick<MediaBuyRow, 'status' | 'submission' | 'budget_minor' | 'currency' | 'sandbox'>;

/**
 * Why a raise counts though it gave way, and for how long; undefined where it does not. `all` are the changes of its
 * buy.
 */
export function boundStillInWords(
  buy: Bought,
  { state, proposed, gave_way_to, gave_way_in }: Change,
  all: readonly Change[],
): string | undefined {
  const by = all.find(({ id }) => id === gave_way_to);
  if (state !== 'superseded' || by === undefined || !isOpen(by.state)) return undefined;
  // What no seller was told of, nobody has.
  if (gave_way_in === 'held' || !isLive(buy) || fromFlag(buy.sandbox)) return undefined;
  const otherwise = Math.max(buy.budget_minor, budgetIn(by));
  if (budgetIn({ proposed }) <= otherwise) return undefined;
  const bound = readMoney(by.committed_minor, buy.currency);
  return `Its seller may have taken it: ${bound} stay bound until it is known what comes of the ${nameOf(by)} asked for at ${by.created_at}.`;
}

function budgetIn({ proposed }: Pick<Change, 'proposed'>): number {
  return fromJson(proposed).budget_minor ?? 0;
}
