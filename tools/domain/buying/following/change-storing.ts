import { fromJson, toJson } from '../../../../store/engine/codec.ts';
import type { Db } from '../../../../store/engine/db.ts';
import { OvertakenError } from '../../../../store/engine/dialect.ts';
import { tenantOfRow } from '../../../../store/engine/scope.ts';
import { lockCampaign } from '../../../../store/held-campaigns.ts';
import {
  findMediaBuyChange,
  type MediaBuyChangeRow,
  updateMediaBuyChange,
} from '../../../../store/media-buy-changes.ts';
import { findMediaBuy, type MediaBuyRow } from '../../../../store/media-buys.ts';
import { ASKED } from '../../../core/changes.ts';
import type { AuditedWrite, Services } from '../../../core/context.ts';
import type { Limits } from '../../../core/limits.ts';
import { nowOf } from '../../../core/moments.ts';
import type { ShownBuy } from '../../sellers/port.ts';
import { afterReport, type BuyChange } from '../answers/buy-status.ts';
import { packagesAlone } from '../changes/awaited-words.ts';
import { type ChangeColumns, statusAfter } from '../changes/change-outcome.ts';
import { isOfTerms } from '../changes/change-standing.ts';
import { isOpen } from '../changes/change-states.ts';
import { confirmedLate, tooLateFor } from '../changes/late-changes.ts';
import { isMergedAsAsked } from '../changes/merged-as-asked.ts';
import { packagesAfter } from '../changes/packages-after.ts';
import { proposedNow } from '../changes/proposed-now.ts';
import { standAgain } from '../changes/superseding.ts';
import { tellOfChange } from '../orders/buy-events.ts';
import { writeBuy } from '../orders/buy-writing.ts';
import { toldColumnsOf } from '../orders/told-columns.ts';
import { orderIn, updateIn } from '../payloads.ts';
import { boundNow, followChange } from '../spend/change-commitments.ts';
import { columnsProposed } from '../spend/columns-proposed.ts';
import { buyEntry, figuresTold } from './buy-entry.ts';

export interface Changed {
  readonly change: MediaBuyChangeRow;
  readonly buy: MediaBuyRow;
}

export interface Outcome {
  readonly columns: ChangeColumns;
  readonly report?: ShownBuy | undefined;
  readonly write: AuditedWrite;
}

interface Stored extends Changed {
  /** Somebody else wrote first, whose word then stands. */
  readonly isOvertaken?: true;
}

/** Stores what became of a change; where it is confirmed, the buy becomes what was proposed. */
export function storeOutcome(
  services: Services,
  { change, buy }: Changed,
  { columns, report, write }: Outcome,
): Promise<Changed> {
  const now = nowOf(services.ports.clock);
  const tenant = tenantOfRow(buy);
  const { orderTakeovers: takeovers } = services.limits;
  return write<Stored>(
    async (tx) => {
      // First, as everybody does who holds one: what goes on may begin to spend, and what is confirmed moves it on.
      await lockCampaign(tx, tenant, change.campaign_id);
      const current = (await findMediaBuy(tx, tenant, buy.id)) ?? buy;
      // What goes on begins to spend, and what begins late is told of the buy itself.
      const isChanged = columns.state === 'confirmed' && change.action !== 'resume';
      const late = isChanged ? await tooLateFor(tx, change, now) : undefined;
      const stored = await updateMediaBuyChange(tx, tenant, {
        id: change.id,
        version: change.version,
        set: { ...columns, ...(late === undefined ? {} : confirmedLate(late)), updated_at: now },
      });
      if (stored === undefined)
        return { ...(await asItStands(tx, { change, buy: current })), isOvertaken: true };
      await standAgain(tx, stored, { now, takeovers });
      const after = {
        change: stored,
        buy: await applied(tx, { change: stored, buy: current }, { limits: services.limits, report, now }),
      };
      await tellOfChange(tx, change, after);
      return after;
    },
    (after) => {
      if (after.isOvertaken) return undefined;
      const entry = buyEntry({ before: buy, after: after.buy }, change.reason);
      const moved = { from: change.state, to: after.change.state };
      const asked = isAmong(after.change, entry.changes)
        ? {}
        : { [ASKED]: { from: null, to: askedWord(change) } };
      return {
        ...entry,
        changes: { ...entry.changes, ...figuresTold(buy, after.buy), ...asked, change: moved },
      };
    },
  );
}

