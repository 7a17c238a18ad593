import type { Db } from '../../../store/engine/db.ts';
import type { Tenant } from '../../../store/engine/scope.ts';
import { deleteSubscriptionsOf } from '../../../store/webhooks.ts';
import type { AuditSubject } from '../../core/audit.ts';
import { holderOfKey } from './holders.ts';

type Changes = NonNullable<AuditSubject['changes']>;

/** How the audit entry of an end tells the webhook subscriptions that ended with it; nothing where there were none. */
export function toldEnded(ids: readonly string[]): Changes {
  return ids.length === 0 ? {} : { webhookSubscriptions: { from: ids, to: [] } };
}

/**
 * What ends with a key, wherever it is kept: the webhook subscriptions that carry its grants. Those of a key without
 * grants belong to the account, and live on. Gives what the audit entry tells.
 */
export async function endWithKey(
  tx: Db,
  tenant: Tenant,
  { id, now }: { readonly id: string; readonly now: string },
): Promise<Changes> {
  const ended = await deleteSubscriptionsOf(tx, tenant, { holder: holderOfKey(id), now });
  return { revoked: { from: false, to: true }, ...toldEnded(ended) };
}
