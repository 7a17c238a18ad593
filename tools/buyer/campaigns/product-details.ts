import type { CampaignRow } from '../../../store/campaigns.ts';
import { type DiscoverySelectionRow, listSelections } from '../../../store/discovery-selections.ts';
import { fromJson } from '../../../store/engine/codec.ts';
import type { Context } from '../../core/context.ts';
import type { campaignRecord } from './record.ts';

type Record = Awaited<ReturnType<typeof campaignRecord>>;

/** A campaign with more of its products, as far as they are still chosen in its session. */
export async function withDetails(ctx: Context, row: CampaignRow, record: Record): Promise<Record> {
  const { discovery_id: id } = row;
  const chosen = id === null ? [] : await listSelections(ctx.db, ctx.scope, id);
  const of = (productId: string, agentId?: string) =>
    chosen.find(({ product_id, agent_id }) => product_id === productId && (agentId ?? agent_id) === agent_id);
  return {
    ...record,
    products: record.products?.map((one, index) => ({ ...one, ...detailsOf(chosen[index]) })),
    mediaBuys: record.mediaBuys.map((buy) => ({
      ...buy,
      products: buy.products.map((one) => ({
        ...detailsOf(of(one.productId, buy.salesAgentId)),
        ...one,
        salesAgentName: buy.salesAgentName,
        budgetCurrency: buy.budgetCurrency,
      })),
    })),
  };
}

function detailsOf(row: DiscoverySelectionRow | undefined) {
  if (row === undefined) return {};
  const { name, salesAgentName, formatIds } = fromJson(row.product);
  return {
    productName: name,
    salesAgentName,
    publisherName: row.group_name,
    formatIds: formatIds.map((one) => ({ ...one })),
  };
}
