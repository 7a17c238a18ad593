import { isDeepStrictEqual } from 'node:util';
import type { BrandManifest } from '../../../store/brands.ts';
import { fromFlag, fromJson, toFlag, toJson } from '../../../store/engine/codec.ts';
import {
  deleteKnownBrand,
  findKnownBrands,
  type KnownBrandRow,
  listKnownBrands,
  putKnownBrand,
} from '../../../store/unscoped/known-brands.ts';
import type { AuditSubject } from '../../core/audit.ts';
import { changesBetween } from '../../core/changes.ts';
import type { Actor } from '../../core/context.ts';
import { brandKind } from './kinds.ts';

/** What the operator makes known is known to every organization: the installation's own log tells of it. */
function aboutBrand(domain: string, changes: AuditSubject['changes']): AuditSubject {
  return { kind: brandKind, resourceId: domain, ...(changes && { changes }), tenant: 'installation' };
}

export interface Known {
  readonly domain: string;
  readonly manifest: BrandManifest;
  readonly isRegistered: boolean;
}

/** Says what is known of a brand. False where just this is known already: it stays as it was. */
export async function makeKnown(actor: Actor, known: Known): Promise<boolean> {
  const { domain, manifest, isRegistered } = known;
  const changed = await actor.write(
    async (tx) => {
      const [before] = await findKnownBrands(tx, [domain]);
      if (before !== undefined && isSame(before, known)) return undefined;
      await putKnownBrand(tx, {
        domain,
        id: actor.newId('brand'),
        manifest: toJson(manifest),
        is_registered: toFlag(isRegistered),
        updated_at: actor.now,
      });
      return changesBetween(toldOf(before), { ...manifest, registered: isRegistered });
    },
    (changes) => changes && aboutBrand(domain, changes),
  );
  return changed !== undefined;
}

/** What is known of a brand, field by field. */
function toldOf(before: KnownBrandRow | undefined): Readonly<Record<string, unknown>> {
  if (before === undefined) return {};
  return { ...fromJson(before.manifest), registered: fromFlag(before.is_registered) };
}

/** Whatever the order of what is said of it. */
function isSame(before: KnownBrandRow, { manifest, isRegistered }: Known): boolean {
  const told: unknown = fromJson(toJson(manifest));
  return (
    fromFlag(before.is_registered) === isRegistered && isDeepStrictEqual(fromJson(before.manifest), told)
  );
}

/** Nobody knows a brand any more. False where nobody did. */
export function forget(actor: Actor, domain: string): Promise<boolean> {
  return actor.write(
    (tx) => deleteKnownBrand(tx, domain),
    (isGone) => (isGone ? aboutBrand(domain, { known: { from: true, to: false } }) : undefined),
  );
}

/** What is known, for the operator. */
export function knownBrands({ db }: Pick<Actor, 'db'>): Promise<KnownBrandRow[]> {
  return listKnownBrands(db);
}
