import type { Selectable } from 'kysely';
import type { Db } from './engine/db.ts';
import { type Counted, counted, type Page } from './engine/paging.ts';
import type { Scope, Tenant } from './engine/scope.ts';
import { inAccount, inOrganization, ofAccount, ofOrganization } from './engine/scoped.ts';

export const approvalPolicies = ['auto_approve', 'manual_approve', 'closed'] as const;

export interface JoinLinkTable {
  id: string;
  /** The seller's. */
  organization_id: number;
  customer_id: number;
  storefront_id: number;
  /** What stands in the address. */
  slug: string;
  approval_policy: (typeof approvalPolicies)[number];
  uses: number;
  max_uses: number | null;
  expires_at: string | null;
  revoked_at: string | null;
  /** Who made it, as the audit log names callers. */
  created_by: string;
  created_at: string;
  updated_at: string;
}

export const sponsorshipStates = ['pending', 'active', 'suspended'] as const;
export type SponsorshipState = (typeof sponsorshipStates)[number];

/** What keeps a buyer to one storefront. */
export interface SponsorshipTable {
  /** The buyer. */
  organization_id: number;
  storefront_id: number;
  join_link_id: string;
  status: SponsorshipState;
  created_at: string;
  updated_at: string;
}

export type JoinLinkRow = Selectable<JoinLinkTable>;
export type SponsorshipRow = Selectable<SponsorshipTable>;

declare module './engine/database.ts' {
  interface Database {
    join_links: JoinLinkTable;
    sponsorships: SponsorshipTable;
  }
}

export async function insertJoinLink(
  db: Db,
  scope: Scope,
  link: Omit<JoinLinkRow, 'organization_id' | 'customer_id'>,
): Promise<JoinLinkRow> {
  return db.insertInto('join_links').values(ofAccount(scope, link)).returningAll().executeTakeFirstOrThrow();
}

/** How many links of the account nobody disabled, and how many there are with the disabled ones. */
export async function countJoinLinks(
  db: Db,
  scope: Scope,
): Promise<{ readonly live: number; readonly all: number }> {
  const { disabled, all } = await db
    .selectFrom('join_links')
    .$call(inAccount(scope))
    .select(({ fn }) => [fn.countAll().as('all'), fn.count('revoked_at').as('disabled')])
    .executeTakeFirstOrThrow();
  return { live: Number(all) - Number(disabled), all: Number(all) };
}

/** The links of the account that nobody disabled, the newest first. */
export function listJoinLinks(db: Db, scope: Scope, page: Page): Promise<Counted<JoinLinkRow>> {
  const found = db.selectFrom('join_links').$call(inAccount(scope)).where('revoked_at', 'is', null);
  return counted(
    db,
    { asker: scope, rows: found.selectAll().orderBy('created_at', 'desc').orderBy('id'), found },
    page,
  );
}

export function findJoinLink(db: Db, scope: Scope, id: string): Promise<JoinLinkRow | undefined> {
  return db
    .selectFrom('join_links')
    .selectAll()
    .$call(inAccount(scope))
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
}

/** Disables a link. Whoever came by it stays. False: it was disabled before. */
export async function revokeJoinLink(
  db: Db,
  scope: Scope,
  { id, now }: { readonly id: string; readonly now: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('join_links')
    .set({ revoked_at: now, updated_at: now })
    .$call(inAccount(scope))
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function insertSponsorship(
  db: Db,
  tenant: Tenant,
  sponsorship: Omit<SponsorshipRow, 'organization_id'>,
): Promise<void> {
  await db.insertInto('sponsorships').values(ofOrganization(tenant, sponsorship)).execute();
}

/** What keeps the organization to one storefront; undefined where nothing does. */
export function findSponsorship(db: Db, { organizationId }: Tenant): Promise<SponsorshipRow | undefined> {
  return db
    .selectFrom('sponsorships')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
}

/** Moves a sponsored buyer on from one state to another; false where it is in that state no more. */
export async function moveSponsorship(
  db: Db,
  buyer: Tenant,
  move: {
    readonly from: SponsorshipState;
    readonly to: SponsorshipState;
    readonly now: string;
  },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sponsorships')
    .set({ status: move.to, updated_at: move.now })
    .$call(inOrganization(buyer))
    .where('status', '=', move.from)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
