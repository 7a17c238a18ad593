import type { CampaignRow } from '../../../store/campaigns.ts';
import type { DiscoverySelectionRow } from '../../../store/discovery-selections.ts';
import { lockSession } from '../../../store/discovery-sessions.ts';
import { fromJson } from '../../../store/engine/codec.ts';
import type { Db } from '../../../store/engine/db.ts';
import { listBoughtElsewhere } from '../../../store/media-buys.ts';
import type { Context } from '../../core/context.ts';
import type { AppError } from '../../core/errors/app-error.ts';
import { conflict } from '../../core/errors/refusals.ts';

interface Buying {
  readonly campaign: CampaignRow;
  readonly selections: readonly DiscoverySelectionRow[];
}

/** The chosen products that another campaign bought from the same session. Asked where the orders are stored. */
export async function boughtAlready(
  tx: Db,
  ctx: Context,
  { campaign, selections }: Buying,
): Promise<AppError[]> {
  const { discovery_id: discoveryId, id: campaignId } = campaign;
  if (discoveryId === null) return [];
  await lockSession(tx, ctx.scope, discoveryId);
  const bought = await listBoughtElsewhere(tx, ctx.scope, { discoveryId, campaignId });
  const by = new Map(
    bought.flatMap(({ agent_id, products, campaign_id }) =>
      fromJson(products).map(({ product_id }) => [`${agent_id} ${product_id}`, campaign_id] as const),
    ),
  );
  const again = selections.flatMap(({ agent_id, product_id, product }) => {
    const other = by.get(`${agent_id} ${product_id}`);
    return other === undefined ? [] : [`${fromJson(product).name} (by ${other})`];
  });
  if (again.length === 0) return [];
  return [
    conflict(
      `Another campaign has bought from the same session: ${again.slice(0, 20).join(', ')}.`,
      `Call ${ctx.asked.tool} with rebuy true to buy it once more, or leave the product out: discovery_remove_products drops one that was chosen before.`,
      { field: 'rebuy' },
    ),
  ];
}
