import type { Db } from '../../../store/engine/db.ts';
import { makeTenant, type Tenant } from '../../../store/engine/scope.ts';
import { findMembership } from '../../../store/members.ts';
import {
  findAcceptance,
  governingOrganization,
  insertAcceptance,
  type TermsVersionTable,
} from '../../../store/terms.ts';
import { latestTerms, publishTerms, type TermsInForce, termsInForce } from '../../../store/unscoped/terms.ts';
import type { Actor } from '../../core/context.ts';
import { conflict, forbidden } from '../../core/errors/refusals.ts';
import { shortText } from '../text.ts';
import { later } from '../time.ts';
import { termsKind } from './kinds.ts';
import { requireOrganization } from './operator-decisions.ts';
import { ownLog } from './own-log.ts';

/** What a version of the terms is called. */
export const termsVersion = shortText(64);

/** Records that an organization accepted the latest terms, on paper or otherwise outside the service. */
export async function acceptTerms(actor: Actor, organizationId: number): Promise<string> {
  await requireOrganization(actor, organizationId);
  const version = await publishedTerms(actor);
  const governing = await governingOrganization(actor.db, makeTenant(organizationId));
  const tenant = await ownLog(actor.db, governing.organizationId);
  await actor.write(
    (tx) =>
      insertAcceptance(tx, governing, {
        version,
        user_id: null,
        via: 'operator',
        accepted_at: actor.now,
      }),
    (isNew) =>
      isNew
        ? {
            kind: termsKind,
            resourceId: version,
            changes: { accepted: { from: false, to: true } },
            tenant,
          }
        : undefined,
  );
  return version;
}

export function inForceIfAny({ db, now }: Pick<Actor, 'db' | 'now'>): Promise<string | undefined> {
  return latestTerms(db, now);
}

/** The version in force, for the operator, who is told how one gets there. */
export async function publishedTerms({ db, now }: Pick<Actor, 'db' | 'now'>): Promise<string> {
  const version = await inForceIfAny({ db, now });
  if (version !== undefined) return version;
  throw conflict(
    'No terms of service are in force.',
    'Start the service once, which publishes TERMS_VERSION, or publish a version with npm run rialto -- terms publish.',
  );
}

/**
 * Has the version of the settings in force where nobody has published it yet: for a start of the service. Published
 * before it stays as it was, and the log tells of it once.
 */
export async function publishSetting(actor: Actor, version: string): Promise<void> {
  await publish(actor, { version, effective_at: actor.now, url: null });
}

/** Makes a version known that is in force from a moment on. Every organization then has to accept it. */
export async function publishVersion(
  actor: Actor,
  wanted: {
    readonly version: string;
    readonly effectiveAt?: string | undefined;
    readonly url?: string | undefined;
  },
): Promise<string> {
  const { version, url = null } = wanted;
  const effective = wanted.effectiveAt ?? actor.now;
  if (await publish(actor, { version, effective_at: effective, url }, requireEffect)) return effective;
  throw conflict(
    `Version ${wanted.version} of the terms was published before.`,
    'Organizations may have accepted it: publish what is new under another version.',
  );
}

/** False: it was published before, and stays as it was. */
function publish(
  actor: Actor,
  terms: TermsVersionTable,
  check: (tx: Db, actor: Actor, terms: TermsVersionTable) => Promise<void> = async () => {},
): Promise<boolean> {
  const { version, effective_at, url } = terms;
  return actor.write(
    async (tx) => {
      if (!(await publishTerms(tx, terms))) return false;
      await check(tx, actor, terms);
      return true;
    },
    (isPublished) =>
      isPublished
        ? {
            kind: termsKind,
            action: 'CREATE',
            resourceId: version,
            changes: { effectiveAt: { to: effective_at }, url: { to: url } },
            tenant: 'installation',
          }
        : undefined,
  );
}

/** Refuses a version that is over before it begins: the one in force came later, and stays. */
async function requireEffect(tx: Db, { now }: Actor, { version, effective_at }: TermsVersionTable) {
  const inForceThen = await termsInForce(tx, later(now, effective_at));
  if (inForceThen === undefined || inForceThen.version === version) return;
  throw conflict(
    `Version ${version} would never be in force: version ${inForceThen.version} is from ${inForceThen.effective_at} on.`,
    'Leave --effective-at out to have it in force at once, or give a later moment.',
  );
}

