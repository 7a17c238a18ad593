import { type Command, Option } from 'commander';
import { fromJson } from '../../store/engine/codec.ts';
import { admissions } from '../../store/organizations.ts';
import { type AdmissionName, admissionNames, listPreviewRequests } from '../../store/unscoped/admission.ts';
import { admissionOf, endPilot, openOrClose, startPilot } from '../../tools/domain/admission/operating.ts';
import { previewChannels } from '../../tools/domain/admission/preview.ts';
import { countLiving } from '../../tools/domain/buying/living-in-organizations.ts';
import { countryCode } from '../../tools/domain/countries.ts';
import type { Operator } from '../../tools/domain/organizations/operator.ts';
import {
  changeStanding,
  suspendOrganization,
  suspendPerson,
} from '../../tools/domain/organizations/operator-decisions.ts';
import { publishVersion, termsVersion } from '../../tools/domain/organizations/terms.ts';
import { webAddress } from '../../tools/domain/text.ts';
import { given, givenIfAny, idOf, momentOrDay } from './option-values.ts';
import { reasonOption } from './reason-option.ts';
import { type CommandParts, UNCHANGED } from './task-runner.ts';

/** The operator's commands about who is let in: signup, pilots, terms, and who may go on. */
export function addAdmission(parts: CommandParts): void {
  addSignup(parts);
  addPilots(parts);
  addStanding(parts);
  addTerms(parts);
}

function group({ program }: CommandParts, name: string, description: string): Command {
  const known = program.commands.find((command) => command.name() === name);
  return known ?? program.command(name).description(description);
}

function addSignup(parts: CommandParts): void {
  const { run } = parts;
  const admission = group(parts, 'admission', 'Who may sign up');
  admission
    .command('show')
    .description('Show what is open, and where pilots run')
    .action(() => run(show));
  for (const isOpen of [true, false]) {
    admission
      .command(isOpen ? 'open <what>' : 'close <what>')
      .description(`${isOpen ? 'Open' : 'Close'} the signup of buyers or storefronts, or the choice of plans`)
      .addOption(reasonOption())
      .action((what: string) => run((operator) => setOpen(operator, nameOf(what), isOpen)));
  }
  admission
    .command('previews')
    .description('List the newest requests for a preview')
    .action(() => run(previews));
}

const PREVIEWS_SHOWN = 100;

async function previews({ db }: Operator): Promise<string> {
  const rows = await listPreviewRequests(db, PREVIEWS_SHOWN);
  const lines = rows.map((row) =>
    [
      row.created_at,
      row.route,
      row.email,
      row.company,
      fromJson(row.countries).join(','),
      fromJson(row.channels).join(','),
      row.matched_organization_id === null ? '' : `organization ${row.matched_organization_id}`,
      row.intent ?? '',
      row.agent_name ?? '',
    ].join('\t'),
  );
  return lines.length === 0 ? 'Nobody has asked for a preview yet.' : lines.join('\n');
}

function nameOf(what: string): AdmissionName {
  const known = admissionNames.find((name) => name === what);
  if (known === undefined) throw new Error(`Give one of: ${admissionNames.join(', ')}.`);
  return known;
}

async function setOpen(operator: Operator, name: AdmissionName, isOpen: boolean): Promise<string> {
  await openOrClose(operator, { name, isOpen });
  return `${name}: ${isOpen ? 'open' : 'closed'}`;
}

async function show(operator: Operator): Promise<string> {
  const { pilots, ...state } = await admissionOf(operator);
  const lines = admissionNames.map((name) => `${name}: ${state[name] ? 'open' : 'closed'}`);
  return [...lines, ...pilots.map(({ country, channel }) => `pilot: ${country} ${channel}`)].join('\n');
}

function addPilots(parts: CommandParts): void {
  const { run } = parts;
  const pilot = group(parts, 'pilot', 'Countries and channels in which a pilot is live');
  for (const [name, description] of [
    ['open', 'Open a pilot: buyers who plan it go to review'],
    ['close', 'Close a pilot'],
  ] as const) {
    pilot
      .command(name)
      .description(description)
      .requiredOption('--country <code>', 'two letters, such as US')
      .addOption(
        new Option('--channel <channel>', 'the channel').choices(previewChannels).makeOptionMandatory(),
      )
      .addOption(reasonOption())
      .action((options: { country: string; channel: string }) =>
        run(async (operator) => {
          const market = {
            country: given('--country', countryCode, options.country),
            channel: options.channel,
          };
          await (name === 'open' ? startPilot : endPilot)(operator, market);
          return `pilot: ${market.country} ${market.channel} ${name === 'open' ? 'open' : 'closed'}`;
        }),
      );
  }
}

