import { findInventorySource, type InventorySourceRow } from '../../../store/inventory-sources.ts';
import type { Context } from '../../core/context.ts';
import { byRevision, type Kind } from '../../core/kinds.ts';
import { present } from '../../core/reach.ts';
import { lookUps } from '../look-ups.ts';

export const sourceKind: Kind = {
  type: 'INVENTORY_SOURCE',
  word: 'inventory source',
  lookUp: lookUps.source,
  versioned: byRevision,
};

export async function reachSource(ctx: Context, sourceId: string): Promise<InventorySourceRow> {
  return present(await findInventorySource(ctx.db, ctx.scope, sourceId), sourceKind);
}
