import { fromJson } from '../../../../store/engine/codec.ts';
import type { MediaBuyChangeRow } from '../../../../store/media-buy-changes.ts';
import type { MediaBuyRow, MediaBuyStatus } from '../../../../store/media-buys.ts';
import { next } from '../../../core/machines.ts';
import type { UpdateAnswer } from '../../sellers/buy-update.ts';
import type { SellerError, ShownBuy } from '../../sellers/port.ts';
import { asks } from '../answers/buy-status.ts';
import { refusalColumns, speaksOfTheAsking } from '../answers/refused-orders.ts';
import { askMachine, buyMachine, isStop } from '../machines.ts';
import {
  type BuyRead,
  type ChangeAsked,
  leavesOutMoney,
  readingsOf,
  withOtherCurrencies,
} from './change-differences.ts';

/**
 * What becomes of a change by what its seller says, and by what the buy then reads like. Pure: the row and the
 * facts in, the changed columns out.
 */

export type ChangeColumns = Partial<
  Pick<
    MediaBuyChangeRow,
    | 'state'
    | 'owner'
    | 'takeovers'
    | 'adcp_task_id'
    | 'error_code'
    | 'error_owner'
    | 'source_message'
    | 'forwarded_at'
  >
>;

const answered = { owner: null, error_code: null, error_owner: null } as const;

interface Answered {
  readonly change: ChangeAsked;
  readonly buy: BuyRead;
  readonly now: string;
  /** The change may have been carried out by an earlier sending. */
  readonly inDoubt: boolean;
  /** How the buy read after it; undefined where that could not be learnt. */
  readonly report: ShownBuy | undefined;
}

export function afterUpdateAnswer(answer: UpdateAnswer, facts: Answered): ChangeColumns {
  switch (answer.kind) {
    case 'refused':
      return answer.isNamed ? afterNamedRefusal(answer, facts) : afterPlainRefusal(answer, facts);
    case 'submitted':
      return {
        ...answered,
        state: 'waiting',
        error_owner: waitedFor(answer.status),
        adcp_task_id: answer.taskId,
        forwarded_at: facts.now,
        source_message: answer.message ?? null,
      };
    case 'accepted':
      return afterAcceptance(answer, facts);
  }
}

/** Who has to act before the task of a change goes on; null where that is its seller. */
function waitedFor(task: string | undefined): 'buyer_input' | null {
  return task !== undefined && asks(task) ? 'buyer_input' : null;
}

/** A change whose task has not ended. Undefined where nothing is new. */
export function afterTask(
  change: Pick<MediaBuyChangeRow, 'state' | 'error_owner'>,
  { status, message }: { readonly status: string; readonly message?: string },
): ChangeColumns | undefined {
  const said = message === undefined ? {} : { source_message: message };
  const error_owner = waitedFor(status);
  const isMoved = change.state === 'waiting' && change.error_owner !== error_owner;
  if (!isMoved) return message === undefined ? undefined : said;
  return { ...said, error_owner };
}

/** A seller that took a change is believed, until the buy reads otherwise. */
function afterAcceptance(
  answer: Extract<UpdateAnswer, { kind: 'accepted' }>,
  { change, buy, now, report }: Answered,
): ChangeColumns {
  const columns = { ...answered, forwarded_at: now };
  const readings = readBy({ change, buy, report: withOtherCurrencies(report, answer, buy) });
  const differing = readings.filter((one) => one !== null);
  if (answer.awaitsApproval && (differing.length > 0 || readings.length === 0)) {
    const error_owner = waitedFor(answer.task);
    return { ...columns, state: 'waiting', error_owner, source_message: answer.message ?? null };
  }
  if (differing.length === 0) return confirmedAt(now);
  return { ...columns, ...shownOtherwise(differing) };
}

/** Its seller said yes, and has to show it or say what holds: an owner without an error tells it from what waits. */
function shownOtherwise(differing: readonly string[]): ChangeColumns {
  return { state: 'waiting', error_owner: 'seller', source_message: `${NOT_SHOWN}${differing.join(', ')}.` };
}

/** Whether its seller took it, and shows the buy otherwise. */
export function isShownOtherwise({
  state,
  error_code,
  error_owner,
}: Pick<MediaBuyChangeRow, 'state' | 'error_code' | 'error_owner'>): boolean {
  return state === 'waiting' && error_code === null && error_owner === 'seller';
}

/** The same as it was kept before it had an owner: by its words alone, which the next reading makes anew. */
export function wasShownOtherwise(
  change: Pick<MediaBuyChangeRow, 'state' | 'error_owner' | 'adcp_task_id' | 'source_message'>,
): boolean {
  const { state, error_owner, adcp_task_id, source_message } = change;
  const isUnmarked = state === 'waiting' && error_owner === null && adcp_task_id === null;
  return isUnmarked && source_message?.startsWith(NOT_SHOWN) === true;
}

