import { makeScope, type Scope } from '../../store/engine/scope.ts';
import type { Caller } from './context.ts';
import { accountOn, factsOf, type Surface } from './surfaces.ts';

/** The account the caller works in on this surface. Nobody's account is 0, which no row has. */
export function scopeFor(caller: Caller, surface: Surface): Scope {
  return makeScope({
    organizationId: caller.organizationId,
    customerId: accountOn(surface, caller.accounts) ?? 0,
    advertiserIds: factsOf(surface).side === 'seller' ? null : caller.advertiserIds,
  });
}
