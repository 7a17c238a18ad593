import { asFields, isFields } from '../../tools/core/schemas/checks.ts';
import { speaksOfTheAsking } from '../../tools/domain/buying/answers/refused-orders.ts';
import { eventTold, inWordsOfAdcp, UNTOLD } from '../../tools/domain/buying/answers/told-words.ts';
import type { BuyReport, OrderAnswer, ShownBuy } from '../../tools/domain/sellers/port.ts';
import { SellerError } from '../../tools/domain/sellers/port.ts';
import { sellerText } from '../../tools/domain/text.ts';
import {
  asWord,
  buyIn,
  ENDED_TASKS,
  endedWithoutBuy,
  endOf,
  entriesIn,
  type Fields,
  listedPackagesIn,
  messageIn,
  PENDING_TASKS,
  packagesIn,
  readId,
  STATUS_MAX,
  taskFields,
  timesIn,
  totalIn,
  wordsIn,
} from './adcp-reading.ts';
import { failureIn, readFailure } from './adcp-wire.ts';
import { agreedBuy } from './listed-twice.ts';
import { refuseFailure } from './seller-failures.ts';

/**
 * What AdCP sellers say of orders and media buys. Money hangs on it, so it is read liberally: the id is looked
 * for first, and no other field, whatever is in it, makes an order undone that the seller took.
 */

/** Words of 3.0 and before for a buy that was taken and has not started. */
const WAITING_WORDS = new Set(['pending_activation', 'ready', 'scheduled']);

export function readOrderAnswer(content: unknown): OrderAnswer {
  const fields = taskFields(content);
  const buy = buyIn(fields);
  if (buy !== undefined) return acceptedAs(fields, buy);
  const task = asWord(fields['status']);
  const refused = failureIn({ adcp_error: fields['adcp_error'] });
  if (refused !== undefined) return { kind: 'refused', ...refused };
  const taskId = readId(fields['task_id']);
  if (task !== undefined && PENDING_TASKS.has(task) && taskId !== undefined) {
    return { kind: 'submitted', taskId, status: task, ...messageIn(fields) };
  }
  const failed = failureIn(fields) ?? endedWithoutBuy(task, fields);
  if (failed !== undefined) return { kind: 'refused', ...failed };
  throw new SellerError(
    'invalid_response',
    `The answer to the order names no media buy.${wordsBeside(fields)}`,
    {
      unresolved: true,
    },
  );
}

const WORDS_MAX = 500;

/** What an answer says that could not be read, for whoever asks the seller. */
export function wordsBeside(fields: Fields): string {
  const { error } = fields;
  const words = readFailure(error)?.message ?? sellerText(error, WORDS_MAX) ?? messageIn(fields).message;
  return words === undefined ? '' : ` The seller says: ${words}`;
}

function acceptedAs(answer: Fields, buy: Fields): Extract<OrderAnswer, { kind: 'accepted' }> {
  const ofBuy = asWord(buy['media_buy_status']) ?? asWord(answer['media_buy_status']);
  const told = asWord(buy['status']) ?? asWord(answer['status']);
  const status = ofBuy ?? statusByTask(told);
  const asked = ofBuy === undefined && status === UNTOLD ? { message: toBeAsked(told) } : {};
  const failed = failureIn(answer) ?? readFailure(answer['error']) ?? failureIn(buy);
  const packages = packagesIn(buy['packages'] ?? answer['packages'], buy, answer);
  return {
    kind: 'accepted',
    mediaBuyId: readId(buy['media_buy_id']) ?? '',
    status: waitsForCreatives(buy, status) ? 'pending_creatives' : status,
    packages,
    ...totalIn(packages, buy, answer),
    ...asked,
    ...(failed === undefined
      ? { ...messageIn(answer), ...messageIn(buy) }
      : { message: `${failed.code}: ${failed.message}` }),
  };
}

/**
 * The status of a buy by a word that may be that of the task. `completed` is the task that took the order; how else a
 * task ended says nothing of a buy that has an id.
 */
function statusByTask(told: string | undefined): string {
  if (told === undefined) return 'pending_start';
  const word = inWordsOfAdcp(told);
  if (word === 'completed') return 'pending_start';
  return ENDED_TASKS.has(word) ? UNTOLD : told;
}

function toBeAsked(told: string | undefined): string {
  return `The order was answered with “${told}” and with a media buy: the seller is asked what became of that.`;
}

/** 3.1 moved the status of the buy out of `status`, which is that of the task there. */
export function statusOf(buy: Fields): string | undefined {
  return asWord(buy['media_buy_status']) ?? asWord(buy['status']);
}

