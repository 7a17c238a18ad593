import type { Db } from '../../../store/engine/db.ts';
import { makeTenant } from '../../../store/engine/scope.ts';
import { insertMembership } from '../../../store/members.ts';
import type { CustomerRole } from '../../../store/organizations.ts';
import {
  insertStorefrontAgreement,
  listStarts,
  recordStart,
  type StartingPoint,
  startingPoints,
} from '../../../store/signups.ts';
import { insertAcceptance } from '../../../store/terms.ts';
import { readAdmission } from '../../../store/unscoped/admission.ts';
import { hasAccountAbove } from '../../../store/unscoped/organization-tree.ts';
import { hasSignedUp } from '../../../store/unscoped/signup.ts';
import type { UserRow } from '../../../store/unscoped/users.ts';
import type { Actor } from '../../core/context.ts';
import { conflict, forbidden } from '../../core/errors/refusals.ts';
import { organizationKind } from '../organizations/kinds.ts';
import { type MadeOrganization, madeSubject, makeOrganization } from '../organizations/organizations.ts';
import { ownLog } from '../organizations/own-log.ts';
import { inForce } from '../organizations/terms.ts';

/** What an e-mail address may sign up for: the same for every address, whether somebody has it or not. */
export async function availability(db: Db) {
  const { storefront_accounts: storefronts, plans } = await readAdmission(db);
  return {
    storefrontAccountSignupAllowed: storefronts,
    storefrontIuSignupAllowed: plans,
    // Of before the two were apart: it means the choice of a plan.
    storefrontSignupAllowed: plans,
  };
}

/** A new buyer's own organization, with the person as its first administrator. Only while buyers are let in. */
export async function signUpBuyer(
  actor: Actor,
  user: UserRow,
  { name }: { readonly name: string },
): Promise<MadeOrganization> {
  requireVerified(user);
  if (!(await readAdmission(actor.db)).buyers) {
    throw forbidden(
      'Buyers are let in by turns, and none by themselves for now.',
      'Say what you plan with the preview form, or come by an invitation of an organization.',
    );
  }
  return actor.write(async (tx) => {
    await requireNew(tx, user.id, 'signup');
    const made = await makeOrganization(tx, actor.now, { name, roles: ['BUYER'], createdVia: 'signup' });
    await makeFirst(tx, actor.now, { made, user, via: 'signup' });
    return made;
  }, madeSubject);
}

/**
 * Accounts below an organization are of a kind that it, or one above it, has; another kind is let in as whoever signs
 * up for it is.
 */
export async function requireAdmitted(
  db: Db,
  wanted: { readonly organizationId: number; readonly role: CustomerRole },
): Promise<void> {
  const { buyers, storefront_accounts: storefronts } = await readAdmission(db);
  const isOpen = wanted.role === 'BUYER' ? buyers : storefronts;
  if (isOpen || (await hasAccountAbove(db, wanted))) return;
  throw forbidden(
    `The organization has no ${wanted.role} account, and such accounts are not open to everybody for now.`,
    'Ask the operator of this service for one.',
  );
}

/**
 * A new storefront account. Accepting the terms makes its standard agreement, and nothing of a plan: no rate card,
 * no credit, no charge (interface, Buyer admission and signup rules, 6).
 */
export async function signUpStorefront(
  actor: Actor,
  user: UserRow,
  { name, termsVersion }: { readonly name: string; readonly termsVersion: string },
): Promise<MadeOrganization> {
  requireVerified(user);
  if (!(await readAdmission(actor.db)).storefront_accounts) {
    throw forbidden(
      'Storefront accounts are not open to everybody for now.',
      'Ask the operator of this service for one.',
    );
  }
  const { version } = await inForce(actor.db, actor.now);
  if (termsVersion !== version) {
    throw conflict(
      `Version ${termsVersion} of the terms is not the one in force.`,
      `Read version ${version}, and accept that.`,
      { field: 'termsVersion', details: { tosVersion: version } },
    );
  }
  return actor.write(async (tx) => {
    await requireNew(tx, user.id, 'storefront_signup');
    const made = await makeOrganization(tx, actor.now, {
      name,
      roles: ['SELLER'],
      createdVia: 'storefront_signup',
    });
    await makeFirst(tx, actor.now, { made, user, via: 'storefront_signup' });
    const tenant = makeTenant(made.organization.id);
    const accepted = { version, user_id: user.id };
    await insertAcceptance(tx, tenant, { ...accepted, via: 'signup', accepted_at: actor.now });
    await insertStorefrontAgreement(tx, tenant, { ...accepted, created_at: actor.now });
    return made;
  }, madeSubject);
}

/** A form that is sent twice makes one organization. */
async function requireNew(tx: Db, userId: number, via: 'signup' | 'storefront_signup'): Promise<void> {
  if (!(await hasSignedUp(tx, { userId, via }))) return;
  throw conflict(
    'You have signed an organization up before.',
    'Choose it among your organizations; accounts below it are made with account_create.',
  );
}

/** An address that nobody has shown to be theirs makes no organization. */
export function requireVerified(user: UserRow): void {
  if (user.email_verified_at !== null) return;
  throw forbidden(
    'Your e-mail address is not verified yet.',
    'Open the link that was mailed to you, and come back.',
  );
}

/** Makes whoever signed up the first administrator. */
export async function makeFirst(
  tx: Db,
  now: string,
  first: {
    readonly made: MadeOrganization;
    readonly user: UserRow;
    readonly via: 'signup' | 'storefront_signup' | 'join_link';
  },
): Promise<void> {
  await insertMembership(tx, makeTenant(first.made.organization.id), {
    user_id: first.user.id,
    role: 'SUPER_ADMIN',
    created_via: first.via,
    created_at: now,
  });
}

/** A way to begin, chosen already or not. Choosing one takes none of the others away. */
export interface Start {
  readonly choice: StartingPoint;
  readonly isChosen: boolean;
}

export async function startsOf(db: Db, organizationId: number): Promise<Start[]> {
  const chosen = await listStarts(db, makeTenant(organizationId));
  return startingPoints.map((choice) => ({ choice, isChosen: chosen.includes(choice) }));
}

/** Notes where a buyer begins. */
export async function chooseStart(
  actor: Actor,
  start: { readonly organizationId: number; readonly userId: number; readonly choice: StartingPoint },
): Promise<Start[]> {
  const { organizationId, userId, choice } = start;
  await actor.write(
    (tx) => recordStart(tx, makeTenant(organizationId), { choice, user_id: userId, created_at: actor.now }),
    {
      kind: organizationKind,
      resourceId: organizationId,
      changes: { start: { to: choice } },
      tenant: await ownLog(actor.db, organizationId),
    },
  );
  return startsOf(actor.db, organizationId);
}
