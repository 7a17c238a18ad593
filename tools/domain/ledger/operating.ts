import type { Db } from '../../../store/engine/db.ts';
import { makeScope, makeTenant, type Scope } from '../../../store/engine/scope.ts';
import { findLedgerEntry } from '../../../store/ledger.ts';
import { type CustomerRow, listCustomers } from '../../../store/organizations.ts';
import type { AuditSubject } from '../../core/audit.ts';
import type { Actor } from '../../core/context.ts';
import { conflict, contradicts, notFound } from '../../core/errors/refusals.ts';
import { readMoney } from '../money.ts';
import { accountKind } from '../organizations/kinds.ts';
import { requireOrganization } from '../organizations/operator-decisions.ts';
import { type Account, accountOf, asAccount } from './account.ts';
import { openBook } from './book.ts';

/** What only the operator does with an account: pay in, and say how far it may go beyond. */

export interface Giving {
  readonly currency: string;
  readonly reason: string;
  readonly by: string;
  readonly now: string;
}

const OPERATOR = 'operator';

/** The buyer account that is meant: the one named, or the only one there is. */
export async function buyerAccount(
  db: Db,
  organizationId: number,
  customerId?: number,
): Promise<CustomerRow> {
  const accounts = await listCustomers(db, makeTenant(organizationId));
  const buyers = accounts.filter(({ id, role }) => role === 'BUYER' && (customerId ?? id) === id);
  const [found, another] = buyers;
  if (accounts.length === 0) await requireOrganization({ db }, organizationId);
  if (found === undefined) throw notFound(accountKind);
  if (another === undefined) return found;
  throw conflict(
    `Organization ${organizationId} has several buyer accounts: ${buyers.map(({ id }) => id).join(', ')}.`,
    'Name the one that is meant with --account.',
  );
}

export function scopeOfAccount({ organization_id: organizationId, id: customerId }: CustomerRow): Scope {
  return makeScope({ organizationId, customerId });
}

/** Pays in; less than nothing takes out again. Told twice under one reference it is done once. */
export async function payIn(
  tx: Db,
  scope: Scope,
  {
    amountMinor,
    reference,
    reason,
    ...posted
  }: Giving & { amountMinor: number; reference?: string | undefined },
): Promise<Account> {
  const book = await openBook(tx, scope, posted);
  const { currency } = posted;
  const before = reference === undefined ? undefined : await findLedgerEntry(tx, scope, reference);
  if (before !== undefined) {
    if (before.amount_minor === amountMinor && before.currency === currency)
      return asAccount(currency, book.sums());
    throw conflict(
      `${readMoney(before.amount_minor, before.currency)} were paid in under the reference ${reference}.`,
      'Give another reference to what is another payment.',
    );
  }
  const left = book.sums().funded_minor + amountMinor;
  if (left < 0) {
    const message = `The account has ${readMoney(book.sums().funded_minor, currency)}: no more can be taken out.`;
    throw contradicts('amount', message, { suggestion: 'Take out less.' });
  }
  // Nothing is no payment.
  if (amountMinor !== 0)
    await book.post({ kind: 'fund', amount_minor: amountMinor, reason, reference: reference ?? null });
  return asAccount(currency, book.sums());
}

/** Sets how far an account may go beyond what was paid in. Below what is committed it stops new buys only. */
async function limitCredit(
  tx: Db,
  scope: Scope,
  { limitMinor, reason, ...posted }: Giving & { limitMinor: number },
): Promise<Account> {
  const book = await openBook(tx, scope, posted);
  const more = limitMinor - book.sums().credit_limit_minor;
  if (more !== 0) await book.post({ kind: 'credit_limit', amount_minor: more, reason });
  return asAccount(posted.currency, book.sums());
}

interface Wanted {
  readonly organizationId: number;
  readonly customerId?: number | undefined;
  readonly currency: string;
  readonly reason?: string | undefined;
}

export function fundAccount(
  actor: Actor,
  wanted: Wanted & { amountMinor: number; reference?: string | undefined },
): Promise<Account> {
  const { amountMinor, reference, reason = 'Paid in' } = wanted;
  return change(actor, wanted, (tx, scope) =>
    payIn(tx, scope, { ...given(actor, wanted, reason), amountMinor, reference }),
  );
}

export function setCreditLimit(actor: Actor, wanted: Wanted & { limitMinor: number }): Promise<Account> {
  const { limitMinor, reason = 'Limit set' } = wanted;
  return change(actor, wanted, (tx, scope) =>
    limitCredit(tx, scope, { ...given(actor, wanted, reason), limitMinor }),
  );
}

function given({ now }: Actor, { currency }: Wanted, reason: string): Giving {
  return { currency, reason, by: OPERATOR, now };
}

/** With an entry in the log of the account that says what it had and has. */
async function change(
  actor: Actor,
  { organizationId, customerId, currency, reason }: Wanted,
  work: (tx: Db, scope: Scope) => Promise<Account>,
): Promise<Account> {
  const customer = await buyerAccount(actor.db, organizationId, customerId);
  const { after } = await actor.write(
    async (tx) => {
      const before = await accountOf(tx, scopeOfAccount(customer), currency);
      return { before, after: await work(tx, scopeOfAccount(customer)) };
    },
    (result) => changed(customer, result, reason ?? null),
  );
  return after;
}

function changed(
  { id, name, organization_id: organizationId }: CustomerRow,
  { before, after }: { before: Account; after: Account },
  reason: string | null,
): AuditSubject | undefined {
  const { currency } = after;
  const said = (['fundedMinor', 'creditLimitMinor'] as const).filter((key) => before[key] !== after[key]);
  if (said.length === 0) return undefined;
  const changes = said.map((key) => [
    key.replace('Minor', ''),
    { from: readMoney(before[key], currency), to: readMoney(after[key], currency) },
  ]);
  return {
    kind: accountKind,
    resourceId: id,
    resourceName: name,
    changes: Object.fromEntries(changes),
    reason,
    tenant: { organizationId, customerId: id },
  };
}
