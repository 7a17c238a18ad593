import type { Store } from '../../store/engine/db.ts';
import type { UnfoundBuy } from '../../store/unscoped/unfound-buys.ts';
import type { UnknownOrder } from '../../store/unscoped/unknown-orders.ts';
import { DAY_MS, momentOf } from '../../tools/core/moments.ts';
import { unfoundSince, unknownSince } from '../../tools/domain/buying/unknown-in-installation.ts';
import { onOneLine } from './audit-lines.ts';
import { type Finding, warned } from './findings.ts';

const SHOWN_MAX = 20;
/** What nobody knows for a day binds its budget and keeps its campaign open until somebody asks its seller. */
export async function lookAtOrders({ db }: Store): Promise<Finding[]> {
  const before = momentOf(Date.now() - DAY_MS);
  const rows = await unknownSince(db, { before, limit: SHOWN_MAX });
  return [...rows.map(unknown), ...(await unfoundSince(db, { before, limit: SHOWN_MAX })).map(unfound)];
}

function unknown(row: UnknownOrder): Finding {
  const { id, organization_id, adcp_media_buy_id, created_at } = row;
  return warned(
    'orders',
    isSettled(row)
      ? `${sellerOf(row)} has told nothing of the order of ${id}, organization ${organization_id}, which was settled as taken as ${adcp_media_buy_id}.`
      : `Nobody knows since ${created_at} whether ${sellerOf(row)} took the order of ${id}, organization ${organization_id}.`,
    `Ask the seller, then order settle ${id} --not-taken or --taken <its id of it>, with --reason; order list shows all.`,
  );
}

function unfound({ id, organization_id, agent_name, adcp_media_buy_id, unfound_since }: UnfoundBuy): Finding {
  return warned(
    'orders',
    `${onOneLine(agent_name)} says since ${unfound_since} that it does not have ${adcp_media_buy_id}, the media buy ${id} of organization ${organization_id}, which lives here.`,
    `Ask the seller; where it has none, order settle ${id} --ended, with --reason, releases what was not delivered.`,
  );
}

/** Whether it was settled as taken, by an id of which its seller has told nothing so far. */
export function isSettled({ submission }: UnknownOrder): boolean {
  return submission === 'answered';
}

/** Its name, and whether it is there to be asked. */
export function sellerOf({ agent_name, has_seller }: UnknownOrder): string {
  const name = onOneLine(agent_name);
  return has_seller === 0 ? `${name} (has left the marketplace)` : name;
}
