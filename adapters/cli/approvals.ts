import type { SpendLimitRow } from '../../store/spend-approvals.ts';
import { setSpendLimit, spendLimitsOf, waitingOf } from '../../tools/domain/approvals/limits.ts';
import { readMoney } from '../../tools/domain/money.ts';
import type { Operator } from '../../tools/domain/organizations/operator.ts';
import { currencyOf, minorOf } from './money.ts';
import { idOf } from './option-values.ts';
import { reasonOption } from './reason-option.ts';
import type { CommandParts } from './task-runner.ts';

/** The operator's commands about spends that wait for another person. */
export function addApprovals({ program, run }: CommandParts): void {
  const approval = program
    .command('approval')
    .description('From how much on a spend of an organization waits for another person');
  approval
    .command('show')
    .description('Show its limits, currency by currency')
    .requiredOption('--organization <id>', 'the organization', idOf)
    .action((options: Wanted) => run((operator) => show(operator, options)));
  approval
    .command('set')
    .description('Say above how much a campaign waits for another person, in one currency')
    .requiredOption('--organization <id>', 'the organization', idOf)
    .requiredOption('--currency <code>', 'the currency, such as USD')
    .requiredOption('--limit <amount>', 'in units of the currency; 0 has every spend wait')
    .addOption(reasonOption())
    .action((options: InCurrency & { limit: string }) => run((operator) => set(operator, options)));
  approval
    .command('end')
    .description('Have nothing wait any more in one currency; what waits already goes on waiting')
    .requiredOption('--organization <id>', 'the organization', idOf)
    .requiredOption('--currency <code>', 'the currency, such as USD')
    .addOption(reasonOption())
    .action((options: InCurrency) => run((operator) => end(operator, options)));
}

interface Wanted {
  readonly organization: number;
}

interface InCurrency extends Wanted {
  readonly currency: string;
}

async function show(operator: Operator, { organization }: Wanted): Promise<string> {
  const limits = await spendLimitsOf(operator, organization);
  const waiting = await waitingOf(operator, organization);
  const none = `There is no limit: nothing${waiting === 0 ? '' : ' further'} waits.`;
  const said = limits.length === 0 ? [none] : limits.map(asLine);
  return [...said, ...(waiting === 0 ? [] : [waitingWords(waiting)])].join('\n');
}

function waitingWords(count: number): string {
  return count === 1
    ? '1 spend waits for another person already, and goes on waiting.'
    : `${count} spends wait for another person already, and go on waiting.`;
}

async function set(
  operator: Operator,
  { organization, currency: given, limit }: InCurrency & { limit: string },
): Promise<string> {
  const currency = currencyOf(given);
  const limitMinor = minorOf(limit, currency);
  if (limitMinor < 0) throw new Error('A limit is nothing or more. Give 0 to have every spend wait.');
  await setSpendLimit(operator, { organizationId: organization, currency, limitMinor });
  return show(operator, { organization });
}

async function end(operator: Operator, { organization, currency: given }: InCurrency): Promise<string> {
  const currency = currencyOf(given);
  await setSpendLimit(operator, { organizationId: organization, currency, limitMinor: undefined });
  return show(operator, { organization });
}

function asLine({ currency, limit_minor }: SpendLimitRow): string {
  return `above ${readMoney(limit_minor, currency)} another person has to allow it`;
}
