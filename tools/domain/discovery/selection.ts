import type { z } from 'zod';
import { listDraftsOf } from '../../../store/campaigns.ts';
import { type DiscoverySelectionRow, listSelections } from '../../../store/discovery-selections.ts';
import type { DiscoverySessionRow } from '../../../store/discovery-sessions.ts';
import { fromJson } from '../../../store/engine/codec.ts';
import type { Db } from '../../../store/engine/db.ts';
import type { Context } from '../../core/context.ts';
import { isOfSandbox } from '../advertisers/sandbox.ts';
import { warningsOf } from '../buying/choice-problems.ts';
import { toMajor } from '../money.ts';
import { openedWith } from '../opening.ts';
import type { selection } from './selection-schema.ts';
import { budgetContextOf } from './snapshot.ts';

/** What was chosen in a session, as it is shown. */
export async function readSelection(
  ctx: Context,
  db: Db,
  session: DiscoverySessionRow,
): Promise<z.input<typeof selection>> {
  const rows = await listSelections(db, ctx.scope, session.id);
  const { currency } = openedWith(session);
  return {
    discoveryId: session.id,
    products: rows.map((row) => selectedProduct(row, currency)),
    totalProducts: rows.length,
    sandbox: await isOfSandbox({ db, scope: ctx.scope }, session),
    ...budgetContextOf(session, rows),
    ...(await campaignsOf(ctx, db, { session, rows })),
  };
}

const UNBOUND =
  'No draft campaign is to buy this choice: give campaignId to discovery_add_products, or the discoveryId to campaign_create.';

/** The drafts that are to buy this choice, and what stands in their way, each thing once. */
async function campaignsOf(
  ctx: Context,
  db: Db,
  { session, rows }: { session: DiscoverySessionRow; rows: readonly DiscoverySelectionRow[] },
): Promise<{ campaignBound: boolean; campaignWarning?: string; warnings?: string[] }> {
  const drafts = await listDraftsOf(db, ctx.scope, session.id);
  const [...warnings] = new Set(drafts.flatMap((draft) => warningsOf(draft, rows)));
  const campaignBound = drafts.length > 0;
  const campaignWarning = campaignBound || rows.length === 0 ? warnings.join(' ') : UNBOUND;
  return {
    campaignBound,
    ...(campaignWarning === '' ? {} : { campaignWarning }),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

function selectedProduct(row: DiscoverySelectionRow, currency: string) {
  const chosen = fromJson(row.product);
  return {
    productId: row.product_id,
    name: chosen.name,
    storefrontId: chosen.storefrontId,
    salesAgentId: row.agent_id,
    groupId: row.group_id,
    groupName: row.group_name,
    pricingOptionId: row.pricing_option_id,
    cpm: chosen.cpm,
    bidPrice: row.bid_price === null ? undefined : Number(row.bid_price),
    budget: row.budget_minor === null ? undefined : toMajor(row.budget_minor, currency),
    targetingOverlay: row.targeting_overlay === null ? undefined : fromJson(row.targeting_overlay),
    selectedAt: row.selected_at,
  };
}
