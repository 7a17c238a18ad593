import type { Db } from '../../../../store/engine/db.ts';
import { tenantOfRow } from '../../../../store/engine/scope.ts';
import { lockCampaign } from '../../../../store/held-campaigns.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { findNamedSo, lockStorefrontOf } from '../../../../store/unscoped/unknown-orders.ts';
import { next } from '../../../core/machines.ts';
import { buyMachine } from '../machines.ts';
import { askSeller } from '../references.ts';
import { afterNoAnswer, type BuyChange } from './buy-status.ts';

/**
 * Sellers that name one media buy for two orders. It cannot be both: whoever had it first keeps it, and of the other
 * order nobody knows.
 */

const ANSWERED_WITH = 'The seller answered the order with ';

/**
 * The media buy that its seller calls so already, whosever it is. Holds the seller until the transaction ends: of two
 * that are named so at one moment, the later sees the first.
 */
export async function namedSoBefore(tx: Db, buy: MediaBuyRow, adcpId: string) {
  // First, as everybody does who holds one: a campaign moves on with the buy that is named.
  await lockCampaign(tx, tenantOfRow(buy), buy.campaign_id);
  await lockStorefrontOf(tx, buy.storefront_id);
  return findNamedSo(tx, { id: buy.id, agentId: buy.agent_id, adcpId });
}

/** The same change, unless it names the media buy of another order: nothing of that is this one's. */
export async function unlessNamedTwice(tx: Db, buy: MediaBuyRow, change: BuyChange): Promise<BuyChange> {
  const { adcp_media_buy_id: adcpId } = change;
  if (adcpId === undefined || adcpId === null || adcpId === buy.adcp_media_buy_id) return change;
  const other = await namedSoBefore(tx, buy, adcpId);
  if (other === undefined) return change;
  // Who may see this one may see no other advertiser's.
  const named = other.advertiser_id === buy.advertiser_id ? `: ${other.id}` : '';
  const message = `${ANSWERED_WITH}${adcpId}, the media buy of another order${named}. It cannot be both, and was not taken for this one.`;
  return {
    ...afterNoAnswer({ message, unresolved: true }),
    status: next(buyMachine, buy.status, 'fail') ?? buy.status,
    adcp_status: null,
    adcp_task_id: null,
    pending_reason: null,
    pending_since: null,
    valid_actions: null,
  };
}

/** What came, and who has to do what; undefined of another order of which nobody knows. */
export function namedTwiceInWords(buy: MediaBuyRow): string | undefined {
  const { source_message: said, agent_name } = buy;
  if (!said?.startsWith(ANSWERED_WITH)) return undefined;
  return `${said} Nobody knows whether ${agent_name} took the order. ${askSeller(buy)}, which media buy this order is; then call campaign_execute again, which asks for the same order once more under its key. If it has no other answer, the operator of this installation can settle it.`;
}
