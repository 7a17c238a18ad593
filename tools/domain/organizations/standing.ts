import { fromFlag, toFlag } from '../../../store/engine/codec.ts';
import { makeTenant } from '../../../store/engine/scope.ts';
import { findOrganization, type OrganizationRow, updateOrganization } from '../../../store/organizations.ts';
import { listBelow, suspendOrganizations } from '../../../store/unscoped/organization-tree.ts';
import { findUserByEmail, suspendUser } from '../../../store/unscoped/users.ts';
import type { Actor } from '../../core/context.ts';
import { notFound } from '../../core/errors/refusals.ts';
import { organizationKind, userKind } from './kinds.ts';

/** What the operator decides of an organization or a person: whether they go on, and what they are let into. */

export async function requireOrganization({ db }: Pick<Actor, 'db'>, id: number): Promise<OrganizationRow> {
  const organization = await findOrganization(db, makeTenant(id));
  if (organization === undefined) throw notFound(organizationKind);
  return organization;
}

/**
 * Stops an organization and the accounts below it: none of their credentials is taken, open streams end, nothing is
 * sent to their receivers. Or lets those go on that were stopped with it. Says which.
 */
export async function suspendOrganization(
  actor: Actor,
  { organizationId, isSuspended }: { readonly organizationId: number; readonly isSuspended: boolean },
): Promise<readonly number[]> {
  const { name } = await requireOrganization(actor, organizationId);
  return actor.write(
    async (tx) => {
      const ids = await listBelow(tx, organizationId);
      const { suspended_at: since } = await requireOrganization({ db: tx }, organizationId);
      const move = (from: string | null, suspendedAt: string | null) =>
        suspendOrganizations(tx, ids, { since: from, suspendedAt, now: actor.now });
      // What was stopped together goes on together: an account below that was stopped by itself stays so.
      const along = since === null ? [] : await move(since, isSuspended ? actor.now : null);
      return isSuspended ? [...along, ...(await move(null, actor.now))].sort((a, b) => a - b) : along;
    },
    (ids) =>
      ids.length === 0
        ? undefined
        : {
            kind: organizationKind,
            resourceId: organizationId,
            resourceName: name,
            changes: {
              suspended: { from: !isSuspended, to: isSuspended },
              organizations: { from: null, to: ids },
            },
            tenant: { organizationId, customerId: null },
          },
  );
}

/** What an organization is let into: the market, and capabilities in alpha. */
export async function changeStanding(
  actor: Actor,
  organizationId: number,
  change: { readonly alpha?: boolean; readonly admission?: OrganizationRow['admission'] },
): Promise<void> {
  const { alpha, admission } = change;
  await actor.write(
    async (tx) => {
      const before = await requireOrganization({ db: tx }, organizationId);
      await updateOrganization(tx, makeTenant(organizationId), {
        ...(alpha === undefined ? {} : { alpha: toFlag(alpha) }),
        ...(admission === undefined ? {} : { admission }),
        updated_at: actor.now,
      });
      return before;
    },
    (before) => ({
      kind: organizationKind,
      resourceId: organizationId,
      resourceName: before.name,
      changes: {
        ...(alpha === undefined ? {} : { alpha: { from: fromFlag(before.alpha), to: alpha } }),
        ...(admission === undefined ? {} : { admission: { from: before.admission, to: admission } }),
      },
      tenant: { organizationId, customerId: null },
    }),
  );
}

/** Stops a person everywhere, or lets them go on. */
export async function suspendPerson(
  actor: Actor,
  { email, isSuspended }: { readonly email: string; readonly isSuspended: boolean },
): Promise<number> {
  const user = await findUserByEmail(actor.db, email.toLowerCase());
  if (user === undefined) throw notFound(userKind);
  const suspendedAt = isSuspended ? actor.now : null;
  await actor.write((tx) => suspendUser(tx, { id: user.id, suspendedAt, now: actor.now }), {
    kind: userKind,
    resourceId: user.id,
    changes: { suspended: { from: user.suspended_at !== null, to: isSuspended } },
    // A person may be in no organization, or in several.
    tenant: 'installation',
  });
  return user.id;
}