function addStanding(parts: CommandParts): void {
  const { run } = parts;
  const organization = group(parts, 'organization', 'Organizations and their accounts');
  const user = group(parts, 'user', 'People and their roles');
  for (const isSuspended of [true, false]) {
    const name = isSuspended ? 'suspend' : 'resume';
    organization
      .command(name)
      .description(
        isSuspended
          ? 'Stop an organization, and the accounts below it, at once'
          : 'Let an organization go on, and the accounts below that were stopped with it',
      )
      .requiredOption('--organization <id>', 'the organization', idOf)
      .addOption(reasonOption())
      .action(({ organization: organizationId }: { organization: number }) =>
        run((operator) => (isSuspended ? suspend : resume)(operator, organizationId)),
      );
    user
      .command(name)
      .description(`${isSuspended ? 'Stop' : 'Let go on'} a person, everywhere and at once`)
      .requiredOption('--email <email>', 'e-mail of the person')
      .addOption(reasonOption())
      .action(({ email }: { email: string }) =>
        run(async (operator) => {
          const { id, isChanged } = await suspendPerson(operator, { email, isSuspended });
          return `${isChanged ? '' : UNCHANGED}${isSuspended ? 'Suspended' : 'Resumed'}: user ${id}`;
        }),
      );
  }
  addLetInto(parts, organization);
}

async function suspend(operator: Operator, organizationId: number): Promise<string> {
  const ids = await suspendOrganization(operator, { organizationId, isSuspended: true });
  if (ids.length === 0)
    return `Nothing to do: organization ${organizationId} is suspended already${await whatLives(operator, organizationId)}`;
  return `Suspended: organization ${ids.join(', ')}${await whatLives(operator, organizationId)}`;
}

async function resume(operator: Operator, organizationId: number): Promise<string> {
  const ids = await suspendOrganization(operator, { organizationId, isSuspended: false });
  if (ids.length === 0) return `Nothing to do: organization ${organizationId} is not suspended`;
  return `Resumed: organization ${ids.join(', ')}`;
}

/** Nobody may call for it any more, and its sellers deliver what was ordered all the same. */
async function whatLives({ db }: Operator, organizationId: number): Promise<string> {
  const count = await countLiving(db, organizationId);
  if (count === 0) return '';
  const command = (name: string) => `campaign ${name} --organization ${organizationId}`;
  return (
    `\nStill living at sellers: ${count} ${count === 1 ? 'campaign' : 'campaigns'}, and what they deliver is paid. ` +
    `${command('list')} shows them; ${command('pause')} --all holds them, ${command('cancel')} --all calls them off ` +
    'for good.'
  );
}

function addLetInto({ run }: CommandParts, organization: Command): void {
  organization
    .command('alpha <state>')
    .description('Opt an organization in to what is in alpha, or out: on, off')
    .requiredOption('--organization <id>', 'the organization', idOf)
    .addOption(reasonOption())
    .action((state: string, { organization: id }: { organization: number }) =>
      run(async (operator) => {
        if (state !== 'on' && state !== 'off') throw new Error('Give on or off.');
        await changeStanding(operator, id, { alpha: state === 'on' });
        return `Organization ${id}: alpha ${state}`;
      }),
    );
  organization
    .command('admission <state>')
    .description(`Let an organization onto the market, or have it wait: ${admissions.join(', ')}`)
    .requiredOption('--organization <id>', 'the organization', idOf)
    .addOption(reasonOption())
    .action((state: string, { organization: id }: { organization: number }) =>
      run(async (operator) => {
        const admission = admissions.find((one) => one === state);
        if (admission === undefined) throw new Error(`Give one of: ${admissions.join(', ')}.`);
        await changeStanding(operator, id, { admission });
        return `Organization ${id}: ${admission}`;
      }),
    );
}

function addTerms(parts: CommandParts): void {
  group(parts, 'terms', 'Terms of service')
    .command('publish')
    .description('Put a version in force: every organization then has to accept it')
    .requiredOption('--version <version>', 'its name, of 64 characters at the most')
    .option(
      '--effective-at <when>',
      'from when on, such as 2027-01-01 or 2027-01-01T00:00:00Z; at once, unless told',
    )
    .option('--url <url>', 'where it is read; the page where it is accepted, unless told')
    .addOption(reasonOption())
    .action((options: { version: string; effectiveAt?: string; url?: string }) =>
      parts.run(async (operator) => {
        const version = given('--version', termsVersion, options.version);
        const effective = await publishVersion(operator, {
          version,
          effectiveAt: givenIfAny('--effective-at', momentOrDay, options.effectiveAt),
          url: givenIfAny('--url', webAddress, options.url),
        });
        return `Terms ${version}: in force from ${effective}`;
      }),
    );
}
