import type { DiscoverySelectionRow } from '../../../../store/discovery-selections.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import type { Context } from '../../../core/context.ts';
import type { AppError } from '../../../core/errors/app-error.ts';
import { withoutEnded } from '../answers/ended-at-seller.ts';
import { againAtAnotherMajor, againstAnotherMajor, ofAnotherMajor } from '../changes/other-majors.ts';
import { asChosen, orderRefusal, undeclaredFor } from '../changes/undeclared-targeting.ts';
import { problemsOf } from '../choice/choice-problems.ts';
import { type Left, type Remark, remarksOf } from '../choice/choice-warnings.ts';
import { closedAmong } from '../choice/closed-sellers.ts';
import { unpriced } from '../choice/fees.ts';
import { stageOf } from '../ways-out.ts';
import { holdsOrder } from './kept-orders.ts';
import { leftUnordered } from './left-unordered.ts';
import { accountProblems, accountProblemsAgain } from './order-accounts.ts';
import type { Loaded } from './order-loading.ts';
import { againstRebuying } from './rebuying.ts';

/**
 * What stands against the orders of an execute, and what is worth knowing of them. Pure: what was loaded in, one
 * refusal or remarks out.
 */

export interface Ordered {
  /** What is ordered of the choice. */
  readonly selections: readonly DiscoverySelectionRow[];
  /** What other buys of the campaign have of its budget. */
  readonly committed: number;
}

/**
 * Every reason why this cannot be ordered, in one refusal; undefined where there is none. `others` is what else
 * stands against it.
 */
export function refusalOf(
  loaded: Loaded,
  { selections, committed }: Ordered,
  others: readonly AppError[] = [],
): AppError | undefined {
  const { campaign, terms, known, buys: before, fees, naming, openSellers } = loaded;
  // An order that its seller may hold goes out again as it is, whatever its seller declares by now.
  const unseen = selections.filter(({ agent_id }) => !mayHold(before, agent_id));
  const agentIds = unseen.map(({ agent_id }) => agent_id);
  const undeclared = undeclaredFor(unseen, { campaign, known, before });
  const problems = [
    ...problemsOf(terms, selections, { committed, fees, ownPeriods: ownPeriodsOf(before), naming }),
    ...unpriced(selections, fees, before),
    ...closedAmong(openSellers, selections, { before, naming }),
    ...accountProblems(agentIds, loaded),
    ...others,
  ];
  const refused = orderRefusal(undeclared, stageOf(campaign, naming), problems);
  const another = ofAnotherMajor(unseen, known, before);
  return againstAnotherMajor(another, naming, refused);
}

/** What a buy was given of its own goes on with whatever is ordered in its place. */
export function ownPeriodsOf(before: readonly Pick<MediaBuyRow, 'agent_id' | 'pacing_periods'>[]) {
  return (agentId: string) => before.find(({ agent_id }) => agent_id === agentId)?.pacing_periods ?? null;
}

function mayHold(buys: readonly MediaBuyRow[], agentId: string): boolean {
  return buys.some(({ agent_id, submission }) => agent_id === agentId && submission === 'unknown');
}

/** The same of orders that go out once more as they were, where there is no choice to go by. */
export function refusalAgain(
  { campaign, known, held, buys }: Loaded,
  again: readonly MediaBuyRow[],
): AppError | undefined {
  const undeclared = undeclaredFor(asChosen(again), { campaign, known, before: buys });
  const refused = orderRefusal(undeclared, stageOf(campaign), accountProblemsAgain(held, buys));
  const another = againAtAnotherMajor(again, known);
  return againstAnotherMajor(another, 'kept', refused);
}

/** That another campaign has bought of the same session what would be ordered. */
export function boughtBefore(
  ctx: Pick<Context, 'asked'>,
  { elsewhere, naming }: Loaded,
  selections: Ordered['selections'],
): AppError[] {
  return againstRebuying(elsewhere, selections, { tool: ctx.asked.tool, naming });
}

/** What does not keep orders back, and is worth knowing, by what is left once they were sent. */
export type Remarks = (left: Left) => readonly Remark[];

/** What of the choice is not ordered, and of what is ordered what is otherwise than somebody might think. */
export function remarksFor({ terms, chosen, buys }: Loaded, ordered: Ordered | undefined): Remarks {
  return (left) => [
    ...withoutEnded(chosen, buys).warnings,
    ...leftUnordered(chosen, buys.filter(holdsOrder)),
    ...(ordered === undefined
      ? []
      : remarksOf(terms, ordered.selections, { ...left, committed: ordered.committed })),
  ];
}
