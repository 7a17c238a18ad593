import type { Opened } from '../../store/credential-access.ts';
import { fromFlag } from '../../store/engine/codec.ts';
import { unconfined } from '../../tools/core/access.ts';
import type { Caller, Services } from '../../tools/core/context.ts';
import { confine } from './narrowing.ts';

/** What a credential says of its caller; the rest is what it opens. */
type Credential = Omit<
  Caller,
  'organizationId' | 'accounts' | 'confined' | 'advertiserIds' | 'tier' | 'alpha'
>;

/** What confines a credential of its own beside its permissions and grants. */
interface Bond {
  /** The one account that it is bound to, if it is. */
  readonly customerId?: number | null;
  /** True where it works in the sandbox only. */
  readonly isTest?: boolean;
}

/** The caller behind a credential, with what that opens at this moment and within what confines it. */
export function callerFor(
  services: Services,
  credential: Credential,
  { opened, customerId = null, isTest = false }: Bond & { readonly opened: Opened },
): Caller | Promise<Caller> {
  const caller: Caller = {
    organizationId: opened.organization_id,
    accounts: { buyer: opened.buyer_id, seller: opened.seller_id },
    confined: unconfined,
    advertiserIds: null,
    tier: opened.tier,
    alpha: fromFlag(opened.alpha),
    ...credential,
  };
  return confine(services, caller, {
    grants: opened.grants,
    customerId,
    isTest,
    inSandboxOrganization: opened.organization_kind === 'sandbox',
  });
}
