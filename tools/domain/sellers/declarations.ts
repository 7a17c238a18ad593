import { toFlag, toJson } from '../../../store/engine/codec.ts';
import type { Db } from '../../../store/engine/db.ts';
import type { InventorySourceRow } from '../../../store/inventory-sources.ts';
import { type Declaration, findDeclared, noteDeclared } from '../../../store/unscoped/declarations.ts';
import type { Services } from '../../core/context.ts';
import type { SellerDeclaration } from './abilities.ts';

/** What sellers declare, kept beside their sources: whoever reads is told by it, and waits for nobody. */

export type Declared = Pick<SellerDeclaration, 'targeting' | 'sandbox' | 'versions'>;

const UNHEARD = 'unheard' as const;

/** Characters of a declaration of targeting, or of versions, that is kept; what AdCP knows of makes some hundreds. */
const KEPT_MAX = 4_096;

/** Keeps what a seller just declared, where that is another than is known. When that fails, nothing else does. */
export async function keepDeclared(
  { store, log }: Services,
  source: InventorySourceRow,
  told: Declared,
): Promise<void> {
  const heard: Declaration = {
    declared_targeting: targetingHeard(source, told),
    declared_sandbox: told.sandbox === 'unheard' ? source.declared_sandbox : toFlag(told.sandbox),
    declared_versions: versionsHeard(source, told),
  };
  const isKnown =
    heard.declared_targeting === source.declared_targeting &&
    heard.declared_sandbox === source.declared_sandbox &&
    heard.declared_versions === source.declared_versions;
  if (isKnown) return;
  try {
    await noteDeclared(store.db, source, heard);
  } catch (error) {
    log.warn({ err: error }, 'what a seller declares could not be stored');
  }
}

function targetingHeard(
  { declared_targeting: kept }: InventorySourceRow,
  { targeting }: Declared,
): Declaration['declared_targeting'] {
  if (targeting === 'unheard') return kept;
  const told = toJson(targeting ?? null);
  return told.length > KEPT_MAX ? null : told;
}

function versionsHeard(
  { declared_versions: kept }: InventorySourceRow,
  { targeting, versions }: Declared,
): Declaration['declared_versions'] {
  // Who refused to say it said nothing at all.
  if (targeting === UNHEARD) return kept;
  const told = versions === undefined ? null : toJson(versions);
  return told === null || told.length > KEPT_MAX ? null : told;
}

/** What sellers declared when they were last asked, by their agents; of one that nobody heard nothing is known. */
export async function declaredBefore(
  db: Db,
  agentIds: readonly string[],
): Promise<ReadonlyMap<string, Declared>> {
  const known = await findDeclared(db, [...new Set(agentIds)]);
  return new Map(
    [...known].map(([id, { targeting = UNHEARD, sandbox = UNHEARD, versions }]): [string, Declared] => [
      id,
      {
        ...(targeting === null ? {} : { targeting }),
        sandbox,
        ...(versions === undefined ? {} : { versions }),
      },
    ]),
  );
}