/** A change that its seller took, after its buy was read otherwise. Undefined where nothing is new. */
export function stillOtherwise(
  change: MediaBuyChangeRow,
  buy: MediaBuyRow,
  report: ShownBuy,
): ChangeColumns | undefined {
  const differing = readingsOf(change, buy, report).filter((one) => one !== null);
  // A list that leaves it out says nothing new.
  if (differing.length === 0) return undefined;
  const columns = shownOtherwise(differing);
  const isSaid = isShownOtherwise(change) && change.source_message === columns.source_message;
  return isSaid && change.adcp_task_id === null ? undefined : { ...columns, adcp_task_id: null };
}

const NOT_SHOWN = 'The seller took the change, and does not show it yet: ';

type Refusal = Extract<UpdateAnswer, { kind: 'refused' }>;

/** How the buy reads after the change; nothing where that could not be learnt. */
function readBy({ change, buy, report }: Pick<Answered, 'change' | 'buy' | 'report'>) {
  return report === undefined ? [] : readingsOf(change, buy, report);
}

/** Whether the buy reads like what was asked for, and says something of it. */
export function isAsAsked(readings: ReturnType<typeof readingsOf>): boolean {
  return readings.length > 0 && readings.every((one) => one === null);
}

function confirmedAt(now: string): ChangeColumns {
  return { ...answered, forwarded_at: now, state: 'confirmed', source_message: null };
}

/** A refusal beside the buy: it was carried out where the buy reads so, refused where it reads otherwise. */
function afterNamedRefusal(refusal: Refusal, facts: Answered): ChangeColumns {
  const readings = readBy(facts);
  if (isAsAsked(readings)) return confirmedAt(facts.now);
  const differs = readings.length > 0 && readings.every((one) => one !== null);
  return differs
    ? afterRefusal(refusal, facts)
    : afterNoUpdate({ message: refusalColumns(refusal).source_message, unresolved: true });
}

/** A stop that its seller refuses because it was done already is done. */
function afterPlainRefusal(refusal: Refusal, facts: Answered): ChangeColumns {
  const isDone = isStop(facts.change.action) && isAsAsked(readBy(facts));
  return isDone ? confirmedAt(facts.now) : afterRefusal(refusal, facts);
}

function afterRefusal(
  refusal: Refusal,
  { change, inDoubt }: Pick<Answered, 'change' | 'inDoubt'>,
): ChangeColumns {
  const { code, transient = false, unresolved = false } = refusal;
  const said = refusalColumns(refusal);
  // What was asked to be ended is over at the seller: that is what was wanted.
  const isAskedAgain = transient && isStop(change.action);
  if (isAskedAgain || (inDoubt && (transient || unresolved || speaksOfTheAsking(code)))) {
    return afterNoUpdate({ message: said.source_message, unresolved: true });
  }
  return { state: 'refused', owner: null, ...said };
}

/** No answer that can be used. Where the seller may have acted, the same change is sent again under its key. */
export function afterNoUpdate(error: Pick<SellerError, 'message' | 'unresolved'>): ChangeColumns {
  return {
    state: error.unresolved ? 'unknown' : 'refused',
    owner: null,
    error_code: 'source_unavailable',
    error_owner: 'seller',
    source_message: error.message,
  };
}

/** A change that waits, after its buy was read again. Undefined where nothing is new. */
export function afterReading(
  change: MediaBuyChangeRow,
  buy: MediaBuyRow,
  report: ShownBuy,
): ChangeColumns | undefined {
  const readings = readingsOf(change, buy, report);
  if (readings.some((one) => one !== null)) return undefined;
  // What nobody answered, and what was shown otherwise, is believed only by what it reads like.
  const isOtherwise = isShownOtherwise(change);
  if (readings.length === 0 && (isOtherwise || change.state === 'unknown')) return undefined;
  const isSaidElsewhere = isOtherwise || change.adcp_task_id !== null;
  if (leavesOutMoney(change, buy, { report, isSaidElsewhere })) return undefined;
  return { ...answered, state: 'confirmed', source_message: null };
}

/** Where a confirmed change takes its buy: what the seller says of it, or what was asked where it is silent. */
export function statusAfter(
  { action, proposed }: Pick<MediaBuyChangeRow, 'action' | 'proposed'>,
  before: MediaBuyStatus,
  told: MediaBuyStatus | undefined,
): MediaBuyStatus {
  if (action === 'archive') return next(buyMachine, before, 'putAway') ?? before;
  const isPart = action === 'cancel' && fromJson(proposed).packages !== undefined;
  if (told !== undefined) return told;
  return action === 'update' || isPart ? before : (next(askMachine, before, action) ?? before);
}
