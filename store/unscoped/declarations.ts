import { fromJson } from '../engine/codec.ts';
import type { Db } from '../engine/db.ts';
import { piecesOf } from '../engine/pieces.ts';
import { unscoped } from '../engine/unscoped.ts';
import type { InventorySourceRow } from '../inventory-sources.ts';

/** What sellers declare, as they were last heard: the service's own knowledge of them, for every process. */

export type Declaration = Pick<
  InventorySourceRow,
  'declared_targeting' | 'declared_sandbox' | 'declared_versions'
>;

/** Remembers it, unless the source is another one by now than the one that was asked. */
export async function noteDeclared(
  db: Db,
  { id, version }: Pick<InventorySourceRow, 'id' | 'version'>,
  declaration: Declaration,
): Promise<void> {
  await unscoped(db)
    .updateTable('inventory_sources')
    .set(declaration)
    .where('id', '=', id)
    .where('version', '=', version)
    .execute();
}

/** By their agents; a seller that was never heard is not among them. */
export async function findDeclared(
  db: Db,
  agentIds: readonly string[],
): Promise<ReadonlyMap<string, ReturnType<typeof readDeclaration>>> {
  const known = new Map<string, ReturnType<typeof readDeclaration>>();
  for (const piece of piecesOf(agentIds.map((id) => ({ id })))) {
    const rows = await unscoped(db)
      .selectFrom('inventory_sources')
      .select(['agent_id', 'declared_targeting', 'declared_sandbox', 'declared_versions'])
      .where(
        'agent_id',
        'in',
        piece.map(({ id }) => id),
      )
      .where((eb) =>
        eb.or([
          eb('declared_targeting', 'is not', null),
          eb('declared_sandbox', 'is not', null),
          eb('declared_versions', 'is not', null),
        ]),
      )
      .execute();
    for (const { agent_id, ...row } of rows) known.set(agent_id, readDeclaration(row));
  }
  return known;
}

/** Each part undefined where nobody has heard; targeting null where the seller said nothing of it. */
function readDeclaration({
  declared_targeting: targeting,
  declared_sandbox: sandbox,
  declared_versions: versions,
}: Declaration) {
  return {
    targeting: targeting === null ? undefined : fromJson(targeting),
    sandbox: sandbox === null ? undefined : sandbox === 1,
    versions: versions === null ? undefined : fromJson(versions),
  };
}
