import { findAdvertiser } from '../../../store/advertisers.ts';
import { makeScope, makeTenant } from '../../../store/engine/scope.ts';
import {
  areNarrowed,
  deleteGrant,
  type GrantRow,
  hasGrant,
  insertGrant,
  listGrants,
} from '../../../store/memberships.ts';
import { lockOrganization } from '../../../store/organizations.ts';
import { skipBeyondGrants } from '../../../store/webhook-reach.ts';
import type { AuditSubject } from '../../core/audit.ts';
import type { Actor } from '../../core/context.ts';
import { conflict } from '../../core/errors/refusals.ts';
import { type Keeper, requireHolder, requireHolderName } from './holders.ts';
import { requireAccount } from './keys.ts';
import { grantKind } from './kinds.ts';
import { requireOrganization } from './operator-decisions.ts';
import { ownLog } from './own-log.ts';

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
  const { organizationId, holder } = grant;
  const tenant = makeTenant(organizationId);
  await requireOrganization(actor, organizationId);
  await requireHolder(actor, { tenant, holder, ...(keeper && { keeper }) });
  await requireReachable(actor, grant);
  const subject = await grantSubject(actor, grant, 'CREATE');
  return actor.write(
    async (tx) => {
      const reach = reachOf(grant);
      if (await hasGrant(tx, tenant, reach)) return false;
      await insertGrant(tx, tenant, { ...reach, created_at: actor.now });
      await skipBeyondGrants(tx, tenant, { holder, now: actor.now });
      return true;
    },
    (isNew) => (isNew ? subject : undefined),
  );
}

export interface TakenGrant {
  /** False where the holder has no such grant: nothing was written. */
  readonly isChanged: boolean;
  /** Whether grants narrow the holder still. */
  readonly isNarrowed: boolean;
}

/**
 * Takes a grant away. What waits for the holder's subscriptions and is beyond those that stay is not sent any more. The
 * last one goes only where that is said: without grants, a holder reaches everything of its organization.
 */
export async function takeGrant(
  actor: Actor,
  grant: NewGrant,
  { mayBeLast, keeper }: { readonly mayBeLast: boolean; readonly keeper?: Keeper | undefined },
): Promise<TakenGrant> {
  const { organizationId, holder } = grant;
  const tenant = makeTenant(organizationId);
  await requireOrganization(actor, organizationId);
  requireHolderName(holder);
  // Whoever held one may be gone. Where there is none, a name that nobody has is a mistake.
  if (!(await hasGrant(actor.db, tenant, reachOf(grant)))) {
    await requireHolder(actor, { tenant, holder, ...(keeper && { keeper }) });
    await requireReachable(actor, grant);
  }
  const subject = await grantSubject(actor, grant, 'DELETE');
  return actor.write(
    async (tx) => {
      await lockOrganization(tx, tenant);
      const isChanged = await hasGrant(tx, tenant, reachOf(grant));
      if (isChanged) await deleteGrant(tx, tenant, reachOf(grant));
      const isNarrowed = await areNarrowed(tx, tenant, [holder]);
      if (isChanged && !isNarrowed && !mayBeLast) throw lastOf(grant);
      if (isChanged && isNarrowed) await skipBeyondGrants(tx, tenant, { holder, now: actor.now });
      return { isChanged, isNarrowed };
    },
    ({ isChanged }) => (isChanged ? subject : undefined),
  );
}

function lastOf({ holder, organizationId }: NewGrant) {
  return conflict(
    `It is the last grant of ${holder}, which would reach everything of organization ${organizationId} without it.`,
    'Add the grant that it is to have first; or give --last, where everything is meant.',
  );
}

/** The grants of an organization, holder by holder. */
export async function grantsIn(actor: Pick<Actor, 'db'>, organizationId: number): Promise<GrantRow[]> {
  await requireOrganization(actor, organizationId);
  return listGrants(actor.db, makeTenant(organizationId));
}

function reachOf({ holder, customerId, advertiserId }: NewGrant) {
  return { holder, customer_id: customerId ?? null, advertiser_id: advertiserId ?? null };
}

/** What the log says of a grant that was given or taken away: in the log of its account, or the organization's own. */
async function grantSubject(
  { db }: Actor,
  { organizationId, holder, customerId, advertiserId }: NewGrant,
  action: 'CREATE' | 'DELETE',
): Promise<AuditSubject> {
  const reach = { customerId, advertiserId };
  return {
    kind: grantKind,
    action,
    resourceId: holder,
    changes: { reach: action === 'CREATE' ? { to: reach } : { from: reach, to: null } },
    tenant: customerId === undefined ? await ownLog(db, organizationId) : { organizationId, customerId },
  };
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
