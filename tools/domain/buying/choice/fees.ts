import type { AdvertiserRow } from '../../../../store/advertisers.ts';
import type { CampaignRow } from '../../../../store/campaigns.ts';
import type { DiscoverySelectionRow } from '../../../../store/discovery-selections.ts';
import { fromFlag, fromJson } from '../../../../store/engine/codec.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { listPricingRules } from '../../../../store/pricing-rules.ts';
import type { Context } from '../../../core/context.ts';
import type { AppError } from '../../../core/errors/app-error.ts';
import { pricingNotConfigured } from '../../../core/errors/money-refusals.ts';
import { feeOf } from '../../ledger/pricing.ts';

/** The fee of what is bought from a sales agent, in hundredths of a percent; undefined where no rule is about it. */
export type Fees = (agentId: string) => number | undefined;

type Paying = Pick<CampaignRow, 'advertiser_id' | 'sandbox'>;

/** The fees of an advertiser. In the sandbox nothing is spent, and nothing is taken of it. */
export async function feesFor(
  ctx: Pick<Context, 'db' | 'scope'>,
  { id: advertiser_id, sandbox }: Pick<AdvertiserRow, 'id' | 'sandbox'>,
): Promise<Fees> {
  const campaign = { advertiser_id, sandbox };
  return (await feesOfCampaigns(ctx, [campaign]))(campaign);
}

/** The fees of each of these campaigns, with one look at the rules, and none where nothing is spent. */
export async function feesOfCampaigns(
  { db, scope }: Pick<Context, 'db' | 'scope'>,
  campaigns: readonly Paying[],
): Promise<(campaign: Paying) => Fees> {
  const isSpent = campaigns.some(({ sandbox }) => !fromFlag(sandbox));
  const rules = isSpent ? await listPricingRules(db, scope) : [];
  return ({ advertiser_id: advertiserId, sandbox }) =>
    fromFlag(sandbox) ? () => 0 : (agentId) => feeOf(rules, { advertiserId, agentId });
}

/**
 * The sellers that cannot be bought from, because no rule says at what fee, with what was ordered of them before and
 * would be ordered anew.
 */
export function unpriced(
  selections: readonly Pick<DiscoverySelectionRow, 'agent_id' | 'product'>[],
  fees: Fees,
  before: readonly Pick<MediaBuyRow, 'id' | 'agent_id' | 'status'>[] = [],
): AppError[] {
  const without = new Map(
    selections
      .filter(({ agent_id }) => fees(agent_id) === undefined)
      .map(({ agent_id, product }) => [agent_id, fromJson(product)]),
  );
  if (without.size === 0) return [];
  return [
    pricingNotConfigured(
      [...without].map(([agentId, { salesAgentName: agentName, storefrontName }]) => {
        const buy = before.find(({ agent_id, status }) => agent_id === agentId && status !== 'ARCHIVED');
        return { agentId, agentName, storefrontName, mediaBuyId: buy?.id };
      }),
    ),
  ];
}

/** The same of orders that go out once more as they were. */
export function unpricedAgain(
  buys: readonly Pick<MediaBuyRow, 'id' | 'agent_id' | 'agent_name' | 'sandbox'>[],
  fees: Fees,
): AppError | undefined {
  const without = buys.filter(({ agent_id, sandbox }) => !fromFlag(sandbox) && fees(agent_id) === undefined);
  if (without.length === 0) return undefined;
  return pricingNotConfigured(
    without.map(({ id: mediaBuyId, agent_id: agentId, agent_name: agentName }) => {
      return { agentId, agentName, mediaBuyId };
    }),
  );
}
