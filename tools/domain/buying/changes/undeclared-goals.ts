import type { CampaignRow } from '../../../../store/campaigns.ts';
import { type DiscoverySelectionRow, listSelections } from '../../../../store/discovery-selections.ts';
import { fromJson } from '../../../../store/engine/codec.ts';
import type { BuyGoal } from '../../../../store/media-buy-goals.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import type { Context } from '../../../core/context.ts';
import { buyGoalProblems } from '../../campaigns/declared-goals.ts';
import { packagesLeft } from '../buy-packages.ts';
import { productsOf } from '../choice/package-lines.ts';
import type { Unsupported } from './change-capabilities.ts';
import type { Planned } from './change-standing.ts';
import type { WantedChange } from './wanted-change.ts';

/** Goals that a change names: no product is told one that it does not declare. */

type Chosen = Pick<DiscoverySelectionRow, 'agent_id' | 'product_id' | 'product'>;

/** What of the goals the products do not declare, each with the field that the caller gave. Pure. */
export function undeclaredGoals(
  buy: Pick<MediaBuyRow, 'id' | 'agent_id'>,
  { goals, called }: { goals: readonly BuyGoal[]; called: WantedChange['called'] },
  products: readonly Chosen[],
): Unsupported[] {
  const held = products.map(({ product }) => {
    const chosen = fromJson(product);
    return { chosen, problems: buyGoalProblems(goals, chosen) };
  });
  return goals.flatMap((_, index) =>
    held.flatMap(({ chosen, problems }) => {
      const problem = problems[index];
      if (problem === undefined) return [];
      const place = [`optimization_goals.${index}`, ...(problem.field === undefined ? [] : [problem.field])];
      return [
        {
          mediaBuyId: buy.id,
          salesAgentId: buy.agent_id,
          field: called(place.join('.')),
          reason: `${chosen.name} ${problem.reason}`,
        },
      ];
    }),
  );
}

/** Those of orders that sellers hold: every package that is not called off is told all goals. */
export async function undeclaredAtSellers(
  ctx: Context,
  { discovery_id: sessionId }: Pick<CampaignRow, 'discovery_id'>,
  sent: readonly Planned[],
): Promise<Unsupported[]> {
  const isAsked = sent.some(({ terms }) => terms.proposed.optimization_goals !== undefined);
  if (!isAsked || sessionId === null) return [];
  const there = await listSelections(ctx.db, ctx.scope, sessionId);
  return sent.flatMap(({ buy, wanted: { called }, terms: { proposed } }) => {
    const goals = proposed.optimization_goals ?? [];
    const ids = productsGoingOn(buy);
    const chosen = there.filter((one) => one.agent_id === buy.agent_id && ids.has(one.product_id));
    return undeclaredGoals(buy, { goals, called }, chosen);
  });
}

/** The products of the packages that go on; all of them, where the seller does not say which is whose. */
function productsGoingOn(buy: MediaBuyRow): ReadonlySet<string> {
  const products = fromJson(buy.products);
  const known = packagesLeft(buy).map((part) => productsOf(products, part));
  const isClear = known.length > 0 && known.every(({ length }) => length > 0);
  return new Set((isClear ? known.flat() : products).map(({ product_id }) => product_id));
}
