import { fromFlag } from '../../../store/engine/codec.ts';
import type { Db } from '../../../store/engine/db.ts';
import { scopeOfRow } from '../../../store/engine/scope.ts';
import type { MediaBuyRow } from '../../../store/media-buys.ts';
import { listPricingRules, type PricingRuleRow } from '../../../store/pricing-rules.ts';
import { pricingNotConfigured } from '../../core/errors/money-refusals.ts';

/** What the service takes of a budget. Budgets are gross: the fee is inside them, and the rest is the seller's. */

/** The whole of a budget, in the unit of fees: a hundredth of a percent. */
const WHOLE_BPS = 10_000;

type Rule = Pick<PricingRuleRow, 'advertiser_id' | 'agent_id' | 'fee_bps'>;

/**
 * The fee of what an advertiser buys from a sales agent, by the most particular rule: of both, of the advertiser, of
 * the agent, the default. Undefined where no rule is about it: then there is no price to buy at.
 */
export function feeOf(
  rules: readonly Rule[],
  { advertiserId, agentId }: { readonly advertiserId: number; readonly agentId: string },
): number | undefined {
  const about = rules.filter(
    ({ advertiser_id, agent_id }) =>
      (advertiser_id ?? advertiserId) === advertiserId && (agent_id ?? agentId) === agentId,
  );
  const weight = ({ advertiser_id, agent_id }: Rule) =>
    (advertiser_id === null ? 0 : 2) + (agent_id === null ? 0 : 1);
  return about.toSorted((one, other) => weight(other) - weight(one))[0]?.fee_bps;
}

/** The seller's part of a budget. The fee is rounded up to a minor unit, so that the parts add up to the budget. */
export function mediaBudgetOf(budgetMinor: number, feeBps: number): number {
  // Whole numbers of any size: the product is beyond what a double holds.
  return Number((BigInt(budgetMinor) * BigInt(WHOLE_BPS - feeBps)) / BigInt(WHOLE_BPS));
}

/** The least budget whose media part is this much: what a seller's figure stands for. */
export function grossBudgetOf(mediaMinor: number, feeBps: number): number {
  const rest = BigInt(WHOLE_BPS - feeBps);
  if (rest <= 0n) return mediaMinor;
  return Number((BigInt(mediaMinor) * BigInt(WHOLE_BPS) + rest - 1n) / rest);
}

type Priced = Pick<
  MediaBuyRow,
  'id' | 'organization_id' | 'customer_id' | 'advertiser_id' | 'agent_id' | 'agent_name' | 'sandbox'
>;

/**
 * Refuses further money for buys whose fee terms cannot be determined: the advertiser has no rule for their sales
 * agents any more. To be called before a budget is raised or released money is bound again; a buy keeps the fee it
 * was bought at (`fee_bps`). All of them in one refusal.
 */
export async function requirePriced(db: Db, buys: readonly Priced[]): Promise<void> {
  const live = buys.filter(({ sandbox }) => !fromFlag(sandbox));
  const [first] = live;
  if (first === undefined) return;
  const scope = scopeOfRow(first);
  const rules = await listPricingRules(db, scope);
  const unpriced = live.filter(
    ({ advertiser_id: advertiserId, agent_id: agentId }) =>
      feeOf(rules, { advertiserId, agentId }) === undefined,
  );
  if (unpriced.length === 0) return;
  throw pricingNotConfigured(
    unpriced.map(({ id: mediaBuyId, agent_id: agentId, agent_name: agentName }) => {
      return { agentId, agentName, mediaBuyId };
    }),
  );
}
