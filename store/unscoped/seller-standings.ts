import { toJson } from '../engine/codec.ts';
import type { Db } from '../engine/db.ts';
import { inPieces } from '../engine/pieces.ts';
import { unscoped } from '../engine/unscoped.ts';
import type { SourceFailure } from '../inventory-sources.ts';

/** How sellers answered when they were asked, by the ids of their sources: the service's own knowledge of them. */
export interface SellerAnswers {
  readonly inTime: readonly string[];
  readonly late: readonly string[];
  readonly at: string;
}

/** Remembers it for every process. A source that is gone meanwhile is passed over. */
export async function noteSellerAnswers(db: Db, { inTime, late, at }: SellerAnswers): Promise<void> {
  await inPieces(
    inTime.map((id) => ({ id })),
    (piece) =>
      unscoped(db)
        .updateTable('inventory_sources')
        .set({ answered_at: at, late_calls: 0 })
        .where('id', 'in', idsOf(piece))
        .execute(),
  );
  await inPieces(
    late.map((id) => ({ id })),
    (piece) =>
      unscoped(db)
        .updateTable('inventory_sources')
        .set((eb) => ({ late_at: at, late_calls: eb('late_calls', '+', 1) }))
        .where('id', 'in', idsOf(piece))
        .execute(),
  );
}

/** The last failure of each, for the seller whose agent it is: those that failed alike are written together. */
export async function noteSellerFailure(
  db: Db,
  ids: readonly string[],
  failure: SourceFailure,
): Promise<void> {
  await inPieces(
    ids.map((id) => ({ id })),
    (piece) =>
      unscoped(db)
        .updateTable('inventory_sources')
        .set({ last_failure: toJson(failure) })
        .where('id', 'in', idsOf(piece))
        .execute(),
  );
}

function idsOf(piece: readonly { readonly id: string }[]): string[] {
  return piece.map(({ id }) => id);
}
