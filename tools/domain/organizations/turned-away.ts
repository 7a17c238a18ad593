import { findJoinRequestOf, turnAway } from '../../../store/domains.ts';
import type { Db } from '../../../store/engine/db.ts';
import { makeTenant } from '../../../store/engine/scope.ts';
import { listBelow } from '../../../store/unscoped/organization-tree.ts';
import type { Context } from '../../core/context.ts';
import { standingAfter } from './machines.ts';

/**
 * No domain lets a person who was taken out back in by itself, there or below it where they have no role of their own:
 * not one that is verified later either, nor that of an address which they have by then.
 */
export async function turnAwayFromDomains(ctx: Context, tx: Db, userId: number): Promise<void> {
  for (const id of await listBelow(tx, ctx.scope.organizationId, { butOf: userId })) {
    const tenant = makeTenant(id);
    const before = await findJoinRequestOf(tx, tenant, userId);
    const status = standingAfter('takeOut', before?.status);
    await turnAway(tx, tenant, { userId, status, by: ctx.caller.userId, now: ctx.now });
  }
}
