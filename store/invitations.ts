import type { Selectable } from 'kysely';
import { byId } from './engine/by-id.ts';
import type { Db } from './engine/db.ts';
import { type Counted, counted, type Page } from './engine/paging.ts';
import type { Tenant } from './engine/scope.ts';
import { inOrganization, ofOrganization } from './engine/scoped.ts';
import type { Role } from './memberships.ts';

export interface InvitationTable {
  id: string;
  organization_id: number;
  /** Whom it is for, in lower case: nobody else can accept it. */
  email: string;
  role: Role;
  /** SHA-256 of the value in the mail, lowercase hex. */
  hash: string;
  invited_by: number | null;
  created_at: string;
  expires_at: string;
  accepted_at: string | null;
  accepted_by: number | null;
  revoked_at: string | null;
}

export type InvitationRow = Selectable<InvitationTable>;

declare module './engine/database.ts' {
  interface Database {
    invitations: InvitationTable;
  }
}

export async function insertInvitation(
  db: Db,
  tenant: Tenant,
  invitation: Omit<InvitationRow, 'organization_id'>,
): Promise<void> {
  await db.insertInto('invitations').values(ofOrganization(tenant, invitation)).execute();
}

/** The invitations that can still be accepted, the newest first. */
export function listOpenInvitations(
  db: Db,
  tenant: Tenant,
  { now, page }: { now: string; page: Page },
): Promise<Counted<InvitationRow>> {
  const found = db
    .selectFrom('invitations')
    .$call(inOrganization(tenant))
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now);
  return counted(
    db,
    { asker: tenant, rows: found.selectAll().orderBy('created_at', 'desc').orderBy('id'), found },
    page,
  );
}

export const findInvitation = byId((db) => db.selectFrom('invitations').selectAll());

/** Takes invitations back: this one, or all that are open for an address. */
export async function revokeInvitations(
  db: Db,
  tenant: Tenant,
  which: { readonly id?: string; readonly email?: string; readonly now: string },
): Promise<number> {
  const { id, email } = which;
  const { numUpdatedRows } = await db
    .updateTable('invitations')
    .set({ revoked_at: which.now })
    .$call(inOrganization(tenant))
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? ''))
    .$if(email !== undefined, (query) => query.where('email', '=', email ?? ''))
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Uses an invitation up, in one write: of two who accept it at once one gets it, and it is over for good. */
export function useUpInvitation(
  db: Db,
  tenant: Tenant,
  use: { readonly id: string; readonly userId: number; readonly now: string },
): Promise<InvitationRow | undefined> {
  return db
    .updateTable('invitations')
    .set({ accepted_at: use.now, accepted_by: use.userId })
    .$call(inOrganization(tenant))
    .where('id', '=', use.id)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', use.now)
    .returningAll()
    .executeTakeFirst();
}
