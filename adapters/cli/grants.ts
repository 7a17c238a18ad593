import type { GrantRow } from '../../store/memberships.ts';
import { giveGrant, grantsIn, type NewGrant, takeGrant } from '../../tools/domain/organizations/grants.ts';
import type { Operator } from '../../tools/domain/organizations/operator.ts';
import { keptElsewhere } from '../credentials/elsewhere.ts';
import type { Config } from '../settings/config.ts';
import { idOf } from './option-values.ts';
import { reasonOption } from './reason-option.ts';
import { type CommandParts, UNCHANGED } from './task-runner.ts';

interface Options {
  readonly organization: number;
  readonly holder: string;
  readonly account?: number;
  readonly advertiser?: number;
}

/** The operator's commands about what people and keys may reach. */
export function addGrants({ program, run }: CommandParts): void {
  const grant = program
    .command('grant')
    .description('What a user or key may reach; without grants, everything of its organization');
  const ofOne = (name: string, description: string) =>
    grant
      .command(name)
      .description(description)
      .requiredOption('--organization <id>', 'the organization', idOf)
      .requiredOption('--holder <holder>', 'user:<id> or api_key:<id>')
      .option('--account <id>', 'an account it may work in', idOf)
      .option('--advertiser <id>', 'an advertiser it may reach', idOf)
      .addOption(reasonOption());
  ofOne('add', 'Narrow a user or key to an account or an advertiser; several grants add up').action(
    (options: Options) => run((operator, { config }) => grantAdd(operator, config, options)),
  );
  grant
    .command('list')
    .description('List the grants of an organization; users and keys that have none reach everything of it')
    .requiredOption('--organization <id>', 'the organization', idOf)
    .action(({ organization }: { organization: number }) => run((operator) => list(operator, organization)));
  ofOne('remove', 'Take a grant away')
    .option('--last', 'also the last one, after which everything of the organization is reached')
    .action((options: Options & { last?: true }) =>
      run((operator, { config }) => remove(operator, config, options)),
    );
}

export async function grantAdd(operator: Operator, config: Config, options: Options): Promise<string> {
  const isNew = await giveGrant(operator, grantOf(options), keptElsewhere(config));
  return `${isNew ? '' : UNCHANGED}${options.holder} may reach ${named(options)}`;
}

async function list(operator: Operator, organization: number): Promise<string> {
  const rows = await grantsIn(operator, organization);
  const lines = rows.map((row) => [row.holder, reachIn(row), `since ${row.created_at}`].join('\t'));
  return lines.length === 0 ? 'There are no grants: nobody is narrowed.' : lines.join('\n');
}

async function remove(
  operator: Operator,
  config: Config,
  { last, ...options }: Options & { last?: true },
): Promise<string> {
  const mayBeLast = last === true;
  const taken = await takeGrant(operator, grantOf(options), { mayBeLast, keeper: keptElsewhere(config) });
  const { holder, organization } = options;
  const left = taken.isNarrowed
    ? ''
    : `; it has none at all, and reaches everything of organization ${organization}`;
  return taken.isChanged
    ? `${holder} has the grant of ${named(options)} no more${left}`
    : `${UNCHANGED}${holder} has no grant of ${named(options)}`;
}

function grantOf({ organization, holder, account, advertiser }: Options): NewGrant {
  if ((account === undefined) === (advertiser === undefined)) {
    throw new Error('Give --account or --advertiser.');
  }
  return {
    organizationId: organization,
    holder,
    ...(account === undefined ? {} : { customerId: account }),
    ...(advertiser === undefined ? {} : { advertiserId: advertiser }),
  };
}

function named({ account, advertiser }: Pick<Options, 'account' | 'advertiser'>): string {
  return account === undefined ? `advertiser ${advertiser}` : `account ${account}`;
}

/** What a grant opens, as `grant add` was told it. */
export function reachIn({
  customer_id,
  advertiser_id,
}: Pick<GrantRow, 'customer_id' | 'advertiser_id'>): string {
  return advertiser_id === null ? `account ${customer_id}` : `advertiser ${advertiser_id}`;
}
