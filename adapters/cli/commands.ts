import { Command, Option } from 'commander';
import { permissions } from '../../store/api-keys.ts';
import { roles } from '../../store/memberships.ts';
import { type CustomerRole, customerRoles, tiers } from '../../store/organizations.ts';
import { readConfig } from '../settings/config.ts';
import { version } from '../settings/version.ts';
import { addAdmission } from './admission.ts';
import { addApprovals } from './approvals.ts';
import { addAudit } from './audit.ts';
import { addBrands } from './brands.ts';
import { addCampaigns } from './campaigns.ts';
import { addDomains } from './domains.ts';
import { takeEachOnce } from './given-once.ts';
import { addGrants } from './grants.ts';
import { addInstallation } from './installation.ts';
import { legacyKeyImport } from './legacy-keys.ts';
import { addMoney } from './money.ts';
import { addOauthCommands } from './oauth.ts';
import { idOf, permissionList } from './option-values.ts';
import { addOrders } from './orders.ts';
import * as people from './people-tasks.ts';
import { addPricing } from './pricing.ts';
import { reasonOption } from './reason-option.ts';
import { addSecretsCommands } from './secrets.ts';
import { type Run, runnerOf } from './task-runner.ts';
import * as tasks from './tasks.ts';
import { addWebhook } from './webhook.ts';

/** The commands of whoever runs an installation: everything a key cannot do for itself. */
export function rialtoCommands(): Command {
  const program = new Command('rialto').description('Runs a Rialto installation.').version(version);
  // So that `terms publish --version` is an option of that command, and no question for the version of the service.
  program.enablePositionalOptions();
  const run = runnerOf(program);
  addOrganizations(program, run);
  addPeople(program, run);
  addProviders(program, run);
  addGrants({ program, run });
  addTerms(program, run);
  addKeys(program, run);
  addAudit({ program, run });
  addAdmission({ program, run });
  addBrands({ program, run });
  addCampaigns({ program, run });
  addOrders({ program, run });
  addOauthCommands(program, run);
  addSecretsCommands(program, run);
  addInstallation(program);
  addWebhook(program);
  addMoney({ program, run });
  addApprovals({ program, run });
  addPricing({ program, run });
  takeEachOnce(program);
  return program;
}

function addOrganizations(program: Command, run: Run): void {
  const organization = program
    .command('organization')
    .alias('org')
    .description('Organizations and their accounts');
  organization
    .command('create')
    .description('Make an organization with an account for each side it takes')
    .requiredOption('--name <name>', 'its name')
    .option('--domain <domain>', 'its domain: how sellers know who operates its accounts')
    .option('--buys', 'give it a buyer account')
    .option('--sells', 'give it a storefront account')
    .option('--parent <id>', 'the organization whose agreement governs it', idOf)
    .addOption(
      new Option('--tier <tier>', 'how many requests it may make').choices(tiers).default('standard'),
    )
    .option('--accept-terms', 'record that it accepted the terms of service')
    .addOption(reasonOption())
    .action((options) => run((operator) => tasks.organizationCreate(operator, options)));
  organization
    .command('list')
    .description('List the organizations')
    .action(() => run(tasks.organizationList));
  addDomains(organization, run);

  program
    .command('account')
    .description('Accounts of an organization')
    .command('create')
    .description('Add an account')
    .requiredOption('--organization <id>', 'its organization', idOf)
    .requiredOption('--name <name>', 'its name')
    .addOption(new Option('--role <role>', 'its side').choices(customerRoles).makeOptionMandatory())
    .addOption(reasonOption())
    .action((options: { organization: number; name: string; role: CustomerRole }) =>
      run((operator) => tasks.accountCreate(operator, options)),
    );
}