/** What was asked, and of which packages where it is not of the whole. */
function askedWord(change: MediaBuyChangeRow): string {
  return [change.action, packagesAlone(change).join(', ')].filter((part) => part !== '').join(' of ');
}

/**
 * Whether the fields of an entry say what a change was. Of one that was not confirmed they do not, nor of one that came
 * true before, as where its seller was heard after another change.
 */
function isAmong(change: MediaBuyChangeRow, fields: Readonly<Record<string, unknown>>): boolean {
  if (change.state !== 'confirmed') return false;
  return isOfTerms(change) ? Object.keys(fields).length > 0 : fields['status'] !== undefined;
}

/** What somebody else has made of it. */
export async function asItStands(db: Db, { change, buy }: Changed): Promise<Changed> {
  const tenant = tenantOfRow(buy);
  return {
    change: (await findMediaBuyChange(db, tenant, change.id)) ?? change,
    buy: (await findMediaBuy(db, tenant, buy.id)) ?? buy,
  };
}

async function applied(
  tx: Db,
  { change, buy }: Changed,
  { limits, report, now }: { limits: Limits; report: Outcome['report']; now: string },
): Promise<MediaBuyRow> {
  const isConfirmed = change.state === 'confirmed';
  const isMerged = isConfirmed && report !== undefined && isMergedAsAsked(change, buy, report);
  // The one package of all shows what they have by the change.
  const known = isMerged ? { ...buy, ...columnsProposed(proposedNow(change, buy)) } : buy;
  const heard =
    report === undefined ? {} : toldColumnsOf(known, await heardOf(tx, { change, buy }, { report, now }));
  const set = isConfirmed
    ? confirmed({ change, buy }, { ...heard, status: saysWhere(report, heard) }, now)
    : heard;
  const author = isConfirmed
    ? { by: change.requested_by ?? 'service', reason: change.reason, suggestionId: change.suggestion_id }
    : { by: 'seller' };
  const isOther = !isOpen(change.state);
  const row = await writeBuy(tx, buy, { limits, set, now, isOther, ...author });
  // On PostgreSQL somebody may have written since it was read: a change that is confirmed is in the buy, or neither is.
  if (row === undefined) throw new OvertakenError(`Media buy ${buy.id} was written meanwhile.`);
  await followChange(tx, row, { by: author.by, now });
  return row;
}

/** What was delivered is believed as it was when the report came in: with the raise that it decides on. */
async function heardOf(
  tx: Db,
  { change, buy }: Changed,
  { report, now }: { report: NonNullable<Outcome['report']>; now: string },
): Promise<BuyChange> {
  return afterReport(buy, report, { now, boundMinor: await boundNow(tx, buy, [change]) });
}

/** Our status by the words of the seller; undefined where it has none. */
function saysWhere(
  report: Outcome['report'],
  { status }: Partial<MediaBuyRow>,
): MediaBuyRow['status'] | undefined {
  return report === undefined || report.status === null ? undefined : status;
}

type Heard = Omit<Partial<MediaBuyRow>, 'status'> & { readonly status: MediaBuyRow['status'] | undefined };

function confirmed({ change, buy }: Changed, heard: Heard, now: string): Partial<MediaBuyRow> {
  // What is called off keeps what it spent by then.
  const { packages, ...others } = proposedNow(change, withFigures(buy, heard));
  const told = heard.packages === undefined ? [] : fromJson(heard.packages);
  const status = statusAfter(change, buy.status, heard.status);
  return {
    ...heard,
    ...columnsProposed(others),
    ...(packages === undefined ? {} : { packages: toJson(packagesAfter(packages, told)) }),
    ...orderedWith(change, buy),
    status,
    ...(status === 'ARCHIVED' ? { archived_at: now } : {}),
  };
}

function withFigures(buy: MediaBuyRow, heard: Heard): MediaBuyRow {
  const { spend_minor = buy.spend_minor, delivered = buy.delivered } = heard;
  return { ...buy, spend_minor, delivered };
}

/** What was ordered, with the packages that were added: those of the seller are told apart by it. */
function orderedWith(change: MediaBuyChangeRow, buy: MediaBuyRow): Partial<MediaBuyRow> {
  const { newPackages = [] } = updateIn(change);
  if (newPackages.length === 0) return {};
  const order = orderIn(buy);
  return { order_payload: JSON.stringify({ ...order, packages: [...order.packages, ...newPackages] }) };
}
