import { makeTenant } from '../../../store/engine/scope.ts';
import { insertGrant } from '../../../store/users.ts';
import { skipBeyondGrants } from '../../../store/webhooks.ts';
import type { Actor } from '../../core/context.ts';
import { grantKind } from './kinds.ts';

export interface NewGrant {
  readonly organizationId: number;
  /** `user:7` or `api_key:key_…`. */
  readonly holder: string;
  readonly customerId?: number;
  readonly advertiserId?: number;
}

/**
 * Narrows a holder to an account or an advertiser; several grants add up. Its webhook subscriptions are narrowed
 * with it.
 */
export function giveGrant(actor: Actor, grant: NewGrant): Promise<void> {
  const { organizationId, holder, customerId, advertiserId } = grant;
  return actor.write(
    async (tx) => {
      const tenant = makeTenant(organizationId);
      await insertGrant(tx, tenant, {
        holder,
        customer_id: customerId ?? null,
        advertiser_id: advertiserId ?? null,
        created_at: actor.now,
      });
      await skipBeyondGrants(tx, tenant, { principal: holder, now: actor.now });
    },
    {
      kind: grantKind,
      action: 'CREATE',
      resourceId: holder,
      changes: { reach: { to: { customerId, advertiserId } } },
      tenant: { organizationId, customerId: customerId ?? null },
    },
  );
}
