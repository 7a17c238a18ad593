import { findDomain } from '../../../store/domains.ts';
import type { Db } from '../../../store/engine/db.ts';
import { makeTenant } from '../../../store/engine/scope.ts';
import {
  findProvider,
  type OrganizationProviderRow,
  removeProvider,
  setProvider,
} from '../../../store/organization-providers.ts';
import { findForeignProviders } from '../../../store/unscoped/providers.ts';
import type { AuditSubject } from '../../core/audit.ts';
import { changesBetween } from '../../core/changes.ts';
import type { Actor } from '../../core/context.ts';
import { invalid } from '../../core/errors/refusals.ts';
import type { Secrets } from '../../core/ports.ts';
import { HIDDEN } from '../../core/shown-error.ts';
import { boundedText, domainName } from '../text.ts';
import { orTaken, verifiedSubject, verifyIn } from './domains.ts';
import { organizationKind } from './kinds.ts';
import { requireOrganization } from './operator-decisions.ts';
import { ownLog } from './own-log.ts';
import { providerOwner } from './secret-owners.ts';

/** Identity providers of organizations: each is believed for the addresses of one verified domain. */

/** As much of what cannot be used is repeated. */
const SHOWN_MAX = 80;

export interface NewProvider {
  readonly organizationId: number;
  readonly domain: string;
  /** The address of an OpenID provider. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface NamedProvider {
  readonly domain: string;
  /** The domain was verified as the organization's with it, on the word of whoever named it. */
  readonly isNewlyVerified: boolean;
  /** False where all of it was so already: nothing was written. */
  readonly isChanged: boolean;
}

/**
 * Names the identity provider of a domain, in one transaction with all that goes with it. It is believed for a verified
 * domain alone: who names one as the operator says whose domain it is, and what another organization named for it is
 * over. Each organization reads of its own part in its log. Who is named already, with the same secret, stays.
 */
export async function nameProvider(
  actor: Actor,
  secrets: Pick<Secrets, 'seal' | 'open'>,
  wanted: NewProvider,
): Promise<NamedProvider> {
  const { organizationId, issuer, clientId, clientSecret } = wanted;
  const domain = readDomain(wanted.domain);
  requireIssuer(issuer);
  await requireOrganization(actor, organizationId);
  const provider = {
    domain,
    issuer,
    client_id: clientId,
    secret_sealed: secrets.seal(clientSecret, providerOwner(domain)),
    created_at: actor.now,
  };
  const place = { organizationId, domain };
  const name = async (tx: Db): Promise<AuditSubject[]> => {
    const before = await findProvider(tx, makeTenant(organizationId), domain);
    const isKept = before !== undefined && hasSecret(secrets, before, clientSecret);
    const changed = changesBetween(shownOf(before), shownOf(provider));
    if (isKept && Object.keys(changed).length === 0) return [];
    await setProvider(tx, makeTenant(organizationId), provider);
    const named = { identityProvider: { from: before?.domain ?? null, to: domain }, ...changed };
    return [await about(tx, organizationId, isKept ? named : { ...named, clientSecret: HIDDEN })];
  };
  const { isNewlyVerified, told } = await orTaken(actor, place, () =>
    actor.write(
      async (tx) => {
        const isNew = await verifyFor(tx, actor.now, place);
        const verified = isNew ? [await verifiedSubject({ db: tx }, place)] : [];
        const others = await dropOthers(tx, place);
        return { isNewlyVerified: isNew, told: [...verified, ...others, ...(await name(tx))] };
      },
      (done) => done.told,
    ),
  );
  return { domain, isNewlyVerified, isChanged: told.length > 0 };
}

/** Whether a provider is kept with the secret that is named now. What no key opens any more is not. */
function hasSecret(
  secrets: Pick<Secrets, 'open'>,
  kept: OrganizationProviderRow,
  clientSecret: string,
): boolean {
  try {
    return secrets.open(kept.secret_sealed, providerOwner(kept.domain)) === clientSecret;
  } catch {
    return false;
  }
}

/** The organization has no identity provider for a domain, as it is kept, from now on. Tells whether it had one. */
export async function removeNamedProvider(
  actor: Actor,
  wanted: Place,
): Promise<{ readonly domain: string; readonly isChanged: boolean }> {
  const domain = readDomain(wanted.domain);
  const { organizationId } = wanted;
  await requireOrganization(actor, organizationId);
  const removed = await actor.write(
    (tx) => dropProvider(tx, { organizationId, domain }),
    (told) => told,
  );
  return { domain, isChanged: removed !== undefined };
}

/** The domain of an organization. */
interface Place {
  readonly organizationId: number;
  readonly domain: string;
}

/** Takes away what other organizations named for a domain; gives what the log of each says of it. */
async function dropOthers(tx: Db, { organizationId, domain }: Place): Promise<AuditSubject[]> {
  const others = await findForeignProviders(tx, { domain, owner: organizationId });
  const dropped: AuditSubject[] = [];
  for (const other of others) {
    const subject = await dropProvider(tx, { organizationId: other, domain });
    if (subject !== undefined) dropped.push(subject);
  }
  return dropped;
}

/** Takes away what one organization named; gives what its log says of it, undefined where it named none. */
async function dropProvider(tx: Db, { organizationId, domain }: Place): Promise<AuditSubject | undefined> {
  const tenant = makeTenant(organizationId);
  const before = await findProvider(tx, tenant, domain);
  if (before === undefined || !(await removeProvider(tx, tenant, domain))) return undefined;
  const changed = changesBetween(shownOf(before), {});
  return about(tx, organizationId, { identityProvider: { from: domain, to: null }, ...changed });
}

async function verifyFor(tx: Db, now: string, place: Place): Promise<boolean> {
  const known = await findDomain(tx, makeTenant(place.organizationId), place.domain);
  if (known !== undefined && known.verified_at !== null) return false;
  await verifyIn(tx, now, place);
  return true;
}

function readDomain(text: string): string {
  const read = domainName.safeParse(text);
  if (read.success) return read.data;
  throw invalid('domain', `${boundedText(text, SHOWN_MAX)} is no domain. Give one such as acme.example.`);
}

function requireIssuer(issuer: string): void {
  if (URL.canParse(issuer) && /^https?:$/.test(new URL(issuer).protocol)) return;
  throw invalid(
    'issuer',
    `${boundedText(issuer, SHOWN_MAX)} is no issuer. Give the address of an OpenID provider such as https://login.acme.example.`,
  );
}

/** What the log shows of a provider. */
function shownOf(provider: Pick<OrganizationProviderRow, 'issuer' | 'client_id'> | undefined) {
  return provider === undefined ? {} : { issuer: provider.issuer, clientId: provider.client_id };
}

type Changes = NonNullable<AuditSubject['changes']>;

async function about(db: Db, organizationId: number, changes: Changes): Promise<AuditSubject> {
  return {
    kind: organizationKind,
    resourceId: organizationId,
    changes,
    tenant: await ownLog(db, organizationId),
  };
}
