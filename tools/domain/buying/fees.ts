import type { AdvertiserRow } from '../../../store/advertisers.ts';
import type { DiscoverySelectionRow } from '../../../store/discovery-selections.ts';
import { fromFlag, fromJson } from '../../../store/engine/codec.ts';
import { listPricingRules } from '../../../store/pricing-rules.ts';
import type { Context } from '../../core/context.ts';
import type { AppError } from '../../core/errors/app-error.ts';
import { pricingNotConfigured } from '../../core/errors/money-refusals.ts';
import { feeOf } from '../ledger/pricing.ts';

/** The fee of what is bought from a sales agent, in hundredths of a percent; undefined where no rule is about it. */
export type Fees = (agentId: string) => number | undefined;

/** The fees of an advertiser. In the sandbox nothing is spent, and nothing is taken of it. */
export async function feesFor(
  ctx: Pick<Context, 'db' | 'scope'>,
  { id, sandbox }: AdvertiserRow,
): Promise<Fees> {
  if (fromFlag(sandbox)) return () => 0;
  const rules = await listPricingRules(ctx.db, ctx.scope);
  return (agentId) => feeOf(rules, { advertiserId: id, agentId });
}

/** The sellers that cannot be bought from, because no rule says at what fee. */
export function unpriced(
  selections: readonly Pick<DiscoverySelectionRow, 'agent_id' | 'product'>[],
  fees: Fees,
): AppError[] {
  const without = selections.filter(({ agent_id }) => fees(agent_id) === undefined);
  if (without.length === 0) return [];
  const names = without.map(({ product }) => fromJson(product).salesAgentName);
  return [
    pricingNotConfigured(names, { salesAgentIds: [...new Set(without.map(({ agent_id }) => agent_id))] }),
  ];
}
