import { findInventorySource, type InventorySourceRow } from '../../../store/inventory-sources.ts';
import type { Context } from '../../core/context.ts';
import { byRevision, type Kind } from '../../core/kinds.ts';
import { present } from '../../core/reach.ts';

export const sourceKind: Kind = {
  type: 'INVENTORY_SOURCE',
  word: 'inventory source',
  lookUp: 'Find sources with inventory_source_list.',
  versioned: byRevision,
};

export async function reachSource(ctx: Context, sourceId: string): Promise<InventorySourceRow> {
  return present(await findInventorySource(ctx.db, ctx.scope, sourceId), sourceKind);
}
