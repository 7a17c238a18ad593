import { toJson } from '../../../store/engine/codec.ts';
import type { Db } from '../../../store/engine/db.ts';
import type { InventorySourceRow } from '../../../store/inventory-sources.ts';
import { findDeclaredTargeting, noteDeclaredTargeting } from '../../../store/unscoped/declared-targeting.ts';
import type { Services } from '../../core/context.ts';
import type { SellerAbilities } from './abilities.ts';

/** What sellers declare of targeting, kept beside their sources: whoever reads is told by it, and waits for nobody. */

/** Characters of a declaration that is kept; what AdCP knows of makes some hundreds. */
const KEPT_MAX = 4_096;

/** Keeps what a seller just declared, where that is another than is known. When that fails, nothing else does. */
export async function keepDeclared(
  { store, log }: Services,
  { id, version, declared_targeting: kept }: InventorySourceRow,
  { targeting }: Pick<SellerAbilities, 'targeting'>,
): Promise<void> {
  if (targeting === 'unheard') return;
  const told = toJson(targeting ?? null);
  const declared_targeting = told.length > KEPT_MAX ? null : told;
  if (declared_targeting === kept) return;
  try {
    await noteDeclaredTargeting(store.db, { id, version, declared_targeting });
  } catch (error) {
    log.warn({ err: error }, 'what a seller declares could not be stored');
  }
}

/** What sellers declared when they were last asked, by their agents; of one that nobody heard nothing is known. */
export async function declaredBefore(
  db: Db,
  agentIds: readonly string[],
): Promise<ReadonlyMap<string, Pick<SellerAbilities, 'targeting'>>> {
  const known = await findDeclaredTargeting(db, [...new Set(agentIds)]);
  return new Map([...known].map(([id, told]) => [id, told === null ? {} : { targeting: told }]));
}
