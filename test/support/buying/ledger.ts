import type { Db } from '../../../store/engine/db.ts';
import type { LedgerEntryRow } from '../../../store/ledger.ts';
import { openChangeStates } from '../../../store/media-buy-changes.ts';
import type { MediaBuyRow } from '../../../store/media-buys.ts';
import { isLive } from '../../../tools/domain/buying/machines.ts';
import { spentOf } from '../../../tools/domain/buying/spend/buy-commitment.ts';

/** What is wrong with the ledger of an organization, found by adding up every entry of it. */
export async function faultsOf(db: Db, organizationId: number): Promise<string[]> {
  const entries = await db
    .selectFrom('ledger_entries')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('customer_id')
    .orderBy('currency')
    .orderBy('sequence')
    .execute();
  return [...brokenSums(entries), ...(await strangeBuys(db, organizationId, entries))];
}

const COLUMN = {
  fund: 'funded_minor',
  credit_limit: 'credit_limit_minor',
  commit: 'committed_minor',
  release: 'committed_minor',
} as const;

/** Each entry says the sums of all before it and its own, and none is left out. */
function brokenSums(entries: readonly LedgerEntryRow[]): string[] {
  return entries.flatMap((entry, index) => {
    const before = entries[index - 1];
    const isFirst = before?.customer_id !== entry.customer_id || before.currency !== entry.currency;
    return brokenAfter(isFirst || before === undefined ? NOTHING : before, entry);
  });
}

function brokenAfter(last: Sums, entry: LedgerEntryRow): string[] {
  const sums = { ...sumsOf(last), [COLUMN[entry.kind]]: last[COLUMN[entry.kind]] + entry.amount_minor };
  const available = entry.funded_minor + entry.credit_limit_minor - entry.committed_minor;
  const faults = [
    ...(entry.sequence === last.sequence + 1 ? [] : [`follows ${last.sequence}`]),
    ...(JSON.stringify(sumsOf(entry)) === JSON.stringify(sums) ? [] : ['does not add up']),
    ...(isAsked(entry) && available < 0 ? ['commits beyond the credit'] : []),
  ];
  return faults.map((fault) => `${entry.customer_id} ${entry.currency} ${entry.sequence} ${fault}`);
}

/** What a seller goes on with is a fact, whatever there is to pay for it. */
function isAsked({ kind, reason }: LedgerEntryRow): boolean {
  return kind === 'commit' && reason !== 'Goes on at its seller';
}

type Sums = Pick<LedgerEntryRow, 'sequence' | 'funded_minor' | 'credit_limit_minor' | 'committed_minor'>;

const NOTHING: Sums = { sequence: 0, funded_minor: 0, credit_limit_minor: 0, committed_minor: 0 };

function sumsOf({ funded_minor, credit_limit_minor, committed_minor }: Sums) {
  return { funded_minor, credit_limit_minor, committed_minor };
}

/** Each buy holds what its row says, and no entry is of none. */
async function strangeBuys(
  db: Db,
  organizationId: number,
  entries: readonly LedgerEntryRow[],
): Promise<string[]> {
  const buys = await db
    .selectFrom('media_buys')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .execute();
  const raises = await raisesOf(db, organizationId);
  return buys.flatMap((buy) => {
    const held = entries
      .filter(({ media_buy_id }) => media_buy_id === buy.id)
      .reduce((sum, { amount_minor }) => sum + amount_minor, 0);
    // A raise that waits for its seller counts already.
    const counted = Math.max(buy.budget_minor, ...(raises.get(buy.id) ?? []));
    const due = buy.sandbox === 1 ? 0 : isLive(buy) ? counted : owedBy(buy);
    return held === due ? [] : [`${buy.id} (${buy.status}) holds ${held} and not ${due}`];
  });
}

/** Of one that is over nobody knows what was delivered before its seller has said so since. */
function owedBy(buy: MediaBuyRow): number {
  const { figures_awaited_since: since, figures_reported_at: told } = buy;
  return since !== null && told === null ? buy.budget_minor : spentOf(buy);
}

/** What changes that are open commit, by the buys that they are of. */
async function raisesOf(db: Db, organizationId: number): Promise<ReadonlyMap<string, readonly number[]>> {
  const open = await db
    .selectFrom('media_buy_changes')
    .select(['media_buy_id', 'committed_minor'])
    .where('organization_id', '=', organizationId)
    .where('state', 'in', [...openChangeStates])
    .execute();
  const byBuy = new Map<string, number[]>();
  for (const { media_buy_id: id, committed_minor: minor } of open) {
    byBuy.set(id, [...(byBuy.get(id) ?? []), minor]);
  }
  return byBuy;
}
