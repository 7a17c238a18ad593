import { tenantOfRow } from '../../../../store/engine/scope.ts';
import { findMediaBuyChange } from '../../../../store/media-buy-changes.ts';
import { findSeller } from '../../../../store/unscoped/market.ts';
import type { AuditedWrite, Context, Services } from '../../../core/context.ts';
import { nowOf } from '../../../core/moments.ts';
import { underWay } from '../../../core/under-way.ts';
import type { BuyUpdate, SentUpdate, UpdateAnswer } from '../../sellers/buy-update.ts';
import { StoppedError, withinSellerTimeout } from '../../sellers/deadline.ts';
import { noting } from '../../sellers/last-failures.ts';
import { type Seller, SellerError } from '../../sellers/port.ts';
import { asSeller } from '../../sellers/seller.ts';
import { leavesDoubt } from '../answers/refused-orders.ts';
import { afterNoUpdate, afterReading, afterUpdateAnswer } from '../changes/change-outcome.ts';
import { isStop } from '../machines.ts';
import { layDownChange } from '../orders/laid-down.ts';
import { patiently } from '../orders/order-sending.ts';
import { requireNotTakenOver, TakenOverError } from '../orders/taken-over.ts';
import { updateIn } from '../payloads.ts';
import { keptBackAdded } from './added-under-account.ts';
import type { RecordedChange } from './change-recording.ts';
import { type ChangeResult, onItsWay, resultOf } from './change-results.ts';
import { asItStands, type Changed, type Outcome, storeOutcome } from './change-storing.ts';
import { settleBeside } from './settled-beside.ts';

/**
 * Sends what was recorded to its sellers, outside of any transaction, stores what they say, and tells it buy by
 * buy. One seller is settled by itself: what cannot be stored of its answer hides nothing of the others.
 */
export function sendChanges(ctx: Context, recorded: readonly RecordedChange[]): Promise<ChangeResult[]> {
  return Promise.all(recorded.map((one) => sendOne(ctx, one)));
}

const NOT_STORED =
  'The change was sent, and what came of it could not be stored. It is sent again by itself, under the same key.';
const LEFT_BY_STOP =
  'The change is on its way: the service stops, and sends it again by itself when it is back, under the same key.';

async function sendOne(ctx: Context, { change, buy, before }: RecordedChange): Promise<ChangeResult> {
  const { status: previousStatus } = before;
  if (change.state !== 'sending') return resultOf({ change, buy }, previousStatus);
  const write: AuditedWrite = (work, subject) => ctx.write(work, subject);
  try {
    const changed = await sendChange(ctx.services, { change, buy }, { write, repeat: false });
    return changed === undefined
      ? onItsWay(buy, previousStatus, LEFT_BY_STOP)
      : resultOf(changed, previousStatus);
  } catch (err) {
    const { services, requestId } = ctx;
    services.log.error({ err, mediaBuyId: buy.id, requestId }, 'storing what came of a change failed');
    return onItsWay(buy, previousStatus, NOT_STORED);
  }
}

interface Sending {
  readonly write: AuditedWrite;
  /** An earlier sending under the same key may have reached the seller. */
  readonly repeat: boolean;
  readonly signal?: AbortSignal;
}

/**
 * Sends a change that is stored and marked `sending`, reads the buy back, and stores what comes of both. The change
 * carries a key of its own: sent again after a crash it is a replay at the seller, never a second change. Undefined
 * when the service stops meanwhile, and the next process takes it over: the change stays as it is, or is laid down
 * where its seller is known not to have it.
 */
export function sendChange(
  services: Services,
  changed: Changed,
  sending: Sending,
): Promise<Changed | undefined> {
  return underWay(services, changed.change.id, () => sendAndStore(services, changed, sending));
}

async function sendAndStore(
  services: Services,
  { change, buy }: Changed,
  sending: Sending,
): Promise<Changed | undefined> {
  const asked = await askSeller(services, { change, buy }, sending);
  if (asked instanceof StoppedError) {
    if (!asked.unresolved) await layDownChange(services, change);
    return undefined;
  }
  if (asked instanceof TakenOverError) return asItStands(services.store.db, { change, buy });
  const { write } = sending;
  const stored = await storeOutcome(services, { change, buy }, { ...asked, write });
  return settleBeside(services, stored, { report: asked.report, write });
}

