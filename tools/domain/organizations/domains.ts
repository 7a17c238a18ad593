import {
  type DomainPolicy,
  decideJoinRequest,
  findDomain,
  findJoinRequestOf,
  insertDomain,
  type JoinRequestRow,
  listDomains,
  type OrganizationDomainRow,
  requestToJoin,
  updateDomain,
} from '../../../store/domains.ts';
import type { Db } from '../../../store/engine/db.ts';
import { isUniqueViolation } from '../../../store/engine/dialect.ts';
import { makeTenant, type Tenant, tenantOfRow } from '../../../store/engine/scope.ts';
import { insertMembership } from '../../../store/members.ts';
import { findOrganization, lockOrganization } from '../../../store/organizations.ts';
import { findMember } from '../../../store/unscoped/people.ts';
import { findOrganizationOfDomain } from '../../../store/unscoped/signup.ts';
import type { UserRow } from '../../../store/unscoped/users.ts';
import type { AuditSubject } from '../../core/audit.ts';
import type { Actor, Context } from '../../core/context.ts';
import { conflict, forbidden, invalid } from '../../core/errors/refusals.ts';
import { next } from '../../core/machines.ts';
import { present } from '../../core/reach.ts';
import { requireRoom } from '../quota-room.ts';
import { isConsumerDomain } from './consumer-domains.ts';
import { domainTaken, domainTakenBy } from './domain-taken.ts';
import { requireAdmitted } from './invitations.ts';
import { domainKind, joinRequestKind, memberKind, organizationKind } from './kinds.ts';
import { knownOrganization } from './known-organization.ts';
import { joinRequestMachine, standingAfter } from './machines.ts';
import { requireOrganization } from './operator-decisions.ts';
import { ownLog } from './own-log.ts';

/** Says that a domain is the organization's own. It counts once the operator has verified it. */
export async function claimDomain(
  ctx: Context,
  { domain, policy }: { readonly domain: string; readonly policy: DomainPolicy },
): Promise<OrganizationDomainRow> {
  requireOwnable('domain', domain);
  const before = await findDomain(ctx.db, ctx.scope, domain);
  if (before !== undefined) throw claimed(domain);
  try {
    return await ctx.write((tx) => insertClaim(tx, ctx, { tenant: ctx.scope, domain, policy }), {
      resourceId: domain,
      resourceName: domain,
    });
  } catch (error) {
    throw isUniqueViolation(error) ? claimed(domain) : error;
  }
}

async function roomForDomain(tx: Db, tenant: Tenant, most: number): Promise<void> {
  await lockOrganization(tx, tenant);
  const { total: there } = await listDomains(tx, tenant, { take: 1, skip: 0 });
  const instead = 'Use one of domain_list, or ask the operator of this service, who names further ones.';
  requireRoom({ owner: 'organization', what: 'domain', there, most, instead });
}

/** Refuses a domain that no organization can have for its own, under the name of the field that gave it. */
export function requireOwnable(field: string, domain: string): void {
  if (!isConsumerDomain(domain)) return;
  throw invalid(field, `Anybody can have a mailbox at ${domain}: it is no organization’s own.`, {
    suggestion: 'Give the domain of your organization.',
  });
}

/** Puts a domain down as the organization's own, which nobody has verified. */
export async function insertClaim(
  tx: Db,
  { services, now }: Pick<Context, 'services' | 'now'>,
  {
    tenant,
    domain,
    policy,
  }: { readonly tenant: Tenant; readonly domain: string; readonly policy: DomainPolicy },
): Promise<OrganizationDomainRow> {
  await roomForDomain(tx, tenant, services.limits.quotas.domainsPerOrganization);
  return insertDomain(tx, tenant, {
    domain,
    policy,
    verified_at: null,
    verified_domain: null,
    created_at: now,
  });
}

function claimed(domain: string) {
  return conflict(`Your organization has named ${domain} before.`, 'Change its policy with domain_update.');
}

export interface Verifying {
  readonly organizationId: number;
  readonly domain: string;
}

/** The operator has seen that a domain is an organization's: from now on it is of no other. */
export async function verifyDomain(actor: Actor, verifying: Verifying): Promise<{ readonly isNew: boolean }> {
  const { organizationId, domain } = verifying;
  await requireOrganization(actor, organizationId);
  const known = await findDomain(actor.db, makeTenant(organizationId), domain.toLowerCase());
  if (known !== undefined && known.verified_at !== null) return { isNew: false };
  const about = await verifiedSubject(actor, verifying);
  await orTaken(actor, verifying, () => actor.write((tx) => verifyIn(tx, actor.now, verifying), about));
  return { isNew: true };
}

