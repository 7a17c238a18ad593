import type { AdvertiserRow } from '../../../../store/advertisers.ts';
import { fromFlag, fromJson } from '../../../../store/engine/codec.ts';
import type { Context, Services } from '../../../core/context.ts';
import { speaksForOthers, spokenDomain } from '../../organizations/spoken-domain.ts';
import type { FrequencyLimit } from '../../sellers/frequency-limit.ts';
import type { BuyingParty } from '../../sellers/port.ts';

type Asking = Pick<Context, 'db' | 'scope'> & { readonly services: Pick<Services, 'publicUrl'> };

/** For whom sellers are asked: the brand, and the domain of who operates the account. */
export async function buyingParty(ctx: Asking, advertiser: AdvertiserRow): Promise<BuyingParty> {
  return {
    brand: advertiser.brand,
    operator: await operatorOf(ctx, advertiser.brand),
    sandbox: fromFlag(advertiser.sandbox),
    ...capOf(advertiser),
  };
}

/**
 * An organization of which no domain is known for its own operates as the brand itself, as AdCP has it; but nobody does
 * as a brand that is another organization's. Sellers must be told somebody: then it is who runs this installation.
 */
async function operatorOf({ db, scope, services }: Asking, brand: string): Promise<string> {
  const own = await spokenDomain(db, scope);
  if (own !== null) return own;
  const isAnothers = await speaksForOthers(db, scope.organizationId, brand);
  return isAnothers ? new URL(services.publicUrl()).hostname : brand;
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
