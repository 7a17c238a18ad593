import type { Command } from 'commander';
import type { Account } from '../../tools/domain/ledger/account.ts';
import { accountsOf } from '../../tools/domain/ledger/account.ts';
import {
  buyerAccount,
  fundAccount,
  scopeOfAccount,
  setCreditLimit,
} from '../../tools/domain/ledger/operating.ts';
import { currencyCode, noSuchAmount, readMoney, toMinor } from '../../tools/domain/money.ts';
import type { Operator } from '../../tools/domain/organizations/operator.ts';
import { shortText } from '../../tools/domain/text.ts';
import { givenIfAny, idOf } from './option-values.ts';
import { reasonOption } from './reason-option.ts';
import type { CommandParts } from './task-runner.ts';

const paymentName = shortText(1_000);

/** The operator's commands about money: what accounts may spend. */
export function addMoney(parts: CommandParts): void {
  const credit = parts.program.command('credit').description('What buyer accounts may spend');
  ofAccount(credit.command('show').description('Show what an account has, currency by currency')).action(
    (options: Wanted) => parts.run((operator) => show(operator, options)),
  );
  inCurrency(credit.command('fund').description('Pay in, or take out with an amount below nothing'))
    .requiredOption('--amount <amount>', 'how much, in units of the currency, such as 2500.00')
    .option('--reference <name>', 'a name of the payment: told again, it is not paid in again')
    .action((options: InCurrency & { amount: string; reference?: string }) =>
      parts.run((operator) => fund(operator, options)),
    );
  inCurrency(credit.command('set').description('Say how far an account may go beyond what was paid in'))
    .requiredOption('--limit <amount>', 'its credit limit, in units of the currency; 0 for none')
    .action((options: InCurrency & { limit: string }) => parts.run((operator) => set(operator, options)));
}

interface Wanted {
  readonly organization: number;
  readonly account?: number;
}

interface InCurrency extends Wanted {
  readonly currency: string;
  readonly reason?: string;
}

function ofAccount(command: Command): Command {
  return command
    .requiredOption('--organization <id>', 'the organization', idOf)
    .option('--account <id>', 'its buyer account, where it has several', idOf);
}

function inCurrency(command: Command): Command {
  return ofAccount(command)
    .requiredOption('--currency <code>', 'the currency, such as USD')
    .addOption(reasonOption('why: kept in the ledger and the log'));
}

async function show({ db }: Operator, { organization, account }: Wanted): Promise<string> {
  const scope = scopeOfAccount(await buyerAccount(db, organization, account));
  const accounts = await accountsOf(db, scope);
  return accounts.length === 0 ? 'The account has nothing in any currency.' : accounts.map(asLine).join('\n');
}

async function fund(
  operator: Operator,
  { amount, reference: name, ...options }: InCurrency & { amount: string; reference?: string },
): Promise<string> {
  const reference = givenIfAny('--reference', paymentName, name);
  const wanted = asWanted(options);
  const amountMinor = minorOf(amount, wanted.currency);
  return asLine(await fundAccount(operator, { ...wanted, amountMinor, reference }));
}

async function set(
  operator: Operator,
  { limit, ...options }: InCurrency & { limit: string },
): Promise<string> {
  const wanted = asWanted(options);
  const limitMinor = minorOf(limit, wanted.currency);
  if (limitMinor < 0) throw new Error('A credit limit is nothing or more. Give 0 for none.');
  return asLine(await setCreditLimit(operator, { ...wanted, limitMinor }));
}

function asWanted({ organization, account, currency, reason }: InCurrency) {
  return { organizationId: organization, customerId: account, currency: currencyOf(currency), reason };
}

export function currencyOf(text: string): string {
  const read = currencyCode.safeParse(text);
  if (!read.success) throw new Error(`${text} is no ISO 4217 currency code. Give one, such as USD.`);
  return read.data;
}

export function minorOf(amount: string, currency: string): number {
  const minor = AMOUNT.test(amount) ? toMinor(Number(amount), currency) : undefined;
  if (minor === undefined)
    throw new Error(`${amount} is no amount of ${currency}: ${whyNone(amount, currency)}`);
  return minor;
}

const AMOUNT = /^-?\d+(\.\d+)?$/;

function whyNone(amount: string, currency: string): string {
  if (!AMOUNT.test(amount)) return 'give digits, and decimals behind a point.';
  const isTooFine = toMinor(Number(amount.replace(/^-?\d+/, '0')), currency) === undefined;
  return isTooFine ? noSuchAmount(currency) : 'it is too large.';
}

function asLine({ currency, ...sums }: Account): string {
  const { fundedMinor, creditLimitMinor, committedMinor, availableMinor } = sums;
  const said = (minor: number) => readMoney(minor, currency);
  return [
    `funded ${said(fundedMinor)}`,
    `credit limit ${said(creditLimitMinor)}`,
    `committed ${said(committedMinor)}`,
    `available ${said(availableMinor)}`,
  ].join('\t');
}
