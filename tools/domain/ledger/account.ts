import type { Db } from '../../../store/engine/db.ts';
import { makeScope, type Scope } from '../../../store/engine/scope.ts';
import { findLedgerSums, type LedgerSums, listLedgerCurrencies } from '../../../store/ledger.ts';
import type { Context } from '../../core/context.ts';

/** What an account has in one currency, in minor units. Currencies are never added up. */
export interface Account {
  readonly currency: string;
  /** Paid in. */
  readonly fundedMinor: number;
  /** What it may spend beyond that. */
  readonly creditLimitMinor: number;
  /** Bound by its media buys: what they may still spend, and what they have spent. */
  readonly committedMinor: number;
  /** What a new buy may bind: funded + creditLimit - committed. Below nothing where a limit was lowered. */
  readonly availableMinor: number;
}

/** What an account has in a currency; nothing at all where nobody ever gave it anything. */
export async function accountOf(db: Db, scope: Scope, currency: string): Promise<Account> {
  return asAccount(currency, await findLedgerSums(db, scope, currency));
}

/** The same of every currency that it has anything in. */
export async function accountsOf(db: Db, scope: Scope): Promise<Account[]> {
  const currencies = await listLedgerCurrencies(db, scope);
  return Promise.all(currencies.map((currency) => accountOf(db, scope, currency)));
}

/** The same of the account that the caller buys with; undefined where it has none. */
export async function accountsOfCaller({ db, caller }: Context): Promise<Account[] | undefined> {
  const { organizationId, accounts } = caller;
  if (accounts.buyer === null) return undefined;
  return accountsOf(db, makeScope({ organizationId, customerId: accounts.buyer }));
}

export function asAccount(currency: string, sums: LedgerSums | undefined): Account {
  const fundedMinor = sums?.funded_minor ?? 0;
  const creditLimitMinor = sums?.credit_limit_minor ?? 0;
  const committedMinor = sums?.committed_minor ?? 0;
  const availableMinor = fundedMinor + creditLimitMinor - committedMinor;
  return { currency, fundedMinor, creditLimitMinor, committedMinor, availableMinor };
}
