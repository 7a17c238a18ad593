import type { CampaignStatus } from '../../../../store/campaigns.ts';
import type { Db } from '../../../../store/engine/db.ts';
import { scopeOfRow } from '../../../../store/engine/scope.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { findAnyMediaBuy, isTakenUnheard } from '../../../../store/unscoped/unknown-orders.ts';
import type { AuditSubject } from '../../../core/audit.ts';
import { changesBetween } from '../../../core/changes.ts';
import type { Actor, AuditedWrite, Services } from '../../../core/context.ts';
import type { AppError } from '../../../core/errors/app-error.ts';
import { conflict, invalid } from '../../../core/errors/refusals.ts';
import { next } from '../../../core/machines.ts';
import { reasonText, reasonWords } from '../../../core/reasons.ts';
import { sellerId } from '../../text.ts';
import type { BuyChange } from '../answers/buy-status.ts';
import { requireKnownAtSeller, requireStranger, requireUnusedId } from '../answers/settled-id.ts';
import { SETTLED_AS_NOT_TAKEN, SETTLER } from '../answers/settled-orders.ts';
import { buyMachine } from '../machines.ts';
import { writeBuy } from '../orders/buy-writing.ts';
import { buyEntry } from './buy-entry.ts';
import { followBuys } from './campaign-following.ts';
import { followOrder } from './change-refreshing.ts';
import { holdRevived, isSettledAsNotTaken, revive, revivedEntry } from './order-reviving.ts';

/** What only the operator does with an order of which nobody knows: say what its seller said by other means. */

export interface Settling {
  readonly mediaBuyId: string;
  /** What the seller calls the media buy; undefined where it did not take the order. */
  readonly takenAs: string | undefined;
  readonly reason: string;
}

/** What came of it. */
export interface Settled {
  readonly buy: MediaBuyRow;
  /** Where its campaign stands; undefined where there is none any more. */
  readonly campaign: CampaignStatus | undefined;
}

/**
 * Settles one order of which nobody knows whether its seller took it. Not taken it is an order that was refused, and
 * binds nothing from the same transaction on; taken it waits for news of its seller. What waited for that, as its end,
 * goes out or ends as after a repeat that was answered. Whoever writes the media buy first has the last word. One that
 * was settled as taken can be settled anew for as long as its seller tells nothing of it, and one that was settled as
 * not taken as taken, for as long as nothing else was made of it: its budget is bound again, or that is refused.
 */
export async function settleOrder(services: Services, actor: Actor, settling: Settling): Promise<Settled> {
  const wanted = { ...settling, ...asMeant(settling) };
  const { takenAs } = wanted;
  const found = await requireOpen(services.store.db, wanted);
  await requireStranger(services, found);
  if (takenAs !== undefined) await requireKnownAtSeller(services, found, takenAs);
  const write = inAccountOf(actor, found);
  const stored = await write(
    async (tx) => {
      const before = await requireOpen(tx, wanted);
      const isRevived = isSettledAsNotTaken(before);
      // Somebody else has settled it meanwhile, and nobody said that this was a mistake.
      if (isRevived && !isSettledAsNotTaken(found)) throw notUnknown(before);
      const held = isRevived ? await holdRevived(tx, before) : undefined;
      if (takenAs !== undefined) await requireUnusedId(tx, before, takenAs);
      const after = await store(tx, before, { services, actor, wanted });
      const revived = held && (await revive(tx, { buy: after, held, now: actor.now }));
      return { before, after, revived };
    },
    ({ before, after, revived }) => [
      settledEntryOf(before, after, wanted.reason),
      ...[revived && revivedEntry(revived)].flatMap((entry) => entry ?? []),
    ],
  );
  return followSettled(services, actor, { buy: stored.after, write });
}

/** What follows for what was asked of it, and for its campaign. */
export async function followSettled(
  services: Services,
  actor: Actor,
  { buy: settled, write }: { readonly buy: MediaBuyRow; readonly write: AuditedWrite },
): Promise<Settled> {
  const scope = scopeOfRow(settled);
  const { db } = services.store;
  const asking = { db, scope, services, signal: services.closing, requestId: actor.newId('op') };
  const buy = await followOrder(asking, settled, write);
  const campaign = await followBuys(write, scope, { id: buy.campaign_id, now: actor.now });
  return { buy, campaign };
}

/** The reason, and what the seller calls the media buy, as they are kept. */
function asMeant({ reason, takenAs }: Settling): Pick<Settling, 'reason' | 'takenAs'> {
  const why = reasonMeant(reason);
  if (takenAs === undefined) return { reason: why, takenAs };
  const id = sellerId(takenAs.trim());
  if (id === undefined) {
    throw invalid('taken', 'This is no id of a media buy.', {
      suggestion: 'Give what the seller calls it (media_buy_id).',
    });
  }
  return { reason: why, takenAs: id };
}

