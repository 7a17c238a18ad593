import type { Command } from 'commander';
import { makeTenant } from '../../store/engine/scope.ts';
import { findProvider } from '../../store/organization-providers.ts';
import type { OrganizationRow } from '../../store/organizations.ts';
import { listGivenDomain, type VerifiedDomain } from '../../store/unscoped/organizations.ts';
import { verifyDomain } from '../../tools/domain/organizations/domains.ts';
import type { Operator } from '../../tools/domain/organizations/operator.ts';
import { givenElsewhere, silencedBy } from '../../tools/domain/organizations/spoken-domain.ts';
import { unverifyDomain } from '../../tools/domain/organizations/unverify-domain.ts';
import { domainName } from '../../tools/domain/text.ts';
import { given, idOf } from './option-values.ts';
import { reasonOption } from './reason-option.ts';
import { type Run, UNCHANGED } from './task-runner.ts';

interface Place {
  /** Its id. */
  readonly organization: number;
  readonly domain: string;
}

/** The operator's word on whose a domain is, and the same taken back. */
export function addDomains(organization: Command, run: Run): void {
  const ofDomain = (
    name: string,
    description: string,
    act: (operator: Operator, place: Place) => Promise<string>,
  ) =>
    organization
      .command(name)
      .description(description)
      .requiredOption('--organization <id>', 'the organization', idOf)
      .requiredOption('--domain <domain>', 'the domain, such as acme.example')
      .addOption(reasonOption())
      .action((options: Place) =>
        run((operator) =>
          act(operator, { ...options, domain: given('--domain', domainName, options.domain) }),
        ),
      );
  ofDomain('verify-domain', 'Say that you have seen that a domain is an organization’s own', verify);
  ofDomain('unverify-domain', 'Take that back: it may then be verified for another', unverify);
}

async function verify(operator: Operator, { organization: organizationId, domain }: Place): Promise<string> {
  const { isNew } = await verifyDomain(operator, { organizationId, domain });
  return [
    `${isNew ? '' : UNCHANGED}${domain} is of organization ${organizationId}`,
    ...(await saidOfOthers(operator, organizationId, domain)),
  ].join('\n');
}

/** Of whom sellers are not told a domain any more that the operator gave them, because it is verified for this one. */
export async function saidOfOthers(
  { db }: Operator,
  organizationId: number,
  domain: string,
): Promise<string[]> {
  const others = await silencedBy(db, organizationId, domain);
  if (others.length === 0) return [];
  return [`Sellers are told it no more for organization ${others.join(', ')}, which was made with it.`];
}

async function unverify(operator: Operator, place: Place): Promise<string> {
  const { organization: organizationId, domain } = place;
  const { isChanged, holder } = await unverifyDomain(operator, { organizationId, domain });
  if (!isChanged) {
    const whose = holder === undefined ? '' : `, but for organization ${holder}`;
    return `${UNCHANGED}${domain} is not verified for organization ${organizationId}${whose}`;
  }
  const { db } = operator;
  const told = await listGivenDomain(db, domain);
  const provider = await findProvider(db, makeTenant(organizationId), domain);
  return [
    `${domain} is verified for organization ${organizationId} no more`,
    ...(told.length === 0
      ? []
      : [`Sellers are told it for organization ${told.join(', ')}, which was made with it.`]),
    ...(provider === undefined ? [] : [`Its people sign in at ${provider.issuer} no more.`]),
  ].join('\n');
}

/** What is said of a new organization whose domain the operator gave to others before. */
export async function saidOfTwice(
  { db }: Operator,
  organizationId: number,
  domain: string,
): Promise<string[]> {
  const others = await givenElsewhere(db, organizationId, domain);
  if (others.length === 0) return [];
  return [
    `${domain} was given to organization ${others.join(', ')} too, and sellers are told it for each: ` +
      'organization verify-domain says whose it is.',
  ];
}

/** The domain of an organization, and others that are verified for it: as sellers and people get to know them. */
export function domainsOf(
  { id, domain }: Pick<OrganizationRow, 'id' | 'domain'>,
  verified: readonly VerifiedDomain[],
): string {
  const own = domain?.toLowerCase();
  const holder = verified.find((one) => one.domain === own)?.organizationId;
  const further = verified.filter((one) => one.organizationId === id && one.domain !== own);
  return [
    ...(own === undefined ? [] : [`${own}${standingAs(id, holder)}`]),
    ...further.map((one) => `${one.domain} verified`),
  ].join('; ');
}

function standingAs(id: number, holder: number | undefined): string {
  if (holder === undefined) return '';
  return holder === id ? ' verified' : ` verified for ${holder}`;
}
