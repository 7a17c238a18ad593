import { findDomain } from '../../../store/domains.ts';
import type { Db } from '../../../store/engine/db.ts';
import { makeTenant } from '../../../store/engine/scope.ts';
import { removeProvider, setProvider } from '../../../store/organization-providers.ts';
import { findForeignProviders } from '../../../store/unscoped/providers.ts';
import type { AuditSubject } from '../../core/audit.ts';
import type { Actor } from '../../core/context.ts';
import { invalid, notFound } from '../../core/errors/refusals.ts';
import type { Secrets } from '../../core/ports.ts';
import { domainName } from '../text.ts';
import { verifyDomain } from './domains.ts';
import { identityProviderKind, organizationKind } from './kinds.ts';
import { providerOwner } from './secret-owners.ts';
import { requireOrganization } from './standing.ts';

/** Identity providers of organizations: each is believed for the addresses of one verified domain. */

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
}

/**
 * Names the identity provider of a domain. It is believed for a verified domain alone: who names one as the operator
 * says whose domain it is, and what another organization named for it is over, with an entry in its log.
 */
export async function nameProvider(
  actor: Actor,
  secrets: Pick<Secrets, 'seal'>,
  wanted: NewProvider,
): Promise<NamedProvider> {
  const { organizationId, issuer, clientId, clientSecret } = wanted;
  const domain = readDomain(wanted.domain);
  requireIssuer(issuer);
  await requireOrganization(actor, organizationId);
  const isNewlyVerified = await verifyFor(actor, { organizationId, domain });
  for (const other of await findForeignProviders(actor.db, { domain, owner: organizationId })) {
    await dropProvider(actor, { organizationId: other, domain });
  }
  const provider = {
    domain,
    issuer,
    client_id: clientId,
    secret_sealed: secrets.seal(clientSecret, providerOwner(domain)),
    created_at: actor.now,
  };
  await actor.write(
    (tx) => setProvider(tx, makeTenant(organizationId), provider),
    about(organizationId, { to: { domain, issuer, clientId } }),
  );
  return { domain, isNewlyVerified };
}

/** The organization has no identity provider for a domain from now on. Gives the domain as it is kept. */
export async function removeNamedProvider(
  actor: Actor,
  wanted: { readonly organizationId: number; readonly domain: string },
): Promise<string> {
  const domain = readDomain(wanted.domain);
  const isRemoved = await dropProvider(actor, { ...wanted, domain });
  if (!isRemoved) throw notFound(identityProviderKind);
  return domain;
}

function dropProvider(
  actor: Actor,
  { organizationId, domain }: { readonly organizationId: number; readonly domain: string },
): Promise<boolean> {
  return actor.write(
    (tx: Db) => removeProvider(tx, makeTenant(organizationId), domain),
    (isRemoved) => (isRemoved ? about(organizationId, { from: { domain } }) : undefined),
  );
}

async function verifyFor(
  actor: Actor,
  wanted: { readonly organizationId: number; readonly domain: string },
): Promise<boolean> {
  const known = await findDomain(actor.db, makeTenant(wanted.organizationId), wanted.domain);
  if (known !== undefined && known.verified_at !== null) return false;
  await verifyDomain(actor, wanted);
  return true;
}

function readDomain(text: string): string {
  const read = domainName.safeParse(text);
  if (read.success) return read.data;
  throw invalid('domain', `${text} is no domain. Give one such as acme.example.`);
}

function requireIssuer(issuer: string): void {
  if (URL.canParse(issuer) && /^https?:$/.test(new URL(issuer).protocol)) return;
  throw invalid(
    'issuer',
    `${issuer} is no issuer. Give the address of an OpenID provider such as https://login.acme.example.`,
  );
}

function about(organizationId: number, identityProvider: object): AuditSubject {
  return {
    kind: organizationKind,
    resourceId: organizationId,
    changes: { identityProvider },
    tenant: { organizationId, customerId: null },
  };
}
