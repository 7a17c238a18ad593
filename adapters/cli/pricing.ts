import type { Command } from 'commander';
import {
  dropPricingRule,
  type PricingWanted,
  pricingRulesOf,
  readFee,
  setPricingRule,
} from '../../tools/domain/ledger/pricing-rules.ts';
import type { Operator } from '../../tools/domain/organizations/operator.ts';
import { idOf } from './option-values.ts';
import { reasonOption } from './reason-option.ts';
import type { CommandParts } from './task-runner.ts';

/** The operator's commands about prices: what the service takes of a budget. */
export function addPricing(parts: CommandParts): void {
  const { program, run } = parts;
  const pricing = program.command('pricing').description('What the service takes of budgets, as rules');
  ofSubject(
    pricing
      .command('set')
      .description('Say what part of a budget is a fee; without advertiser and agent it is the default'),
  )
    .requiredOption('--fee <percent>', 'the fee as a percentage of the budget, such as 12.5; 0 for none')
    .action((options: Options & { fee: string }) => run((operator) => set(operator, options)));
  ofSubject(
    pricing.command('end').description('End a rule: what no other rule is about can be bought no more'),
  ).action((options: Options) => run((operator) => end(operator, options)));
  pricing
    .command('list')
    .description('List the rules that hold')
    .requiredOption('--organization <id>', 'the organization', idOf)
    .option('--account <id>', 'its buyer account, where it has several', idOf)
    .action((options: Options) => run((operator) => list(operator, options)));
}

interface Options {
  readonly organization: number;
  readonly account?: number;
  readonly advertiser?: number;
  readonly agent?: string;
}

function ofSubject(command: Command): Command {
  return command
    .requiredOption('--organization <id>', 'the organization', idOf)
    .option('--account <id>', 'its buyer account, where it has several', idOf)
    .option('--advertiser <id>', 'of this advertiser only', idOf)
    .option('--agent <id>', 'of what is bought from this sales agent only')
    .addOption(reasonOption());
}

async function set(operator: Operator, { fee, ...options }: Options & { fee: string }): Promise<string> {
  const feeBps = bpsOf(fee);
  await setPricingRule(operator, { ...wantedOf(options), feeBps });
  return `${subjectOf(options)}: ${readFee(feeBps)}`;
}

async function end(operator: Operator, options: Options): Promise<string> {
  await dropPricingRule(operator, wantedOf(options));
  return `${subjectOf(options)}: no rule`;
}

async function list(operator: Operator, options: Options): Promise<string> {
  const rules = await pricingRulesOf(operator, wantedOf(options));
  const lines = rules.map(({ advertiser_id, agent_id, fee_bps, created_at }) =>
    [
      subjectOf({
        ...(advertiser_id === null ? {} : { advertiser: advertiser_id }),
        ...(agent_id === null ? {} : { agent: agent_id }),
      }),
      readFee(fee_bps),
      `since ${created_at}`,
    ].join('\t'),
  );
  return lines.length === 0 ? 'There is no rule: nothing live can be bought.' : lines.join('\n');
}

function wantedOf({ organization, account, advertiser, agent }: Options): PricingWanted {
  return { organizationId: organization, customerId: account, advertiserId: advertiser, agentId: agent };
}

function subjectOf({ advertiser, agent }: Pick<Options, 'advertiser' | 'agent'>): string {
  const named = [
    ...(advertiser === undefined ? [] : [`advertiser ${advertiser}`]),
    ...(agent === undefined ? [] : [`agent ${agent}`]),
  ];
  return named.length === 0 ? 'default' : named.join(', ');
}

/** Up to two decimals: a fee is kept in hundredths of a percent. */
function bpsOf(percent: string): number {
  const [, whole = '', part = ''] = /^(\d{1,2})(?:\.(\d{1,2}))?$/.exec(percent) ?? [];
  if (whole === '')
    throw new Error(
      `${percent} is no fee: give a percentage from 0 to 99.99, with two decimals at the most.`,
    );
  return Number(whole) * 100 + Number(part.padEnd(2, '0'));
}
