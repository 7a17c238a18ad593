import type { AdvertiserRow } from '../../../store/advertisers.ts';
import { fromFlag } from '../../../store/engine/codec.ts';
import { findOrganization } from '../../../store/organizations.ts';
import type { Context } from '../../core/context.ts';
import type { BuyingParty } from '../sellers/port.ts';

/** For whom sellers are asked: the brand, and the domain of the organization that operates the account. */
export async function buyingParty(ctx: Context, advertiser: AdvertiserRow): Promise<BuyingParty> {
  const organization = await findOrganization(ctx.db, ctx.scope);
  return {
    brand: advertiser.brand,
    operator: organization?.domain ?? advertiser.brand,
    sandbox: fromFlag(advertiser.sandbox),
  };
}
