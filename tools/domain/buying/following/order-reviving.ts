import type { CampaignRow } from '../../../../store/campaigns.ts';
import type { Db } from '../../../../store/engine/db.ts';
import { scopeOfRow } from '../../../../store/engine/scope.ts';
import { lockCampaign } from '../../../../store/held-campaigns.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import type { AuditSubject } from '../../../core/audit.ts';
import { staleWrite } from '../../../core/errors/refusals.ts';
import { next } from '../../../core/machines.ts';
import { writeCampaign } from '../../campaigns/writing.ts';
import { setCommitment } from '../../ledger/commitments.ts';
import { requirePriced } from '../../ledger/pricing.ts';
import { SETTLED_AS_NOT_TAKEN, SETTLER } from '../answers/settled-orders.ts';
import { campaignMachine } from '../machines.ts';
import { campaignKind } from '../reach.ts';
import { type Held, holdCampaign, overBudget, takingOf } from '../spend/budget-keeping.ts';

/** An order that was settled as not taken by mistake: its seller has it, so that it counts again. */

type Settled = Pick<
  MediaBuyRow,
  'status' | 'submission' | 'adcp_media_buy_id' | 'updated_by' | 'source_message'
>;

/** Whether that it was not taken is the last that is known of an order, and nothing was made of it since. */
export function isSettledAsNotTaken(buy: Settled): boolean {
  const { status, submission, adcp_media_buy_id, updated_by, source_message } = buy;
  const isRefused = status === 'FAILED' && submission === 'answered' && adcp_media_buy_id === null;
  return isRefused && updated_by === SETTLER && source_message === SETTLED_AS_NOT_TAKEN;
}

/** Its campaign, held until the transaction ends: first, as everybody does who holds one. */
export function holdRevived(tx: Db, buy: MediaBuyRow): Promise<Held> {
  return holdCampaign(tx, scopeOfRow(buy), buy.campaign_id);
}

const MAKE_ROOM =
  'Nothing was settled. Have its buyer raise budget.total with campaign_update, or lower other media buys, and settle it then.';

/** A campaign before and after one of its orders counts again. */
export interface Revived {
  readonly before: CampaignRow;
  readonly after: CampaignRow;
}

/**
 * Binds the budget of an order that was written as taken, under the checks of one that goes out: a fee is known for it
 * (409), its campaign has room (409), and so has the account (402). A campaign that is a draft again runs with it. To
 * be called last in the transaction: it holds the account until its end.
 */
export async function revive(
  tx: Db,
  { buy, held, now }: { readonly buy: MediaBuyRow; readonly held: Held; readonly now: string },
): Promise<Revived> {
  const { campaign: before } = held;
  await requirePriced(tx, [buy]);
  const refused = overBudget(held, { campaign: before, ...(await takingOf(tx, before)) });
  if (refused !== undefined) throw refused.telling({ suggestion: MAKE_ROOM });
  const status = next(campaignMachine, before.status, 'execute') ?? before.status;
  const after = status === before.status ? before : await moved(tx, buy, { status, updated_at: now });
  if (after === undefined) throw staleWrite(campaignKind);
  const commitment = { buy, amountMinor: buy.budget_minor, why: 'Settled as taken' };
  await setCommitment(tx, commitment, { by: SETTLER, now });
  return { before, after };
}

/** It was moved on with the buy since it was held. */
async function moved(
  tx: Db,
  buy: MediaBuyRow,
  set: Pick<CampaignRow, 'status' | 'updated_at'>,
): Promise<CampaignRow | undefined> {
  const scope = scopeOfRow(buy);
  const before = await lockCampaign(tx, scope, buy.campaign_id);
  return before && writeCampaign(tx, scope, { before, set });
}

/** For the log; undefined where its campaign stands where it stood. */
export function revivedEntry({ before, after }: Revived): AuditSubject | undefined {
  if (before.status === after.status) return undefined;
  return {
    kind: campaignKind,
    resourceId: after.id,
    resourceName: after.name,
    advertiserId: after.advertiser_id,
    action: 'UPDATE',
    changes: { status: { from: before.status, to: after.status } },
  };
}
