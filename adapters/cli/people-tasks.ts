import { join } from 'node:path';
import { makeTenant } from '../../store/engine/scope.ts';
import { listProviders } from '../../store/organization-providers.ts';
import type { Operator } from '../../tools/domain/organizations/operator.ts';
import { requireOrganization } from '../../tools/domain/organizations/operator-decisions.ts';
import { requireSandbox } from '../../tools/domain/organizations/organizations.ts';
import { nameProvider, removeNamedProvider } from '../../tools/domain/organizations/providers.ts';
import { shortText } from '../../tools/domain/text.ts';
import { listMail } from '../mail/folder.ts';
import { makeAdministratorLink } from '../people/administrator-link.ts';
import { dataFolder, secretsOf } from '../process/secrets-key.ts';
import { type Config, publicUrlOf } from '../settings/config.ts';
import { saidOfOthers } from './domains.ts';
import { given } from './option-values.ts';
import { UNCHANGED } from './task-runner.ts';

/** The operator's commands about people, each giving the text that is printed. */

export async function adminLink(
  operator: Operator,
  config: Config,
  { organization }: { organization?: number },
): Promise<string> {
  const chosen =
    organization === undefined
      ? await requireSandbox(operator)
      : await requireOrganization(operator, organization);
  const link = await makeAdministratorLink(operator, {
    organizationId: chosen.id,
    publicUrl: publicUrlOf(config),
  });
  return `Whoever opens this first, within 24 hours, administers ${chosen.name}:\n  ${link}`;
}

const MAILS_SHOWN = 20;
const providerWord = shortText(1_000);

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
  { organization: organizationId, ...options }: ProviderOptions,
): Promise<string> {
  const clientId = given('--client-id', providerWord, options.clientId);
  // Not by a schema, which would repeat what it refuses.
  if (options.clientSecret.trim() === '') {
    throw new Error(
      '--client-secret is empty: give the secret that the provider has for it, or CLIENT_SECRET.',
    );
  }
  requireReachable(options.issuer, config);
  const wanted = { organizationId, ...options, clientId };
  const { domain, isNewlyVerified, isChanged } = await nameProvider(operator, secretsOf(config), wanted);
  return [
    ...(isNewlyVerified
      ? [
          `${domain} is of organization ${organizationId}, on your word.`,
          ...(await saidOfOthers(operator, organizationId, domain)),
        ]
      : []),
    `${isChanged ? '' : UNCHANGED}People at ${domain} sign in at ${options.issuer}.`,
    `Redirect address to register there: ${publicUrlOf(config)}/sign-in/callback/${domain}`,
  ].join('\n');
}

/** Over http nobody could sign in there: it is for providers in ranges that are open. */
function requireReachable(issuer: string, { oidcAllowedCidrs }: Config): void {
  if (!issuer.toLowerCase().startsWith('http:') || oidcAllowedCidrs.length > 0) return;
  throw new Error(
    '--issuer: over http a provider is asked only in the ranges of OIDC_ALLOWED_CIDRS, which opens none. ' +
      'Give its address with https, or open its range.',
  );
}

export async function providerList(operator: Operator, organization: number): Promise<string> {
  await requireOrganization(operator, organization);
  const rows = await listProviders(operator.db, makeTenant(organization));
  const lines = rows.map(({ domain, issuer, client_id }) => `${domain}\t${issuer}\t${client_id}`);
  return lines.length === 0 ? 'The organization has no identity provider of its own.' : lines.join('\n');
}

export async function providerRemove(
  operator: Operator,
  { organization, domain }: { organization: number; domain: string },
): Promise<string> {
  const removed = await removeNamedProvider(operator, { organizationId: organization, domain });
  return removed.isChanged
    ? `Removed the identity provider of ${removed.domain}`
    : `${UNCHANGED}organization ${organization} has no identity provider for ${removed.domain}`;
}
