import type { AuditLogRow } from '../../store/audit-log.ts';
import type { Store } from '../../store/engine/db.ts';
import { type Act, writeAudited } from './audit.ts';
import type { Actor } from './context.ts';
import { nowOf } from './moments.ts';
import type { Clock, Ids } from './ports.ts';

interface Parts {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
  readonly ids: Ids;
}

/** Somebody who acts without a call: the operator, or the service on its own account. */
export function createActor({ store, clock, ids }: Parts, deed: Omit<Act, 'now'>): Actor {
  const now = nowOf(clock);
  return {
    db: store.db,
    now,
    newId: (prefix) => ids.make(prefix),
    write: (work, subject) => writeAudited(store, { ...deed, now }, { work, subject }),
  };
}

/** The author of what the service does by itself: for whom, and by which request or process. */
export function asService(
  tenant: { readonly organization_id: number; readonly customer_id: number },
  requestId: string,
): Act['author'] {
  const origin: AuditLogRow['actor_origin'] = 'system';
  return {
    organizationId: tenant.organization_id,
    customerId: tenant.customer_id,
    userId: null,
    credentialId: null,
    origin,
    requestId,
    ip: null,
  };
}
