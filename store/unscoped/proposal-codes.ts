import type { Sealed } from '../engine/codec.ts';
import type { Db } from '../engine/db.ts';
import { unscoped } from '../engine/unscoped.ts';

/** Rows of a step. */
const ROWS = 100;

/** Codes that stand as they are, from before they were encrypted. Served by `storefront_proposals_open_codes`. */
export function listOpenCodes(db: Db): Promise<{ readonly id: number; readonly code: string }[]> {
  return unscoped(db)
    .selectFrom('storefront_proposals')
    .select(['id', 'code'])
    .where('code_sealed', 'is', null)
    .orderBy('id')
    .limit(ROWS)
    .execute();
}

/** Puts what a code is found by and the encrypted code in its place. */
export async function closeCode(
  db: Db,
  { id, fingerprint, sealed }: { readonly id: number; readonly fingerprint: string; readonly sealed: Sealed },
): Promise<void> {
  await unscoped(db)
    .updateTable('storefront_proposals')
    .set({ code: fingerprint, code_sealed: sealed })
    .where('id', '=', id)
    .where('code_sealed', 'is', null)
    .execute();
}

/** Forgets how often accounts tried codes before a time, which counts no more; gives whether there may be more. */
export async function forgetCodeTries(db: Db, before: string): Promise<boolean> {
  const { numDeletedRows } = await unscoped(db)
    .deleteFrom('proposal_code_tries')
    .where('customer_id', 'in', (eb) =>
      eb
        .selectFrom('proposal_code_tries as old')
        .select('old.customer_id')
        .where('old.since', '<', before)
        .orderBy('old.since')
        .limit(ROWS),
    )
    .where('since', '<', before)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
