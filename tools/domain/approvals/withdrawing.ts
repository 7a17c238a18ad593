import { fromJson } from '../../../store/engine/codec.ts';
import type { Db } from '../../../store/engine/db.ts';
import type { Tenant } from '../../../store/engine/scope.ts';
import { listUndecided, type SpendApprovalRow, updateSpendApproval } from '../../../store/spend-approvals.ts';
import { type AuditSubject, alsoTouched } from '../../core/audit.ts';
import { tellDecision } from './deciding.ts';
import { spendApprovalKind } from './kinds.ts';
import { stateAfter, statusAt } from './machines.ts';

/**
 * Spends that nobody has to decide any more. Each is withdrawn by the transaction that makes it so, and never by what
 * comes after: whoever dies in between leaves nobody waited for in vain. Who decides it at the same moment wins or
 * loses as a whole, because that transaction holds the campaign or the media buy as well, or finds it written.
 */

/** What is done or asked that a pending spend may have been asked for. */
export type Done =
  | { readonly spends: 'orders' }
  | { readonly spends: 'budget' | 'going on'; readonly mediaBuyIds: readonly string[] };

/** What each capability asks for: what it does later is what it asked for, whichever of them is called for it. */
const ASKS: Readonly<Record<string, Done['spends']>> = {
  campaign_execute: 'orders',
  campaign_update: 'budget',
  media_buy_update: 'budget',
  campaign_reactivate: 'going on',
  media_buy_reactivate: 'going on',
};

interface Of {
  readonly campaignId: string;
  readonly now: string;
}

/** What was asked of a campaign before, and is done or asked now in another way. */
export async function withdrawDone(
  tx: Db,
  tenant: Tenant,
  done: Of & { readonly done: Done },
): Promise<void> {
  await withdraw(tx, tenant, { ...done, isOver: (row) => isInPlaceOf(done.done, row) });
}

/** All that was asked of a campaign that is over. */
export async function withdrawOfCampaign(tx: Db, tenant: Tenant, over: Of): Promise<void> {
  await withdraw(tx, tenant, { ...over, isOver: () => true });
}

/** What was asked of a media buy that has come to its end, and of it together with others. */
export async function withdrawOfBuy(
  tx: Db,
  tenant: Tenant,
  { mediaBuyId, ...over }: Of & { readonly mediaBuyId: string },
): Promise<void> {
  await withdraw(tx, tenant, { ...over, isOver: (row) => buysNamedIn(row)?.includes(mediaBuyId) === true });
}

/** Whether what is asked or done now takes the place of what was asked before. */
function isInPlaceOf(done: Done, row: SpendApprovalRow): boolean {
  if (ASKS[row.tool] !== done.spends) return false;
  if (done.spends === 'orders') return true;
  const named = buysNamedIn(row);
  return done.mediaBuyIds.some((id) => named === undefined || named.includes(id));
}

/** Whether it places orders: these are of what is chosen, and none of them is a media buy yet. */
export function asksForOrders({ tool }: Pick<SpendApprovalRow, 'tool'>): boolean {
  return ASKS[tool] === 'orders';
}

/** The media buys that it was asked of by name; undefined where it is of those of its campaign, whichever these are. */
export function buysNamedIn({ media_buy_id, input }: SpendApprovalRow): string[] | undefined {
  if (media_buy_id !== null) return [media_buy_id];
  const { mediaBuys } = fromJson(input) as { mediaBuys?: readonly { readonly mediaBuyId: string }[] };
  return mediaBuys?.map(({ mediaBuyId }) => mediaBuyId);
}

async function withdraw(
  tx: Db,
  tenant: Tenant,
  { campaignId, now, isOver }: Of & { isOver(row: SpendApprovalRow): boolean },
): Promise<void> {
  for (const row of await listUndecided(tx, tenant, campaignId)) {
    const state = isOver(row) ? stateAfter(row, 'withdraw', now) : undefined;
    if (state === undefined) continue;
    const { id, version } = row;
    const written = await updateSpendApproval(tx, tenant, { id, version, set: { state, updated_at: now } });
    // Where somebody decided it meanwhile, that stands.
    if (written === undefined) continue;
    const from = statusAt(row, now);
    alsoTouched(tx, withdrawnEntry(written, from));
    await tellDecision(tx, written, { from, now });
  }
}

/** What the log says of it, beside what was done in its place. */
function withdrawnEntry(row: SpendApprovalRow, from: string): AuditSubject {
  return {
    kind: spendApprovalKind,
    resourceId: row.id,
    advertiserId: row.advertiser_id,
    tenant: { organizationId: row.organization_id, customerId: row.customer_id },
    action: 'UPDATE',
    changes: { status: { from, to: row.state } },
  };
}
