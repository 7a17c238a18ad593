import type { OrganizationDomainRow } from '../domains.ts';
import type { Db } from '../engine/db.ts';
import { type Counted, counted, type Page } from '../engine/paging.ts';
import type { Tenant } from '../engine/scope.ts';
import { unscoped } from '../engine/unscoped.ts';
import type { InvitationRow } from '../invitations.ts';
import type { JoinLinkRow, SponsorshipRow } from '../join-links.ts';
import { type OrganizationRow, withBelow } from '../organizations.ts';

/** What is looked up for people who belong to no organization yet: whom a link, an invitation or a domain leads to. */

type OfOrganization = Pick<OrganizationRow, 'name' | 'admission' | 'suspended_at'>;

/** The invitation whose value has this hash, with where it leads. */
export function findInvitationByHash(
  db: Db,
  hash: string,
): Promise<(InvitationRow & OfOrganization) | undefined> {
  return unscoped(db)
    .selectFrom('invitations')
    .innerJoin('organizations', 'organizations.id', 'invitations.organization_id')
    .selectAll('invitations')
    .select(['organizations.name', 'organizations.admission', 'organizations.suspended_at'])
    .where('invitations.hash', '=', hash)
    .executeTakeFirst();
}

interface Counting {
  readonly organizationId: number;
  readonly since: string;
  readonly place: number;
}

/** The invitation with this place, from the newest on, among those of an organization and all below it since a time. */
export function findInvitationFromLast(
  db: Db,
  { organizationId, since, place }: Counting,
): Promise<Pick<InvitationRow, 'created_at'> | undefined> {
  return withBelow(unscoped(db), organizationId)
    .selectFrom('below')
    .innerJoin('invitations', 'invitations.organization_id', 'below.id')
    .select('invitations.created_at')
    .where('invitations.created_at', '>', since)
    .orderBy('invitations.created_at', 'desc')
    .limit(1)
    .offset(place - 1)
    .executeTakeFirst();
}

/** How many invitations an organization and all below it had mailed since a time. */
export async function countInvitations(
  db: Db,
  { organizationId, since }: Omit<Counting, 'place'>,
): Promise<number> {
  const { count } = await withBelow(unscoped(db), organizationId)
    .selectFrom('below')
    .innerJoin('invitations', 'invitations.organization_id', 'below.id')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('invitations.created_at', '>', since)
    .executeTakeFirstOrThrow();
  return count;
}

/** The organization whose verified domain this is. */
export function findOrganizationOfDomain(
  db: Db,
  domain: string,
): Promise<(OrganizationDomainRow & OfOrganization) | undefined> {
  return unscoped(db)
    .selectFrom('organization_domains')
    .innerJoin('organizations', 'organizations.id', 'organization_domains.organization_id')
    .selectAll('organization_domains')
    .select(['organizations.name', 'organizations.admission', 'organizations.suspended_at'])
    .where('verified_domain', '=', domain)
    .executeTakeFirst();
}

export type JoinLinkFound = JoinLinkRow & {
  readonly storefront_name: string;
  readonly operator_domain: string | null;
  readonly default_currency: string | null;
  readonly archived_at: string | null;
  readonly suspended_at: string | null;
};

/** The link with this slug, in whatever state, with the storefront it leads to. */
export function findJoinLinkBySlug(db: Db, slug: string): Promise<JoinLinkFound | undefined> {
  return unscoped(db)
    .selectFrom('join_links')
    .innerJoin('storefronts', 'storefronts.id', 'join_links.storefront_id')
    .innerJoin('organizations', 'organizations.id', 'join_links.organization_id')
    .selectAll('join_links')
    .select([
      'storefronts.name as storefront_name',
      'storefronts.operator_domain',
      'storefronts.default_currency',
      'storefronts.archived_at',
      'organizations.suspended_at',
    ])
    .where('join_links.slug', '=', slug)
    .executeTakeFirst();
}

/** Counts one more use, in one write: false where the link is disabled, expired, closed or used up. */
export async function useJoinLink(
  db: Db,
  { id, now }: { readonly id: string; readonly now: string },
): Promise<boolean> {
  const { numUpdatedRows } = await unscoped(db)
    .updateTable('join_links')
    .set((eb) => ({ uses: eb('uses', '+', 1), updated_at: now }))
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .where('approval_policy', '!=', 'closed')
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .where((eb) => eb.or([eb('max_uses', 'is', null), eb('uses', '<', eb.ref('max_uses'))]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export type SponsoredBuyer = SponsorshipRow & { readonly name: string; readonly buyer_id: number };

/**
 * The buyers that came to a storefront by its links: the storefront is the seller's own, which the caller has found.
 */
export function listSponsoredBuyers(
  db: Db,
  asker: Tenant,
  { storefrontId, page }: { readonly storefrontId: number; readonly page: Page },
): Promise<Counted<SponsoredBuyer>> {
  const found = sponsorships(db).where('sponsorships.storefront_id', '=', storefrontId);
  const rows = found.select(SPONSORED).selectAll('sponsorships').orderBy('buyer_id');
  return counted(unscoped(db), { asker, rows, found }, page);
}

export function findSponsoredBuyer(
  db: Db,
  { storefrontId, buyerId }: { readonly storefrontId: number; readonly buyerId: number },
): Promise<SponsoredBuyer | undefined> {
  return sponsorships(db)
    .select(SPONSORED)
    .selectAll('sponsorships')
    .where('sponsorships.storefront_id', '=', storefrontId)
    .where('customers.id', '=', buyerId)
    .executeTakeFirst();
}

const SPONSORED = ['organizations.name', 'customers.id as buyer_id'] as const;

function sponsorships(db: Db) {
  return unscoped(db)
    .selectFrom('sponsorships')
    .innerJoin('organizations', 'organizations.id', 'sponsorships.organization_id')
    .innerJoin('customers', (join) =>
      join
        .onRef('customers.organization_id', '=', 'sponsorships.organization_id')
        .on('customers.role', '=', 'BUYER'),
    );
}

/**
 * Holds a person until the transaction ends, and says whether they have signed an organization up themselves before.
 */
export async function hasSignedUp(
  db: Db,
  { userId, via }: { readonly userId: number; readonly via: 'signup' | 'storefront_signup' },
): Promise<boolean> {
  const open = unscoped(db);
  await open
    .updateTable('users')
    .set((eb) => ({ name: eb.ref('name') }))
    .where('id', '=', userId)
    .execute();
  const row = await open
    .selectFrom('memberships')
    .select('organization_id')
    .where('user_id', '=', userId)
    .where('created_via', '=', via)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether a person has come by a link of a seller before: the organization that they made then is theirs still. */
export async function hasJoinedBy(
  db: Db,
  { userId, joinLinkId }: { readonly userId: number; readonly joinLinkId: string },
): Promise<boolean> {
  const row = await unscoped(db)
    .selectFrom('sponsorships')
    .innerJoin('memberships', 'memberships.organization_id', 'sponsorships.organization_id')
    .select('sponsorships.organization_id')
    .where('sponsorships.join_link_id', '=', joinLinkId)
    .where('memberships.user_id', '=', userId)
    .where('memberships.created_via', '=', 'join_link')
    .executeTakeFirst();
  return row !== undefined;
}