function addPeople(program: Command, run: Run): void {
  program
    .command('user')
    .description('People and their roles')
    .command('add')
    .description('Give a person a role in an organization')
    .requiredOption('--organization <id>', 'the organization', idOf)
    .requiredOption('--email <email>', 'e-mail of the person')
    .option('--name <name>', 'name of the person')
    .addOption(new Option('--role <role>', 'the role').choices(roles).default('MEMBER'))
    .addOption(reasonOption())
    .action((options) => run((operator) => tasks.userAdd(operator, options)));

  program
    .command('admin')
    .description('Administrators')
    .command('link')
    .description('Print a link that makes whoever opens it first an administrator')
    .option('--organization <id>', 'of this organization; the sandbox, unless told', idOf)
    .addOption(reasonOption())
    .action((options: { organization?: number }) =>
      run((operator, { config }) => people.adminLink(operator, config, options)),
    );

  program
    .command('mail')
    .description('Mails, where no server sends them')
    .command('list')
    .description('List the newest, with the links in them')
    .action(() => run((_operator, { config }) => people.mailList(config)));
}

function addProviders(program: Command, run: Run): void {
  const provider = program.command('provider').description('Identity providers of organizations, by domain');
  provider
    .command('set')
    .description(
      'Have the people of a domain sign in at an OpenID provider; the secret is read from CLIENT_SECRET',
    )
    .requiredOption('--organization <id>', 'the organization', idOf)
    .requiredOption('--domain <domain>', 'the domain of its addresses, which you have checked is its own')
    .requiredOption('--issuer <url>', 'the issuer')
    .requiredOption('--client-id <id>', 'the id of this service there')
    .addOption(
      new Option('--client-secret <secret>', 'its secret').env('CLIENT_SECRET').makeOptionMandatory(),
    )
    .addOption(reasonOption())
    .action((options: people.ProviderOptions) =>
      run((operator, { config }) => people.providerSet(operator, config, options)),
    );
  provider
    .command('list')
    .description('List those of an organization')
    .requiredOption('--organization <id>', 'the organization', idOf)
    .action(({ organization: id }: { organization: number }) =>
      run((operator) => people.providerList(operator, id)),
    );
  provider
    .command('remove')
    .description('Have the people of a domain sign in here again')
    .requiredOption('--organization <id>', 'the organization', idOf)
    .requiredOption('--domain <domain>', 'the domain')
    .addOption(reasonOption())
    .action((options: { organization: number; domain: string }) =>
      run((operator) => people.providerRemove(operator, options)),
    );
}

function addTerms(program: Command, run: Run): void {
  program
    .command('terms')
    .description('Terms of service')
    .command('accept')
    .description('Record that an organization accepted the latest terms')
    .requiredOption('--organization <id>', 'the organization', idOf)
    .addOption(reasonOption())
    .action(({ organization: id }: { organization: number }) =>
      run((operator) => tasks.termsAccept(operator, id)),
    );
}

function addKeys(program: Command, run: Run): void {
  const key = program.command('key').description('Organization API keys');
  key
    .command('create')
    .description('Make a key; it is shown once')
    .option('--organization <id>', 'its organization', idOf)
    .option('--sandbox', 'for the sandbox organization: a test key')
    .option('--test', 'a test key: what it makes is sandbox, and it changes nothing that is live')
    .option('--name <name>', 'its name', 'Command line')
    .option('--account <id>', 'bind it to one account', idOf)
    .option('--expires <when>', 'when it expires, such as 2027-01-01 or 2027-01-01T00:00:00Z')
    .addOption(
      new Option('--permissions <list>', 'comma-separated')
        .argParser(permissionList)
        .default([...permissions]),
    )
    .addOption(reasonOption())
    .action((options) => run((operator) => tasks.keyCreate(operator, options)));
  key
    .command('list')
    .description('List the keys of an organization')
    .requiredOption('--organization <id>', 'the organization', idOf)
    .action(({ organization: id }: { organization: number }) =>
      run((operator) => tasks.keyList(operator, id)),
    );
  key
    .command('revoke')
    .description('Revoke a key, at once')
    .requiredOption('--organization <id>', 'its organization', idOf)
    .requiredOption('--id <id>', 'the key, such as key_…')
    .addOption(reasonOption())
    .action((options: { organization: number; id: string }) =>
      run((operator) => tasks.keyRevoke(operator, options)),
    );

  program
    .command('legacy-key')
    .description('Keys of the earlier kind')
    .command('import')
    .description(
      'Take in the hashes of keys from a CSV file: organization, account, name, key or hash, email, …',
    )
    .argument('<file>', 'the file')
    .addOption(reasonOption())
    .action((file: string) =>
      run((operator) => legacyKeyImport(operator, { file, brand: readConfig().brand })),
    );
}
