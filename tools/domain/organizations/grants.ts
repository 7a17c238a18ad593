import { findAdvertiser } from '../../../store/advertisers.ts';
import { makeScope, makeTenant } from '../../../store/engine/scope.ts';
import { hasGrant, insertGrant } from '../../../store/memberships.ts';
import { skipBeyondGrants } from '../../../store/webhook-reach.ts';
import type { AuditSubject } from '../../core/audit.ts';
import type { Actor } from '../../core/context.ts';
import { conflict } from '../../core/errors/refusals.ts';
import { type Keeper, requireHolder } from './holders.ts';
import { requireAccount } from './keys.ts';
import { grantKind } from './kinds.ts';
import { ownLog } from './own-log.ts';
import { requireOrganization } from './standing.ts';

export interface NewGrant {
  readonly organizationId: number;
  /** `user:7` or `api_key:key_…`. */
  readonly holder: string;
  readonly customerId?: number;
  readonly advertiserId?: number;
}

/**
 * Narrows a holder to an account or an advertiser; several grants add up. Its webhook subscriptions are narrowed
 * with it. False where the holder has the very grant: it stays as it was.
 */
export async function giveGrant(actor: Actor, grant: NewGrant, keeper?: Keeper): Promise<boolean> {
  const { organizationId, holder, customerId, advertiserId } = grant;
  const tenant = makeTenant(organizationId);
  await requireOrganization(actor, organizationId);
  await requireHolder(actor, { tenant, holder, ...(keeper && { keeper }) });
  await requireReachable(actor, grant);
  const subject: AuditSubject = {
    kind: grantKind,
    action: 'CREATE',
    resourceId: holder,
    changes: { reach: { to: { customerId, advertiserId } } },
    tenant:
      customerId === undefined ? await ownLog(actor.db, organizationId) : { organizationId, customerId },
  };
  return actor.write(
    async (tx) => {
      const reach = { holder, customer_id: customerId ?? null, advertiser_id: advertiserId ?? null };
      if (await hasGrant(tx, tenant, reach)) return false;
      await insertGrant(tx, tenant, { ...reach, created_at: actor.now });
      await skipBeyondGrants(tx, tenant, { holder, now: actor.now });
      return true;
    },
    (isNew) => (isNew ? subject : undefined),
  );
}

/** What a grant opens is there, in this organization: a grant of nothing would close everything. */
async function requireReachable(actor: Actor, grant: NewGrant): Promise<void> {
  const { organizationId, customerId, advertiserId } = grant;
  await requireAccount(actor, { organizationId, customerId });
  if (advertiserId === undefined) return;
  const scope = makeScope({ organizationId, customerId: customerId ?? 0 });
  if ((await findAdvertiser(actor.db, scope, advertiserId)) !== undefined) return;
  throw conflict(
    `Advertiser ${advertiserId} is not one of organization ${organizationId}.`,
    'List them with advertiser_list, with a key of the organization.',
  );
}
