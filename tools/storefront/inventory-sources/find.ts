import { findInventorySource, type InventorySourceRow } from '../../../store/inventory-sources.ts';
import type { Context } from '../../core/context.ts';
import { notFound } from '../../core/errors.ts';

export async function ownSource(ctx: Context, sourceId: string): Promise<InventorySourceRow> {
  const row = await findInventorySource(ctx.db, ctx.scope, sourceId);
  if (row === undefined) throw notFound('inventory source', 'Find sources with inventory_source_list.');
  return row;
}