/** Sellers without a word of their own for it say it by a deadline, or by the formats that are missing. */
function waitsForCreatives(buy: Fields, status: string): boolean {
  if (!WAITING_WORDS.has(status)) return false;
  if (sellerText(buy['creative_deadline'], STATUS_MAX) !== undefined) return true;
  return entriesIn(buy['packages']).some(({ format_ids_to_provide: missing }) => {
    return Array.isArray(missing) && missing.length > 0;
  });
}

/** The buy that was asked for among those in the answer; undefined when the seller does not know it. */
export function readMediaBuy(content: unknown, mediaBuyId: string): ShownBuy | undefined {
  const entries = entriesForBuy(content, 'media_buys', mediaBuyId);
  return agreedBuy(entries.map((buy) => readEntry(buy, mediaBuyId)));
}

function readEntry(buy: Fields, mediaBuyId: string): ShownBuy {
  const status = statusOf(buy) ?? null;
  const packages = listedPackagesIn(buy['packages'], buy);
  return {
    kind: 'buy',
    mediaBuyId,
    status: status !== null && waitsForCreatives(buy, status) ? 'pending_creatives' : status,
    packages,
    ...totalIn(packages, buy),
    ...termsIn(buy),
    ...whyOver(status, buy),
  };
}

/** Why its seller has ended it; what is canceled otherwise its buyer has called off. */
function whyOver(status: string | null, { rejection_reason, cancellation }: Fields): { message?: string } {
  const { canceled_by, reason } = asFields(cancellation);
  const event = eventTold(status ?? '');
  const ofCancel = event === 'cancel' && asWord(canceled_by) === 'seller' ? reason : undefined;
  const why = sellerText(event === 'reject' ? rejection_reason : ofCancel, WORDS_MAX);
  return why === undefined ? {} : { message: why };
}

/** When it runs, and what may be done with it, where the seller says so. */
function termsIn(buy: Fields) {
  const { start_time: startTime, end_time: endTime, asDays } = timesIn(buy);
  const validActions = wordsIn(buy['valid_actions']);
  return {
    ...(startTime === undefined ? {} : { startTime }),
    ...(endTime === undefined ? {} : { endTime }),
    ...(asDays === undefined ? {} : { asDays }),
    ...(validActions === undefined ? {} : { validActions }),
  };
}

/** All entries of a list that are of the buy: more than one contradict each other, or say the same. */
export function entriesForBuy(content: unknown, list: string, mediaBuyId: string): Fields[] {
  const entries = isFields(content) ? content[list] : undefined;
  if (!Array.isArray(entries)) {
    throw new SellerError('invalid_response', 'The answer holds no list of media buys.');
  }
  return entries.filter((entry) => isFields(entry) && readId(entry['media_buy_id']) === mediaBuyId);
}

/** What the task of an order came to, or its state: as in the answer to an order, the id is looked for first. */
export function readTask(content: unknown, taskId: string): BuyReport {
  const fields = taskFields(content);
  const buy = buyIn(fields);
  if (buy === undefined) return readTaskState(toldOfTask(content, taskId));
  return { ...acceptedAs(fields, buy), kind: 'buy' };
}

/**
 * What is told of a task. An error beside its id and its end is what it ended with; any other, and one that speaks of
 * the asking, says that nothing is told of it.
 */
export function toldOfTask(content: unknown, taskId: string): unknown {
  const fields = taskFields(content);
  const status = asWord(fields['status']) ?? '';
  const isOver = status === 'completed' || ENDED_TASKS.has(status);
  const failed = failureIn(fields);
  if (failed === undefined || !isOver || readId(fields['task_id']) !== taskId) return refuseFailure(fields);
  return failed.transient || speaksOfTheAsking(failed.code) ? refuseFailure(fields) : fields;
}

/** The state of a task; once it is completed, what it came to. */
export function readTaskState(content: unknown): BuyReport {
  const fields = taskFields(content);
  const status = asWord(fields['status']);
  if (status === undefined) {
    throw new SellerError('invalid_response', 'The answer holds no state of the task.');
  }
  if (status === 'completed') {
    const answer = readOrderAnswer(fields['result'] ?? fields);
    if (answer.kind === 'accepted') return { ...answer, kind: 'buy' };
    if (answer.kind === 'refused') return { kind: 'refused', message: answer.message };
  }
  if (ENDED_TASKS.has(status)) return { kind: 'refused', message: whyEnded(status, fields) };
  return { kind: 'task', status, ...messageIn(fields) };
}

function whyEnded(task: string, fields: Fields): string {
  const error = readFailure(fields['error']) ?? failureIn(fields['result']) ?? failureIn(fields);
  return error?.message ?? endOf(task, messageIn(fields).message);
}
