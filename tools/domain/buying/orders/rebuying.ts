import type { CampaignRow } from '../../../../store/campaigns.ts';
import type { DiscoverySelectionRow } from '../../../../store/discovery-selections.ts';
import { findSession } from '../../../../store/discovery-sessions.ts';
import { fromJson } from '../../../../store/engine/codec.ts';
import { listBoughtElsewhere } from '../../../../store/held-campaigns.ts';
import type { Context } from '../../../core/context.ts';
import type { AppError } from '../../../core/errors/app-error.ts';
import { conflict } from '../../../core/errors/refusals.ts';
import { type Naming, PLACES } from '../ways-out.ts';
import { offerGone } from './offer-redeeming.ts';

/** What other campaigns left of the session that a campaign buys from. */
export interface BoughtElsewhere {
  /** That the proposal which the session is of is taken up only once, and was. */
  readonly gone?: AppError | undefined;
  /** By its seller and its id, the campaign that has bought a product. */
  readonly by?: ReadonlyMap<string, string>;
}

export const NOTHING_ELSEWHERE: BoughtElsewhere = {};

interface Named {
  readonly agent_id: string;
  readonly product_id: string;
}

function keyOf({ agent_id, product_id }: Named): string {
  return `${agent_id} ${product_id}`;
}

/** Reads it. Whoever decides by it on orders holds the session first, until these are stored. */
export async function boughtElsewhere(
  ctx: Pick<Context, 'db' | 'scope' | 'now'>,
  campaign: CampaignRow,
): Promise<BoughtElsewhere> {
  const { discovery_id: discoveryId, id: campaignId } = campaign;
  if (discoveryId === null) return NOTHING_ELSEWHERE;
  const session = await findSession(ctx.db, ctx.scope, discoveryId);
  const gone = session && (await offerGone(ctx.db, ctx, { campaign, session }));
  // Nothing of it is bought once more: to ask for that would lead to the same refusal.
  if (gone !== undefined) return { gone };
  const bought = await listBoughtElsewhere(ctx.db, ctx.scope, { discoveryId, campaignId });
  const by = new Map(
    bought.flatMap(({ agent_id, products, campaign_id }) =>
      fromJson(products).map(({ product_id }) => [keyOf({ agent_id, product_id }), campaign_id] as const),
    ),
  );
  return { by };
}

interface Asking {
  /** The capability by which it is bought once more. */
  readonly tool: string;
  /** Where the caller named the products. */
  readonly naming?: Naming;
}

/** What of it stands against buying these products. Pure. */
export function againstRebuying(
  { gone, by }: BoughtElsewhere,
  selections: readonly Pick<DiscoverySelectionRow, 'agent_id' | 'product_id' | 'product'>[],
  { tool, naming = 'kept' }: Asking,
): AppError[] {
  if (selections.length === 0) return [];
  if (gone !== undefined) return [gone];
  const again = selections.flatMap((one) => {
    const other = by?.get(keyOf(one));
    return other === undefined ? [] : [`${fromJson(one.product).name} (by ${other})`];
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
