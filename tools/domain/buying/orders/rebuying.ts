import type { CampaignRow } from '../../../../store/campaigns.ts';
import type { DiscoverySelectionRow } from '../../../../store/discovery-selections.ts';
import { findSession, lockSession } from '../../../../store/discovery-sessions.ts';
import { fromJson } from '../../../../store/engine/codec.ts';
import type { Db } from '../../../../store/engine/db.ts';
import { listBoughtElsewhere } from '../../../../store/media-buys.ts';
import type { Context } from '../../../core/context.ts';
import type { AppError } from '../../../core/errors/app-error.ts';
import { conflict } from '../../../core/errors/refusals.ts';
import { type Naming, PLACES } from '../ways-out.ts';
import { offerGone } from './offer-redeeming.ts';

interface Buying {
  readonly campaign: CampaignRow;
  readonly selections: readonly Pick<DiscoverySelectionRow, 'agent_id' | 'product_id' | 'product'>[];
  /** Where the caller named them. */
  readonly naming?: Naming;
}

/** What another campaign left of a session, to be told where the orders are stored: the session is held from then on. */
export async function boughtAlready(tx: Db, ctx: Context, buying: Buying): Promise<AppError[]> {
  const { discovery_id: discoveryId } = buying.campaign;
  if (discoveryId === null) return [];
  await lockSession(tx, ctx.scope, discoveryId);
  return takenElsewhere({ db: tx, scope: ctx.scope, now: ctx.now }, buying, ctx.asked.tool);
}

/** The same to be read: the chosen products that another campaign bought, or the proposal that is taken up only once. */
export async function takenElsewhere(
  ctx: Pick<Context, 'db' | 'scope' | 'now'>,
  { campaign, selections, naming = 'kept' }: Buying,
  tool: string,
): Promise<AppError[]> {
  const { discovery_id: discoveryId, id: campaignId } = campaign;
  if (discoveryId === null || selections.length === 0) return [];
  const session = await findSession(ctx.db, ctx.scope, discoveryId);
  const gone = session && (await offerGone(ctx.db, ctx, { campaign, session }));
  // Nothing of it is bought once more: to ask for that would lead to the same refusal.
  if (gone !== undefined) return [gone];
  const bought = await listBoughtElsewhere(ctx.db, ctx.scope, { discoveryId, campaignId });
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
      `Call ${tool} with rebuy true to buy it once more, or ${PLACES[naming].drop('the product')}.`,
      { field: 'rebuy' },
    ),
  ];
}
