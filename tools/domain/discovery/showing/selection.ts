import type { z } from 'zod';
import { listDraftsOf } from '../../../../store/campaigns.ts';
import {
  type DiscoverySelectionRow,
  listSelections,
  pageOfSelections,
  sumSelections,
} from '../../../../store/discovery-selections.ts';
import type { DiscoverySessionRow } from '../../../../store/discovery-sessions.ts';
import { fromJson } from '../../../../store/engine/codec.ts';
import type { Db } from '../../../../store/engine/db.ts';
import type { Page } from '../../../../store/engine/paging.ts';
import type { Context } from '../../../core/context.ts';
import { isOfSandbox } from '../../advertisers/sandbox.ts';
import { undeclaredWarnings } from '../../buying/changes/undeclared-targeting.ts';
import { ahead } from '../../buying/choice/allocation.ts';
import { fewWarnings, warningsOf, warningsTold } from '../../buying/choice/choice-warnings.ts';
import { feesOfCampaigns } from '../../buying/choice/fees.ts';
import { executedBuyers } from '../../buying/orders/executed-buyers.ts';
import { openedWith } from '../../discovery-opening.ts';
import { toMajor } from '../../money.ts';
import { omittedStill } from '../choosing/omitted-still.ts';
import { SELECTION_SHOWN, type selection } from './selection-schema.ts';
import { budgetContextOf } from './snapshot.ts';

const FIRST: Page = { skip: 0, take: SELECTION_SHOWN };

interface Reading {
  readonly session: DiscoverySessionRow;
  readonly page?: Page;
  /** Why something that was to be chosen is not, or is not any more: told whatever else there is to warn of. */
  readonly always?: readonly string[];
}

/** What was chosen in a session, as it is shown: a page of it, and what is to be said of it all. */
export async function readSelection(
  ctx: Context,
  db: Db,
  { session, page = FIRST, always = [] }: Reading,
): Promise<z.input<typeof selection>> {
  const { id } = session;
  const { rows, total } = await pageOfSelections(db, ctx.scope, { sessionId: id, page });
  const { currency } = openedWith(session);
  return {
    discoveryId: id,
    products: rows.map((row) => selectedProduct(row, currency)),
    totalProducts: total,
    ...(page.skip + rows.length < total ? { hasMoreProducts: true as const } : {}),
    sandbox: await isOfSandbox({ db, scope: ctx.scope }, session),
    ...budgetContextOf(session, await sumSelections(db, ctx.scope, id)),
    ...(await campaignsOf(ctx, db, { session, total, always })),
  };
}

const UNBOUND =
  'No draft campaign is to buy this choice: give campaignId to discovery_add_products, or the discoveryId to campaign_create.';

/** The drafts that are to buy this choice, and what stands in their way, each thing once. */
async function campaignsOf(
  ctx: Context,
  db: Db,
  { session, total, always }: Required<Pick<Reading, 'session' | 'always'>> & { total: number },
): Promise<{ campaignBound: boolean; campaignWarning?: string; warnings?: string[] }> {
  const drafts = await listDraftsOf(db, ctx.scope, session.id);
  // What stands in the way is asked of the whole choice, and of none where nobody is to buy it.
  const rows = drafts.length === 0 ? [] : await listSelections(db, ctx.scope, session.id);
  const undeclared = await undeclaredWarnings(db, rows, drafts);
  const feesOf = await feesOfCampaigns({ db, scope: ctx.scope }, rows.length === 0 ? [] : drafts);
  const found = drafts.flatMap((draft) => warningsOf(ahead(draft, ctx.now), rows, feesOf(draft)));
  const { ordering, unordered } = await executedBuyers(db, ctx.scope, {
    sessionId: session.id,
    known: drafts,
    chosen: () => listSelections(db, ctx.scope, session.id),
  });
  const omitted = await omittedStill({ db, scope: ctx.scope }, session);
  const warnings = [...omitted, ...undeclared, ...new Set([...found, ...ordering, ...unordered])];
  const campaignBound = drafts.length > 0;
  const isBought = campaignBound || ordering.length > 0;
  const campaignWarning = isBought || total === 0 ? fewWarnings(warnings).join(' ') : UNBOUND;
  return {
    campaignBound,
    ...(campaignWarning === '' ? {} : { campaignWarning }),
    ...warningsTold(warnings, always),
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