async function askSeller(
  services: Services,
  { change, buy }: Changed,
  { signal, repeat }: Sending,
): Promise<Pick<Outcome, 'columns' | 'report'> | StoppedError | TakenOverError> {
  const { sellers, clock } = services.ports;
  const { db } = services.store;
  const tenant = tenantOfRow(buy);
  const row = await findSeller(db, tenant, buy.agent_id);
  if (row === undefined) {
    return {
      columns: afterNoUpdate({ message: 'The seller has left the marketplace.', unresolved: repeat }),
    };
  }
  const seller = asSeller(row);
  const mediaBuyId = buy.adcp_media_buy_id ?? '';
  let inDoubt = repeat;
  // A refusal that names the buy says nothing of the change: whatever is said after it, the buy decides.
  let isNamed = false;
  try {
    const update = updateIn(change);
    const seen = await beforeAdding(services, { change, buy }, { seller, signal, update, repeat });
    if ('columns' in seen) return seen;
    const ask = async (): Promise<UpdateAnswer> => {
      await requireNotTakenOver(services, change, () => findMediaBuyChange(db, tenant, change.id));
      const answer = await withinSellerTimeout(services, signal, (own) =>
        sellers.updateMediaBuy(seller, { mediaBuyId, update, ...seen }, own),
      );
      if (answer.kind !== 'refused') return answer;
      inDoubt ||= leavesDoubt(answer);
      isNamed ||= answer.isNamed === true;
      return isNamed ? { ...answer, isNamed } : answer;
    };
    const asked = { seller, task: 'update_media_buy', party: update.party } as const;
    const answer = await noting(services, asked, () => patiently(services, ask));
    const report = isReadBack(answer)
      ? await readBack(services, { change, buy }, { seller, signal })
      : undefined;
    const now = nowOf(clock);
    return {
      columns: afterUpdateAnswer(answer, { change, buy, now, inDoubt, report }),
      report: report ?? toldBy(answer, mediaBuyId),
    };
  } catch (error) {
    if (error instanceof TakenOverError) return error;
    return afterThrown(services, { change, buy }, { error, inDoubt: inDoubt || isNamed });
  }
}

/** What comes of packages that are added without asking for them: they are there, or are not to be ordered. */
async function beforeAdding(
  services: Services,
  changed: Changed,
  { repeat, ...of }: { seller: Seller; signal: AbortSignal | undefined; update: BuyUpdate; repeat: boolean },
): Promise<Pick<Outcome, 'columns' | 'report'> | Pick<SentUpdate, 'unseen'>> {
  if (of.update.newPackages === undefined) return {};
  const seen = repeat ? await seenAdded(services, changed, of) : {};
  if ('columns' in seen) return seen;
  const columns = await keptBackAdded(services, changed, { signal: of.signal, inDoubt: repeat });
  return columns === undefined ? seen : { columns };
}

/**
 * Packages that were added are there twice where a seller takes the repeat for another change, whatever its key: before
 * it is sent again, what the seller shows of the buy decides.
 */
async function seenAdded(
  services: Services,
  { change, buy }: Changed,
  of: { seller: Seller; signal: AbortSignal | undefined },
): Promise<Pick<Outcome, 'columns' | 'report'> | Pick<SentUpdate, 'unseen'>> {
  const report = await readBack(services, { change, buy }, of);
  // Who lists no package at all says nothing of them.
  if (report?.kind !== 'buy' || report.packages.length === 0) return { unseen: true };
  const columns = afterReading(change, buy, report);
  return columns === undefined ? {} : { columns, report };
}

function afterThrown(
  { log }: Services,
  { change, buy }: Changed,
  { error, inDoubt }: { readonly error: unknown; readonly inDoubt: boolean },
): Pick<Outcome, 'columns'> | StoppedError {
  if (!(error instanceof SellerError)) {
    log.error({ err: error, mediaBuyId: buy.id }, 'sending a change failed');
    return { columns: afterNoUpdate({ message: 'The change could not be sent.', unresolved: true }) };
  }
  const unresolved = inDoubt || error.unresolved;
  if (error instanceof StoppedError) return new StoppedError({ unresolved });
  // A stop that did not reach its seller is sent until it does.
  const { message } = error;
  return { columns: afterNoUpdate({ message, unresolved: unresolved || isStop(change.action) }) };
}

/** A seller that refuses may do so because the buy is over there: how it stands is worth a question too. */
function isReadBack(answer: UpdateAnswer): boolean {
  if (answer.kind === 'refused') return answer.isNamed === true || answer.transient !== true;
  return answer.kind === 'accepted';
}

/** What the answer to a change says of the buy, where nothing else does. */
function toldBy(answer: UpdateAnswer, mediaBuyId: string): Outcome['report'] {
  if (answer.kind !== 'accepted' || answer.awaitsApproval) return undefined;
  return { kind: 'buy', mediaBuyId, status: answer.status, packages: [] };
}

/** How the buy reads after the change; undefined where the seller cannot say. */
async function readBack(
  services: Services,
  { change, buy }: Changed,
  { seller, signal }: { seller: Seller; signal: AbortSignal | undefined },
): Promise<Outcome['report']> {
  const { party } = updateIn(change);
  const reference = { party, mediaBuyId: buy.adcp_media_buy_id, taskId: null };
  try {
    const report = await withinSellerTimeout(services, signal, (own) =>
      services.ports.sellers.getMediaBuy(seller, reference, own),
    );
    return report.kind === 'buy' ? report : undefined;
  } catch (error) {
    if (error instanceof SellerError) return undefined;
    throw error;
  }
}
