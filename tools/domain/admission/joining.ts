import type { Db } from '../../../store/engine/db.ts';
import { makeTenant } from '../../../store/engine/scope.ts';
import { insertSponsorship, type SponsorshipState } from '../../../store/join-links.ts';
import {
  findJoinLinkBySlug,
  hasJoinedBy,
  type JoinLinkFound,
  useJoinLink,
} from '../../../store/unscoped/signup.ts';
import type { UserRow } from '../../../store/unscoped/users.ts';
import type { Actor } from '../../core/context.ts';
import { conflict, notFound } from '../../core/errors/refusals.ts';
import { joinLinkKind } from '../organizations/kinds.ts';
import { type MadeOrganization, madeSubject, makeOrganization } from '../organizations/organizations.ts';
import { makeFirst, requireVerified } from './signup.ts';

/** Whether a link can be used now. Pure: a row and a moment in. */
function isUsable(link: JoinLinkFound, now: string): boolean {
  if (link.revoked_at !== null || link.archived_at !== null || link.suspended_at !== null) return false;
  if (link.approval_policy === 'closed') return false;
  if (link.expires_at !== null && link.expires_at <= now) return false;
  return link.max_uses === null || link.uses < link.max_uses;
}

/** What anybody may know of a link: the same of one that is over as of one that never was. */
export async function joinContext(db: Db, slug: string, now: string) {
  const link = await findJoinLinkBySlug(db, slug);
  if (link === undefined || !isUsable(link, now)) {
    return { slug, valid: false, storefrontName: null, operatorDomain: null, defaultCurrency: null };
  }
  return {
    slug,
    valid: true,
    storefrontName: link.storefront_name,
    operatorDomain: link.operator_domain,
    defaultCurrency: link.default_currency,
  };
}

export interface Joined extends MadeOrganization {
  readonly storefrontName: string;
  readonly status: SponsorshipState;
}

/**
 * A buyer that a seller sponsors: an organization of its own that sees that storefront alone, while buyers are let
 * in or not. The link stays for the next one.
 */
export async function joinBySellerLink(
  actor: Actor,
  user: UserRow,
  { slug, name }: { readonly slug: string; readonly name: string },
): Promise<Joined> {
  requireVerified(user);
  const link = await findJoinLinkBySlug(actor.db, slug);
  if (link === undefined || !isUsable(link, actor.now)) throw notFound(leadsNowhere);
  const status = link.approval_policy === 'auto_approve' ? 'active' : 'pending';
  const made = await actor.write(async (tx) => {
    if (!(await useJoinLink(tx, { id: link.id, now: actor.now }))) {
      throw conflict('This link was just used up or closed.', 'Ask the seller for another one.');
    }
    // Asked while the link is held: a form that is sent twice makes one organization.
    if (await hasJoinedBy(tx, { userId: user.id, joinLinkId: link.id })) {
      throw conflict('You have joined by this link before.', 'Choose that company among your organizations.');
    }
    const organization = await makeOrganization(tx, actor.now, {
      name,
      roles: ['BUYER'],
      createdVia: 'join_link',
    });
    await makeFirst(tx, actor.now, { made: organization, user, via: 'join_link' });
    await insertSponsorship(tx, makeTenant(organization.organization.id), {
      storefront_id: link.storefront_id,
      join_link_id: link.id,
      status,
      created_at: actor.now,
      updated_at: actor.now,
    });
    return organization;
  }, madeSubject);
  return { ...made, storefrontName: link.storefront_name, status };
}

const leadsNowhere = {
  ...joinLinkKind,
  lookUp: 'Ask the seller for a link that works: this one is over, or never was.',
};
