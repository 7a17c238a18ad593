import type { Db } from '../../../../store/engine/db.ts';
import { tenantOfRow } from '../../../../store/engine/scope.ts';
import { listOpenChangesOf, type MediaBuyChangeRow } from '../../../../store/media-buy-changes.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import type { Context } from '../../../core/context.ts';
import type { Posted } from '../../ledger/book.ts';
import { followCommitment, setCommitments } from '../../ledger/commitments.ts';
import { requirePriced } from '../../ledger/pricing.ts';
import { isLive } from '../machines.ts';
import { owedOf, settleCommitment } from './buy-commitment.ts';

/** What changes bind of an account: a raise that waits for its seller counts already. */

export type Raise = Pick<MediaBuyChangeRow, 'media_buy_id' | 'committed_minor'>;

/** What a buy counts for: its budget, or that of a change that waits where it is larger; once over, what it owes. */
export function countedMinor(buy: MediaBuyRow, open: readonly Raise[]): number {
  if (!isLive(buy)) return owedOf(buy);
  const raised = open.filter(({ media_buy_id }) => media_buy_id === buy.id);
  return Math.max(buy.budget_minor, ...raised.map(({ committed_minor }) => committed_minor));
}

/** What a buy is bound with by all that is stored of it, and what it was given; `also` counts whatever became of it. */
export async function boundNow(db: Db, buy: MediaBuyRow, also: readonly Raise[] = []): Promise<number> {
  const open = await listOpenChangesOf(db, tenantOfRow(buy), { mediaBuyId: buy.id });
  return Math.max(buy.budget_minor, countedMinor(buy, [...open, ...also]));
}

interface Recorded {
  readonly change: MediaBuyChangeRow;
  readonly buy: MediaBuyRow;
  /** What the buy counted for before the change. */
  readonly boundMinor: number;
}

/** Whether a change asks for more than the buy counts for, or for what it had before it was held. */
function binds({ change: { action, committed_minor }, boundMinor }: Recorded): boolean {
  return action === 'resume' || committed_minor > boundMinor;
}

/** Those among changes that bind more than is bound, or let it be spent again. */
export function raisesAmong<T extends Recorded>(recorded: readonly T[]): T[] {
  return recorded.filter((one) => isLive(one.buy) && binds(one));
}

/** The raises among changes bind their budgets, all or none, or the call is refused (402). */
export async function commitChanges(
  tx: Db,
  { caller, now }: Pick<Context, 'caller' | 'now'>,
  recorded: readonly Recorded[],
): Promise<void> {
  const raised = raisesAmong(recorded);
  if (raised.length === 0) return;
  await requirePriced(
    tx,
    raised.map(({ buy }) => buy),
  );
  const commitments = [];
  for (const { change, buy } of raised) {
    // A raise that waits beside a reactivation stays bound.
    const open = await listOpenChangesOf(tx, tenantOfRow(buy), { mediaBuyId: buy.id });
    const amountMinor = countedMinor(buy, [...open, change]);
    commitments.push({ buy, amountMinor, why: change.action === 'resume' ? 'Reactivated' : 'Raised' });
  }
  await setCommitments(tx, commitments, { by: caller.principal, now });
}

/** What was lowered here, where no seller has to confirm it, is released with that. */
export async function releaseLowered(
  tx: Db,
  { caller, now }: Pick<Context, 'caller' | 'now'>,
  recorded: readonly Recorded[],
): Promise<void> {
  for (const { change, buy, boundMinor } of recorded) {
    const isLowered = change.state === 'confirmed' && isLive(buy) && buy.budget_minor < boundMinor;
    if (isLowered) await followChange(tx, buy, { by: caller.principal, now });
  }
}

/** What is bound follows what became of the changes of a buy, or `why` else: refused, confirmed lower, or over. */
export async function followChange(
  tx: Db,
  buy: MediaBuyRow,
  { why = 'Changed', ...posted }: Posted & { readonly why?: string },
): Promise<void> {
  if (!isLive(buy)) return settleCommitment(tx, buy, posted);
  const open = await listOpenChangesOf(tx, tenantOfRow(buy), { mediaBuyId: buy.id });
  await followCommitment(tx, { buy, amountMinor: countedMinor(buy, open), why }, posted);
}
