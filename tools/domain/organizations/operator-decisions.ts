import { fromFlag, toFlag } from '../../../store/engine/codec.ts';
import type { Db } from '../../../store/engine/db.ts';
import { makeTenant } from '../../../store/engine/scope.ts';
import { findOrganization, type OrganizationRow, updateOrganization } from '../../../store/organizations.ts';
import { listBelow, suspendOrganizations } from '../../../store/unscoped/organization-tree.ts';
import { findUserByEmail, suspendUser } from '../../../store/unscoped/users.ts';
import { changesBetween } from '../../core/changes.ts';
import type { Actor } from '../../core/context.ts';
import { notFound } from '../../core/errors/refusals.ts';
import { organizationKind, userKind } from './kinds.ts';
import { ownLog } from './own-log.ts';

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
  const tenant = await ownLog(actor.db, organizationId);
  const { ids } = await actor.write(
    (tx) => (isSuspended ? stop(tx, actor.now, organizationId) : goOn(tx, actor.now, organizationId)),
    ({ was, ids: moved }) =>
      moved.length === 0
        ? undefined
        : {
            kind: organizationKind,
            resourceId: organizationId,
            resourceName: name,
            changes: {
              ...(was === isSuspended ? {} : { suspended: { from: was, to: isSuspended } }),
              organizations: { from: null, to: moved },
            },
            tenant,
          },
  );
  return ids;
}

interface Moved {
  /** Whether it was stopped before. */
  readonly was: boolean;
  /** Those that were moved. */
  readonly ids: readonly number[];
}

/** Who is stopped already stays so, and whoever came below since then is stopped with it. */
async function stop(tx: Db, now: string, organizationId: number): Promise<Moved> {
  const all = await listBelow(tx, organizationId);
  const { suspended_at: since, parent_id: parentId } = await requireOrganization({ db: tx }, organizationId);
  const above = parentId === null ? undefined : await requireOrganization({ db: tx }, parentId);
  // One that was stopped with what is above it is stopped by itself from now on: it does not go on with that.
  const isAlong = since !== null && above?.suspended_at === since;
  const suspendedAt = isAlong || since === null ? now : since;
  const along = isAlong ? await suspendOrganizations(tx, all, { since, suspendedAt, now }) : [];
  const others = await suspendOrganizations(tx, all, { since: null, suspendedAt, now });
  return { was: since !== null, ids: [...along, ...others].sort((a, b) => a - b) };
}

/** What was stopped together goes on together: an account below that was stopped by itself stays so. */
async function goOn(tx: Db, now: string, organizationId: number): Promise<Moved> {
  const { suspended_at: since } = await requireOrganization({ db: tx }, organizationId);
  if (since === null) return { was: false, ids: [] };
  const all = await listBelow(tx, organizationId);
  return { was: true, ids: await suspendOrganizations(tx, all, { since, suspendedAt: null, now }) };
}

/** What an organization is let into: the market, and capabilities in alpha. */
export async function changeStanding(
  actor: Actor,
  organizationId: number,
  change: { readonly alpha?: boolean; readonly admission?: OrganizationRow['admission'] },
): Promise<void> {
  const { alpha, admission } = change;
  const tenant = await ownLog(actor.db, organizationId);
  await actor.write(
    async (tx) => {
      const before = await requireOrganization({ db: tx }, organizationId);
      const was = { alpha: fromFlag(before.alpha), admission: before.admission };
      const changes = changesBetween(was, {
        alpha: alpha ?? was.alpha,
        admission: admission ?? was.admission,
      });
      if (Object.keys(changes).length === 0) return undefined;
      await updateOrganization(tx, makeTenant(organizationId), {
        ...(alpha === undefined ? {} : { alpha: toFlag(alpha) }),
        ...(admission === undefined ? {} : { admission }),
        updated_at: actor.now,
      });
      return { name: before.name, changes };
    },
    (changed) =>
      changed && {
        kind: organizationKind,
        resourceId: organizationId,
        resourceName: changed.name,
        changes: changed.changes,
        tenant,
      },
  );
}

/** Stops a person everywhere, or lets them go on. */
export async function suspendPerson(
  actor: Actor,
  { email, isSuspended }: { readonly email: string; readonly isSuspended: boolean },
): Promise<{ readonly id: number; readonly isChanged: boolean }> {
  const user = await findUserByEmail(actor.db, email.toLowerCase());
  if (user === undefined) throw notFound(userKind);
  const { id } = user;
  if ((user.suspended_at !== null) === isSuspended) return { id, isChanged: false };
  const suspendedAt = isSuspended ? actor.now : null;
  await actor.write((tx) => suspendUser(tx, { id, suspendedAt, now: actor.now }), {
    kind: userKind,
    resourceId: id,
    changes: { suspended: { from: !isSuspended, to: isSuspended } },
    // A person may be in no organization, or in several.
    tenant: 'installation',
  });
  return { id, isChanged: true };
}
