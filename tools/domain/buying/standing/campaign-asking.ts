import type { MediaBuyChangeRow } from '../../../../store/media-buy-changes.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { next } from '../../../core/machines.ts';
import { UNKNOWN_ENDING, UNKNOWN_ORDER } from '../answers/unknown-orders.ts';
import { headedFor, inTheWay, isEnd } from '../changes/change-standing.ts';
import { askMachine, isUnresolved } from '../machines.ts';

/** Which media buys of a campaign are asked what the whole of it is asked, by where each is headed. Pure. */

export type AskedOfAll = 'pause' | 'resume' | 'cancel' | 'archive';

type Buy = Pick<MediaBuyRow, 'id' | 'status' | 'submission'>;

/** What is told of a media buy that is not asked now. */
export interface LeftOut {
  readonly success: boolean;
  readonly pending: boolean;
  readonly why: string;
}

export interface Chosen<B> {
  readonly asked: readonly B[];
  /** Those that a reader has to know of. */
  readonly left: readonly (LeftOut & { readonly buy: B })[];
}

/** Of what was asked before and waits, the opposite gives way, and an end stands in nobody's way. */
export function chosenFor<B extends Buy>(
  buys: readonly B[],
  open: readonly MediaBuyChangeRow[],
  action: AskedOfAll,
): Chosen<B> {
  const asked: B[] = [];
  const left: (LeftOut & { buy: B })[] = [];
  for (const buy of buys) {
    const mine = open.filter(({ media_buy_id }) => media_buy_id === buy.id);
    const about = standing(buy, mine, action);
    if (about === 'asked') asked.push(buy);
    else if (about !== undefined) left.push({ ...about, buy });
  }
  return { asked, left };
}

function standing(
  buy: Buy,
  open: readonly MediaBuyChangeRow[],
  action: AskedOfAll,
): LeftOut | 'asked' | undefined {
  const isEndAsked = action === 'cancel' || action === 'archive';
  if (isUnresolved(buy) && !isEndAsked) return UNRESOLVED;
  // Nobody knows what became of it, or its seller did not do what it took: the same may be asked once more.
  const known = inTheWay({ action }, open);
  if (next(askMachine, headedFor(buy, known), action) !== undefined) {
    return known.some(({ state }) => state === 'sending') ? BUSY : 'asked';
  }
  if (isUnresolved(buy) && known.some(isEnd)) return UNKNOWN_AND_ENDING;
  if (known.some((one) => one.action === action)) return ASKED_BEFORE;
  return open.some(isEnd) ? ENDING : undefined;
}

const UNRESOLVED: LeftOut = {
  success: false,
  pending: false,
  why: UNKNOWN_ORDER,
};
const UNKNOWN_AND_ENDING: LeftOut = { success: false, pending: true, why: UNKNOWN_ENDING };
const BUSY: LeftOut = {
  success: false,
  pending: false,
  why: 'Another change of it is on its way to its seller: call again in a few seconds.',
};
const ASKED_BEFORE: LeftOut = {
  success: true,
  pending: true,
  why: 'The same was asked before, and its seller has not confirmed it yet.',
};
const ENDING: LeftOut = {
  success: true,
  pending: true,
  why: 'It was called off before, and its seller has not confirmed that yet.',
};
