import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Db } from './engine/db.ts';
import { isOneOf } from './engine/pieces.ts';
import type { Tenant } from './engine/scope.ts';
import { inOrganization } from './engine/scoped.ts';

/** Deliveries of one statement: whoever waits behind it waits no longer for a receiver that was slow for days. */
export const SKIPPED_AT_ONCE = 500;

interface Skipping {
  readonly outcome: string;
  readonly now: string;
  /** The next of those that are pending and not to be sent any more. */
  due(limit: number): Promise<readonly { readonly id: number }[]>;
}

/** Skips everything that is due, however much it is, in steps between which others have their turn. */
export async function skipInSteps(db: Db, tenant: Tenant, { outcome, now, due }: Skipping): Promise<void> {
  while (true) {
    const rows = await due(SKIPPED_AT_ONCE);
    if (rows.length > 0) {
      const ids = rows.map(({ id }) => id);
      await db
        .updateTable('webhook_deliveries')
        .set({ state: 'skipped', outcome, finished_at: now })
        .$call(inOrganization(tenant))
        .where(isOneOf(db, 'id', ids))
        .where('state', '=', 'pending')
        .execute();
    }
    if (rows.length < SKIPPED_AT_ONCE) return;
    await nextTurn();
  }
}
