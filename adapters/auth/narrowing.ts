import { makeTenant } from '../../store/engine/scope.ts';
import { findReach, type Reach } from '../../store/unscoped/credentials.ts';
import type { Bound, Confinement } from '../../tools/core/access.ts';
import type { Caller, Services } from '../../tools/core/context.ts';
import { holderOf } from '../../tools/domain/organizations/holders.ts';

/** What confines a credential beside its permissions. */
export interface Bounds {
  /** How many grants narrow it. */
  readonly grants: number;
  /** The one account that it is bound to, if it is. */
  readonly customerId: number | null;
  /** True where it works in the sandbox only. */
  readonly isTest: boolean;
  readonly inSandboxOrganization: boolean;
}

/**
 * A caller within what confines its credential, whatever kind that is. A grant narrows further; it never leads
 * out of the account that a credential is bound to (decisions, Gates).
 */
export function confine(services: Services, caller: Caller, bounds: Bounds): Caller | Promise<Caller> {
  return bounds.grants === 0
    ? { ...caller, confined: confinementOf(bounds, { buyer: true, seller: true }) }
    : narrowed(services, caller, bounds);
}

async function narrowed(services: Services, caller: Caller, bounds: Bounds): Promise<Caller> {
  const tenant = makeTenant(caller.organizationId);
  const reach = await findReach(services.store.db, tenant, holderOf(caller));
  const open = reach.filter(({ id }) => bounds.customerId === null || id === bounds.customerId);
  const buyer = open.find(({ role }) => role === 'BUYER');
  const seller = open.find(({ role }) => role === 'SELLER');
  return {
    ...caller,
    accounts: { buyer: buyer?.id ?? null, seller: seller?.id ?? null },
    confined: confinementOf(bounds, { buyer: isWhole(buyer), seller: isWhole(seller) }),
    advertiserIds: buyer?.advertiserIds ?? null,
  };
}

function isWhole(reach: Reach | undefined): boolean {
  return reach?.whole ?? false;
}

/**
 * Any grant, and an account that it is bound to, keep a credential from what the organization shares. One for tests
 * buys for sandbox advertisers wherever it is; what else it may change is the sandbox organization's own.
 */
function confinementOf(
  { isTest, inSandboxOrganization, grants, customerId }: Bounds,
  whole: { readonly buyer: boolean; readonly seller: boolean },
): Confinement {
  const elsewhere = isTest && !inSandboxOrganization;
  const bounds = (isWide: boolean, inSandbox: boolean): readonly Bound[] => [
    ...(isWide ? [] : (['grants'] as const)),
    ...(inSandbox ? (['sandbox'] as const) : []),
  ];
  return {
    buyer: bounds(whole.buyer, isTest),
    seller: bounds(whole.seller, elsewhere),
    organization: bounds(grants === 0 && customerId === null, elsewhere),
  };
}
