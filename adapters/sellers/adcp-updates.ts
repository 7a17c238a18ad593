import { inWordsOfAdcp } from '../../tools/domain/buying/answers/told-words.ts';
import type { PackageUpdate, SellerAbilities } from '../../tools/domain/sellers/abilities.ts';
import type {
  BuyUpdate,
  SentUpdate,
  UpdateAnswer,
  UpdateReport,
} from '../../tools/domain/sellers/buy-update.ts';
import { SellerError } from '../../tools/domain/sellers/port.ts';
import { readTaskState, toldOfTask, wordsBeside } from './adcp-orders.ts';
import {
  asWord,
  buyIn,
  endedWithoutBuy,
  type Fields,
  messageIn,
  PENDING_TASKS,
  packagesIn,
  readId,
  taskFields,
} from './adcp-reading.ts';
import { accountReferenceOf, failureIn, MAJOR_VERSION, underCap } from './adcp-wire.ts';

/** The releases of AdCP that are spoken here, the newest first. */
const RELEASES = ['3.1', '3.0'];

/** A change in the words of `update_media_buy`. What it is about was checked to be declared before. */
export function updateMediaBuyRequest(
  { mediaBuyId, update }: SentUpdate,
  { versions }: SellerAbilities,
): Record<string, unknown> {
  const release = RELEASES.find((known) => versions?.includes(known));
  return {
    adcp_major_version: MAJOR_VERSION,
    ...(release === undefined ? {} : { adcp_version: release }),
    idempotency_key: update.idempotencyKey,
    account: accountReferenceOf(update.party),
    media_buy_id: mediaBuyId,
    ...(update.revision === undefined ? {} : { revision: update.revision }),
    ...wantedOf(update),
  };
}

function wantedOf(update: BuyUpdate): Record<string, unknown> {
  const { paused, canceled, cancellationReason, startTime, endTime, packages, newPackages, party } = update;
  return {
    ...(paused === undefined ? {} : { paused }),
    ...(canceled === undefined ? {} : { canceled }),
    ...(cancellationReason === undefined ? {} : { cancellation_reason: cancellationReason }),
    ...(startTime === undefined ? {} : { start_time: startTime }),
    ...(endTime === undefined ? {} : { end_time: endTime }),
    ...(packages === undefined ? {} : { packages: packages.map((one) => asChanged(one, party)) }),
    ...(newPackages === undefined ? {} : { new_packages: newPackages.map((one) => underCap(one, party)) }),
  };
}

/** A targeting takes the place of the one before, in which the cap of the advertiser stood. */
function asChanged(one: PackageUpdate, party: BuyUpdate['party']): object {
  return one.targeting_overlay === undefined ? one : underCap(one, party);
}

/**
 * What a seller says of a change. A change is whole or not at all: `errors` are a refusal of it, and beside the buy a
 * refusal that the buy itself has to bear out.
 */
export function readUpdateAnswer(content: unknown): UpdateAnswer {
  const fields = taskFields(content);
  const failed = failureIn(fields);
  const isNamed = buyIn(fields) !== undefined;
  if (failed !== undefined) return { kind: 'refused', ...failed, ...(isNamed ? { isNamed } : {}) };
  const task = asWord(fields['status']);
  const pending = task !== undefined && PENDING_TASKS.has(task);
  const taskId = readId(fields['task_id']);
  if (pending && taskId !== undefined) {
    return { kind: 'submitted', taskId, status: task, ...messageIn(fields) };
  }
  return endOf(fields, task) ?? acceptedAs(fields, pending ? task : undefined);
}

/** A change that came to nothing. */
function endOf(fields: Fields, task: string | undefined): UpdateAnswer | undefined {
  const isNamed = buyIn(fields) !== undefined;
  // Beside the buy, `canceled` is what the buy came to.
  const ended = isNamed && task === 'canceled' ? undefined : endedWithoutBuy(task, fields);
  return ended === undefined ? undefined : { kind: 'refused', ...ended, ...(isNamed ? { isNamed } : {}) };
}

function acceptedAs(fields: Fields, task: string | undefined): UpdateAnswer {
  const named = buyIn(fields);
  if (named === undefined && asWord(fields['status']) !== 'completed' && fields['success'] !== true) {
    const message = `The answer to the change names no media buy.${wordsBeside(fields)}`;
    throw new SellerError('invalid_response', message, { unresolved: true });
  }
  const buy = named ?? {};
  const told = asWord(buy['media_buy_status']) ?? asWord(fields['media_buy_status']) ?? asWord(buy['status']);
  // In 3.1 `completed` is the task that changed the buy, and not the buy.
  const isOfTask = told === undefined || inWordsOfAdcp(told) === 'completed' || PENDING_TASKS.has(told);
  const awaitsApproval = task !== undefined || buy['implementation_date'] === null;
  return {
    kind: 'accepted',
    status: isOfTask ? null : told,
    packages: packagesIn(buy['affected_packages'] ?? buy['packages'], buy, fields),
    ...(awaitsApproval ? { awaitsApproval } : {}),
    ...(task === undefined ? {} : { task }),
    ...messageIn(fields),
  };
}

/** The state of the task of a change; once it is completed, whether it came to anything. */
export function readUpdateTask(content: unknown, taskId: string): UpdateReport {
  const fields = taskFields(content);
  const status = asWord(fields['status']);
  // A task that is completed and names the buy has warnings at the most: what it came to, the buy tells.
  if (status === 'completed' && buyIn(fields) !== undefined) return { kind: 'done', ...messageIn(fields) };
  toldOfTask(content, taskId);
  if (status !== 'completed') {
    const report = readTaskState(content);
    return report.kind === 'buy' ? { kind: 'done' } : report;
  }
  const failed = failureIn(fields['result']) ?? failureIn(fields);
  return failed === undefined
    ? { kind: 'done', ...messageIn(fields) }
    : { kind: 'refused', message: failed.message };
}
