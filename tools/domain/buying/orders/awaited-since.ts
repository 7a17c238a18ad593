import { fromFlag } from '../../../../store/engine/codec.ts';
import type { Db } from '../../../../store/engine/db.ts';
import { tenantOfRow } from '../../../../store/engine/scope.ts';
import type { MediaBuyChangeRow } from '../../../../store/media-buy-changes.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { findSeller } from '../../../../store/unscoped/market.ts';
import { mayHaveRun } from './having-run.ts';

interface Ending {
  /** What was asked of it and never confirmed, and what its seller may have done all the same. */
  readonly asked: readonly MediaBuyChangeRow[];
  readonly after: MediaBuyRow;
  readonly now: string;
  /** How long figures are waited for; 0: not at all. */
  readonly graceMs: number;
}

/**
 * Since when figures of a buy that ends are waited for, and when they were reported, where its seller says with its
 * end that they are final. Nothing where none are to come: of a sandbox and of the embedded seller, whose figures are
 * certain.
 */
export async function awaitedSince(
  db: Db,
  before: MediaBuyRow,
  { asked, after, now, graceMs }: Ending,
): Promise<Partial<Pick<MediaBuyRow, 'figures_awaited_since' | 'figures_reported_at'>>> {
  if (graceMs === 0 || fromFlag(before.sandbox) || !mayHaveRun(before, { asked, after, now })) return {};
  const seller = await findSeller(db, tenantOfRow(before), before.agent_id);
  if (seller?.source.execution_type === 'MANAGED_SALES_AGENT') return {};
  return { figures_awaited_since: now, figures_reported_at: after.figures_reported_at };
}