/** An agreement as it stands with an organization. */
export interface Acceptance {
  readonly organizationId: number;
  readonly tosVersion: string;
  readonly acceptedByUserId: number | null;
  readonly acceptedAt: string;
}

export interface Accepting {
  /** The organization that the person works in: its root is the one that accepts. */
  readonly tenant: Tenant;
  /** The account of it in whose log the deed stands, where it accepts for itself. */
  readonly customerId?: number | null;
  readonly userId: number;
  readonly via: 'rest' | 'mcp' | 'signup';
  /** The version that the person has read, where they say which. */
  readonly version?: string | undefined;
}

/**
 * Accepts the terms for the organization whose agreement governs: for it and all accounts below it. Only who holds
 * ADMIN or SUPER_ADMIN there directly may (interface, Authentication rule 8). Accepted twice it stays as it was:
 * the answer then is `existed`.
 */
export async function acceptAsPerson(
  actor: Actor,
  accepting: Accepting,
): Promise<{ readonly acceptance: Acceptance; readonly existed: boolean }> {
  const { db, now } = actor;
  const { url: _url, version } = await inForce(db, now);
  const governing = await governingOrganization(db, accepting.tenant);
  await requireDirectAdmin(db, governing, accepting.userId);
  if (accepting.version !== undefined && accepting.version !== version) {
    throw conflict(
      `Version ${accepting.version} of the terms is not the one in force.`,
      `Read version ${version}, and accept that.`,
      { field: 'version', details: { tosVersion: version } },
    );
  }
  const before = await acceptanceOf(db, governing, version);
  const { organizationId } = governing;
  const isOwn = organizationId === accepting.tenant.organizationId;
  const customerId = isOwn ? (accepting.customerId ?? null) : null;
  const about = {
    kind: termsKind,
    resourceId: version,
    tenant: customerId === null ? await ownLog(db, organizationId) : { organizationId, customerId },
  };
  if (before !== undefined) {
    // A person who accepts has declared it, whoever did so before: that stands in the log.
    await actor.write(async () => {}, about);
    return { acceptance: before, existed: true };
  }
  await actor.write(
    (tx) =>
      insertAcceptance(tx, governing, {
        version,
        user_id: accepting.userId,
        via: accepting.via,
        accepted_at: now,
      }),
    (isNew) => (isNew ? { ...about, changes: { acceptedBy: { to: accepting.userId } } } : undefined),
  );
  // Of two at once one was first, and its word stands.
  const acceptance = await acceptanceOf(db, governing, version);
  if (acceptance === undefined) throw new Error('An acceptance was written and is not there.');
  return { acceptance, existed: false };
}

export async function inForce(db: Db, now: string): Promise<TermsInForce> {
  const terms = await termsInForce(db, now);
  if (terms !== undefined) return terms;
  throw conflict('No terms of service are in force.', 'Ask the operator of this service to publish them.');
}

/** Whether a person may accept for the organization whose agreement governs: only with a role there itself. */
export async function isDirectAdmin(db: Db, governing: Tenant, userId: number): Promise<boolean> {
  const membership = await findMembership(db, governing, userId);
  return membership?.role === 'ADMIN' || membership?.role === 'SUPER_ADMIN';
}

async function requireDirectAdmin(db: Db, governing: Tenant, userId: number): Promise<void> {
  if (await isDirectAdmin(db, governing, userId)) return;
  throw forbidden(
    'Only an administrator of the organization that owns the agreement can accept it; a role in one of its accounts is not enough.',
    `Ask an administrator of organization ${governing.organizationId} to accept the terms.`,
  );
}

async function acceptanceOf(db: Db, tenant: Tenant, version: string): Promise<Acceptance | undefined> {
  const row = await findAcceptance(db, tenant, version);
  if (row === undefined) return undefined;
  return {
    organizationId: tenant.organizationId,
    tosVersion: version,
    acceptedByUserId: row.user_id,
    acceptedAt: row.accepted_at,
  };
}
