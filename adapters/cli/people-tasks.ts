import { join } from 'node:path';
import { findDomain } from '../../store/domains.ts';
import { makeTenant } from '../../store/engine/scope.ts';
import { listProviders, removeProvider, setProvider } from '../../store/organization-providers.ts';
import { listOrganizations } from '../../store/unscoped/organizations.ts';
import { removeForeignProvider } from '../../store/unscoped/providers.ts';
import { verifyDomain } from '../../tools/domain/organizations/domains.ts';
import { organizationKind } from '../../tools/domain/organizations/kinds.ts';
import type { Operator } from '../../tools/domain/organizations/operator.ts';
import { isTheSandbox } from '../../tools/domain/organizations/organizations.ts';
import { providerOwner } from '../../tools/domain/organizations/secret-owners.ts';
import { domainName } from '../../tools/domain/text.ts';
import { listMail } from '../mail/folder.ts';
import { makeAdministratorLink } from '../people/administrator-link.ts';
import { dataFolder, secretsOf } from '../process/secrets-key.ts';
import { type Config, publicUrlOf } from '../settings/config.ts';

/** The operator's commands about people, each giving the text that is printed. */

export async function adminLink(
  operator: Operator,
  config: Config,
  { organization }: { organization?: number },
): Promise<string> {
  const known = await listOrganizations(operator.db);
  const chosen =
    organization === undefined ? known.find(isTheSandbox) : known.find(({ id }) => id === organization);
  if (chosen === undefined) {
    throw new Error(
      organization === undefined
        ? 'There is no sandbox organization here. Name one with --organization; organization list shows them.'
        : `There is no organization ${organization}. Find it with npm run rialto -- organization list.`,
    );
  }
  const link = await makeAdministratorLink(operator, {
    organizationId: chosen.id,
    publicUrl: publicUrlOf(config),
  });
  return `Whoever opens this first, within 24 hours, administers ${chosen.name}:\n  ${link}`;
}

const MAILS_SHOWN = 20;

/** The newest mails that no server was there to send. */
export async function mailList(config: Config): Promise<string> {
  if (config.mailUrl !== undefined) return 'Mail is sent by the server in MAIL_URL: none is kept here.';
  const mails = listMail(join(dataFolder(config), 'mail'), MAILS_SHOWN);
  if (mails.length === 0) return 'There are no mails yet.';
  return mails
    .map(({ date, to, subject, link }) =>
      [`${date}\t${to}\t${subject}`, ...(link === undefined ? [] : [`  ${link}`])].join('\n'),
    )
    .join('\n');
}

export interface ProviderOptions {
  readonly organization: number;
  readonly domain: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export async function providerSet(
  operator: Operator,
  config: Config,
  options: ProviderOptions,
): Promise<string> {
  const { organization, issuer, clientId, clientSecret } = options;
  const domain = readDomain(options.domain);
  if (!URL.canParse(issuer) || !/^https?:$/.test(new URL(issuer).protocol)) {
    throw new Error(`${issuer} is no issuer. Give an address such as https://login.acme.example.`);
  }
  await requireOrganization(operator, organization);
  const isNew = await verifyFor(operator, { organizationId: organization, domain });
  const secrets = secretsOf(config);
  await operator.write(
    async (tx) => {
      await removeForeignProvider(tx, { domain, owner: organization });
      await setProvider(tx, makeTenant(organization), {
        domain,
        issuer,
        client_id: clientId,
        secret_sealed: secrets.seal(clientSecret, providerOwner(domain)),
        created_at: operator.now,
      });
    },
    aboutProvider(organization, { to: { domain, issuer, clientId } }),
  );
  return [
    ...(isNew ? [`${domain} is of organization ${organization}, on your word.`] : []),
    `People at ${domain} sign in at ${issuer}.`,
    `Redirect address to register there: ${publicUrlOf(config)}/sign-in/callback/${domain}`,
  ].join('\n');
}

/** A provider is believed for a verified domain alone: who names one as the operator says whose domain it is. */
async function verifyFor(
  operator: Operator,
  wanted: { readonly organizationId: number; readonly domain: string },
): Promise<boolean> {
  const known = await findDomain(operator.db, makeTenant(wanted.organizationId), wanted.domain);
  if (known !== undefined && known.verified_at !== null) return false;
  await verifyDomain(operator, wanted);
  return true;
}

export async function providerList(operator: Operator, organization: number): Promise<string> {
  const rows = await listProviders(operator.db, makeTenant(organization));
  const lines = rows.map(({ domain, issuer, client_id }) => `${domain}\t${issuer}\t${client_id}`);
  return lines.length === 0 ? 'The organization has no identity provider of its own.' : lines.join('\n');
}

export async function providerRemove(
  operator: Operator,
  options: { organization: number; domain: string },
): Promise<string> {
  const domain = readDomain(options.domain);
  await operator.write(
    async (tx) => {
      const isRemoved = await removeProvider(tx, makeTenant(options.organization), domain);
      if (!isRemoved) throw new Error(`The organization has no identity provider for ${domain}.`);
    },
    aboutProvider(options.organization, { from: { domain } }),
  );
  return `Removed the identity provider of ${domain}`;
}

async function requireOrganization({ db }: Operator, id: number): Promise<void> {
  const known = await listOrganizations(db);
  if (known.some((organization) => organization.id === id)) return;
  throw new Error(`There is no organization ${id}. Find it with npm run rialto -- organization list.`);
}

function readDomain(text: string): string {
  const read = domainName.safeParse(text);
  if (!read.success) throw new Error(`${text} is no domain. Give one such as acme.example.`);
  return read.data;
}

function aboutProvider(organizationId: number, identityProvider: object) {
  return {
    kind: organizationKind,
    resourceId: organizationId,
    changes: { identityProvider },
    tenant: { organizationId, customerId: null },
  };
}
