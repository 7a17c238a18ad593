import type { AdvertiserRow } from '../../../store/advertisers.ts';
import { fromFlag, fromJson } from '../../../store/engine/codec.ts';
import { findOrganization } from '../../../store/organizations.ts';
import type { Context } from '../../core/context.ts';
import type { BuyingParty, FrequencyLimit } from '../sellers/port.ts';

/** For whom sellers are asked: the brand, and the domain of the organization that operates the account. */
export async function buyingParty(
  ctx: Pick<Context, 'db' | 'scope'>,
  advertiser: AdvertiserRow,
): Promise<BuyingParty> {
  const organization = await findOrganization(ctx.db, ctx.scope);
  return {
    brand: advertiser.brand,
    operator: organization?.domain ?? advertiser.brand,
    sandbox: fromFlag(advertiser.sandbox),
    ...capOf(advertiser),
  };
}

/** The same as one seller is told, under the account that the advertiser has there. */
export function partyAt(
  party: BuyingParty,
  accounts: ReadonlyMap<string, string>,
  agentId: string,
): BuyingParty {
  const accountId = accounts.get(agentId);
  return accountId === undefined ? party : { ...party, accountId };
}

/** A seller takes one cap a package, and an advertiser has no more; nor has a campaign. */
export function capOf({ frequency_caps: caps }: Pick<AdvertiserRow, 'frequency_caps'>): {
  frequencyCap?: FrequencyLimit;
} {
  const [cap] = caps === null ? [] : fromJson(caps);
  if (cap === undefined) return {};
  return { frequencyCap: { max_impressions: cap.max_impressions, window: cap.window } };
}
