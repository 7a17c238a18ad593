import type { Store } from '../../store/engine/db.ts';
import { listSellerAddresses, type SellerAddress } from '../../store/unscoped/seller-addresses.ts';
import { withOutbound } from '../process/outbound.ts';
import type { SellerRoutes } from '../sellers/seller-fetch.ts';
import type { Config } from '../settings/config.ts';
import { ASK_MS, type Finding, fine, reasonOf, warned } from './findings.ts';

const LOOKED_AT_MAX = 50;

/** Asks at the address of each seller whether anybody is there, on the way that the service would take. */
export async function lookAtSellers(config: Config, store: Store): Promise<Finding[]> {
  const addresses = await listSellerAddresses(store.db, LOOKED_AT_MAX + 1);
  const areMore = addresses.splice(LOOKED_AT_MAX).length > 0;
  if (addresses.length === 0) return [fine('sellers', 'None is active at an address of its own.')];
  const findings = await withOutbound(config, ({ sellers }) =>
    Promise.all(addresses.map((address) => lookAtSeller(sellers, address))),
  );
  const troubled = findings.filter((finding) => finding !== undefined);
  const reached = `${findings.length - troubled.length} of ${findings.length} answer.`;
  const said = areMore ? `${reached} There are more, which were not asked.` : reached;
  return [{ state: troubled.length === 0 ? 'fine' : 'warned', about: 'sellers', said }, ...troubled];
}

/** Any answer is one: what the seller says to strangers is its own matter. */
async function lookAtSeller(
  sellers: SellerRoutes,
  { organization_id, endpoint_url }: SellerAddress,
): Promise<Finding | undefined> {
  const whose = `${endpoint_url} (organization ${organization_id})`;
  if (!sellers.mayReach(endpoint_url, organization_id)) {
    const remedy =
      'Add its range to SELLER_ALLOWED_CIDRS and the organization to SELLER_ALLOWED_ORGANIZATIONS.';
    return warned('sellers', `${whose} is closed by the settings.`, remedy);
  }
  try {
    const reply = await sellers.fetchFor(organization_id)(endpoint_url, {
      signal: AbortSignal.timeout(ASK_MS),
    });
    await reply.body?.cancel();
    return undefined;
  } catch (error) {
    const said = reasonOf(error);
    return warned('sellers', `${whose} does not answer: ${said}`, 'Ask the seller, or disable the source.');
  }
}
