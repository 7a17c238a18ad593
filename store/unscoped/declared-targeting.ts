import { fromJson } from '../engine/codec.ts';
import type { Db } from '../engine/db.ts';
import { piecesOf } from '../engine/pieces.ts';
import { unscoped } from '../engine/unscoped.ts';
import type { DeclaredTargeting, InventorySourceRow } from '../inventory-sources.ts';

/** What sellers declare of targeting, as they were last heard: the service's own knowledge of them, for every process. */

type Heard = Pick<InventorySourceRow, 'id' | 'version' | 'declared_targeting'>;

/** Remembers it, unless the source is another one by now than the one that was asked. */
export async function noteDeclaredTargeting(
  db: Db,
  { id, version, declared_targeting }: Heard,
): Promise<void> {
  await unscoped(db)
    .updateTable('inventory_sources')
    .set({ declared_targeting })
    .where('id', '=', id)
    .where('version', '=', version)
    .execute();
}

/** By their agents, null where one said nothing of it; a seller that was never heard is not among them. */
export async function findDeclaredTargeting(
  db: Db,
  agentIds: readonly string[],
): Promise<ReadonlyMap<string, DeclaredTargeting | null>> {
  const known = new Map<string, DeclaredTargeting | null>();
  for (const piece of piecesOf(agentIds.map((id) => ({ id })))) {
    const rows = await unscoped(db)
      .selectFrom('inventory_sources')
      .select(['agent_id', 'declared_targeting'])
      .where(
        'agent_id',
        'in',
        piece.map(({ id }) => id),
      )
      .where('declared_targeting', 'is not', null)
      .execute();
    for (const { agent_id, declared_targeting: told } of rows) {
      if (told !== null) known.set(agent_id, fromJson(told));
    }
  }
  return known;
}