/** The same within a transaction that does more than that. */
export async function verifyIn(
  tx: Db,
  now: string,
  { organizationId, domain: wanted }: Verifying,
): Promise<OrganizationDomainRow> {
  const tenant = makeTenant(organizationId);
  const domain = wanted.toLowerCase();
  if (isConsumerDomain(domain)) throw invalid('domain', `Anybody can have a mailbox at ${domain}.`);
  const verified = { verified_at: now, verified_domain: domain };
  return (
    (await updateDomain(tx, tenant, { domain, set: verified })) ??
    insertDomain(tx, tenant, { domain, policy: 'invitation_only', created_at: now, ...verified })
  );
}

/** What the log of its organization says of a domain that was verified, or is not any more. */
export async function verifiedSubject(
  { db }: Pick<Actor, 'db'>,
  { organizationId, domain }: Verifying,
  verified: { readonly from: boolean; readonly to: boolean } = { from: false, to: true },
): Promise<AuditSubject> {
  return {
    kind: domainKind,
    resourceId: domain,
    resourceName: domain,
    changes: { verified },
    tenant: await ownLog(db, organizationId),
  };
}

/** Does what the operator verifies a domain with; refused where it is verified as another organization's. */
export async function orTaken<T>(
  { db }: Pick<Actor, 'db'>,
  { domain }: Pick<Verifying, 'domain'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    const holder = await findOrganizationOfDomain(db, domain.toLowerCase());
    throw holder === undefined ? domainTaken(domain) : domainTakenBy(domain, holder.organization_id);
  }
}

/** How asking to be let in ended. */
export interface AskedIn {
  readonly organizationId: number;
  readonly organizationName: string;
  readonly status: 'joined' | 'requested';
}

/**
 * Lets a person into the organization of its verified domain, or puts it before an administrator: as that says.
 * Whom an administrator declined or took out no domain lets in by itself.
 */
export async function askIn(actor: Actor, user: UserRow): Promise<AskedIn> {
  const found = await knownOrganization(actor.db, user);
  if (found === undefined || found.policy === 'invitation_only') {
    throw forbidden(
      'No organization takes in people of your e-mail domain by themselves.',
      'Verify your e-mail address, or ask an administrator of your organization for an invitation.',
    );
  }
  requireAdmitted(found);
  const tenant = tenantOfRow(found);
  // By a role above it as well: a lesser one of its own would take that one's place there.
  if (
    (await findMember(actor.db, { userId: user.id, organizationId: found.organization_id })) !== undefined
  ) {
    throw conflict('You are a member of this organization already.', 'Choose it among your organizations.');
  }
  const before = await findJoinRequestOf(actor.db, tenant, user.id);
  const isTurnedAway = before !== undefined && before.status !== 'approved';
  const status = standingAfter('askAgain', before?.status);
  const isOpen = found.policy === 'auto_approve' && !isTurnedAway;
  await actor.write(
    async (tx) => {
      if (isOpen) await letIn(tx, actor.now, { organizationId: found.organization_id, userId: user.id });
      else await requestToJoin(tx, tenant, { userId: user.id, status, now: actor.now });
    },
    {
      kind: isOpen ? memberKind : joinRequestKind,
      action: 'CREATE',
      resourceId: user.id,
      resourceName: user.email,
      changes: { policy: { to: found.policy } },
      tenant: await ownLog(actor.db, found.organization_id),
    },
  );
  return {
    organizationId: found.organization_id,
    organizationName: found.name,
    status: isOpen ? 'joined' : 'requested',
  };
}

async function letIn(
  tx: Db,
  now: string,
  { organizationId, userId }: { readonly organizationId: number; readonly userId: number },
): Promise<void> {
  await insertMembership(tx, makeTenant(organizationId), {
    user_id: userId,
    role: 'MEMBER',
    created_via: 'domain_policy',
    created_at: now,
  });
}

/** An administrator lets a person in who asked, or does not. */
export async function decideOn(
  ctx: Context,
  request: JoinRequestRow,
  event: 'approve' | 'decline',
): Promise<JoinRequestRow> {
  const status = next(joinRequestMachine, request.status, event);
  if (status === undefined) throw decidedBefore();
  if (event === 'approve')
    requireAdmitted(present(await findOrganization(ctx.db, ctx.scope), organizationKind));
  return ctx.write(
    async (tx) => {
      const decision = { id: request.id, status, userId: ctx.caller.userId, now: ctx.now };
      const decided = await decideJoinRequest(tx, ctx.scope, decision);
      if (decided === undefined) throw decidedBefore();
      if (event === 'approve') {
        await letIn(tx, ctx.now, { organizationId: ctx.scope.organizationId, userId: request.user_id });
      }
      return decided;
    },
    { resourceId: request.id, changes: { status: { from: request.status, to: status } } },
  );
}

function decidedBefore() {
  return conflict('This request was decided before.', 'List those that wait with join_request_list.');
}