export function reasonMeant(reason: string): string {
  const why = reasonText.safeParse(reason);
  if (!why.success) throw invalid('reason', reasonWords);
  return why.data;
}

const LIST = 'order list shows the orders of which nobody knows.';

/**
 * One of which nobody knows; or one that was settled as taken, by another id, and of which its seller told nothing; or,
 * to be taken after all, one that was settled as not taken.
 */
async function requireOpen(db: Db, { mediaBuyId, takenAs }: Settling): Promise<MediaBuyRow> {
  const buy = await findAnyMediaBuy(db, mediaBuyId);
  if (buy === undefined) throw conflict(`There is no media buy ${mediaBuyId}.`, LIST);
  if (buy.submission === 'unknown' || (takenAs !== undefined && isSettledAsNotTaken(buy))) return buy;
  if (!isTakenUnheard(buy)) throw notUnknown(buy);
  if (buy.adcp_media_buy_id !== takenAs) return buy;
  throw conflict(
    `The order of ${mediaBuyId} is settled as taken as ${takenAs} already.`,
    'Give another id, or --not-taken.',
  );
}

function notUnknown({ id, submission, agent_name, status }: MediaBuyRow): AppError {
  switch (submission) {
    case 'sending':
      return conflict(
        `The order of ${id} is on its way to ${agent_name} at this moment, and what it answers holds: nothing was settled.`,
        'Look at order list in some minutes, and settle it if it is still there.',
      );
    case 'unsent':
      return conflict(
        `The order of ${id} was not sent to ${agent_name}, and is ${status}: nothing is to be settled.`,
        LIST,
      );
    default:
      return conflict(
        `It is known what became of the order of ${id} at ${agent_name}, which is ${status}: nothing is to be settled.`,
        LIST,
      );
  }
}

interface Storing {
  readonly services: Services;
  readonly actor: Actor;
  readonly wanted: Settling;
}

async function store(
  tx: Db,
  buy: MediaBuyRow,
  { services: { limits }, actor: { now }, wanted: { takenAs, reason } }: Storing,
): Promise<MediaBuyRow> {
  const set = takenAs === undefined ? afterNotTaken(buy) : afterTaken(buy, { takenAs, now });
  const row = await writeBuy(tx, buy, { limits, set, now, by: SETTLER, reason, isVersion: true });
  if (row !== undefined) return row;
  throw conflict(
    `${buy.id} was written by somebody else at the same moment, as by a repeat that its seller answered: nothing was settled.`,
    'Look at order list, and settle it if it is still there.',
  );
}

/** As an order that its seller refused: the next execute makes another one. */
function afterNotTaken({ status }: MediaBuyRow): BuyChange {
  return {
    submission: 'answered',
    owner: null,
    status: next(buyMachine, status, 'fail') ?? status,
    adcp_media_buy_id: null,
    forwarded_at: null,
    pending_reason: null,
    pending_since: null,
    error_code: 'source_rejected',
    error_owner: 'seller',
    source_message: SETTLED_AS_NOT_TAKEN,
  };
}

/** As an order that its seller looks over: what it reads like there is asked with the next news. */
function afterTaken(
  { status }: MediaBuyRow,
  { takenAs, now }: { readonly takenAs: string; readonly now: string },
): BuyChange {
  return {
    submission: 'answered',
    owner: null,
    status: next(buyMachine, status, 'find') ?? status,
    adcp_media_buy_id: takenAs,
    adcp_status: null,
    forwarded_at: now,
    pending_reason: 'awaiting_source_moderation',
    pending_since: now,
    error_code: null,
    error_owner: null,
    source_message: null,
  };
}

export function settledEntryOf(before: MediaBuyRow, after: MediaBuyRow, reason: string): AuditSubject {
  const entry = buyEntry({ before, after }, reason);
  const known = changesBetween({ submission: before.submission }, { submission: after.submission });
  const named = changesBetween(nameOf(before), nameOf(after));
  return { ...entry, changes: { ...known, ...entry.changes, ...named } };
}

function nameOf({ adcp_media_buy_id }: MediaBuyRow) {
  return { 'adcp.media_buy_id': adcp_media_buy_id };
}

/** The operator belongs to no organization: what it does is told in the log of the account that is meant. */
export function inAccountOf(
  { write }: Actor,
  { organization_id: organizationId, customer_id: customerId }: MediaBuyRow,
): AuditedWrite {
  const tenant = { organizationId, customerId };
  return (work, subject) =>
    write(work, (result) => {
      const told = typeof subject === 'function' ? subject(result) : subject;
      return [told].flat().flatMap((one) => (one === undefined ? [] : { ...one, tenant }));
    });
}
