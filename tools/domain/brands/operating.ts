import type { BrandManifest } from '../../../store/brands.ts';
import { toFlag, toJson } from '../../../store/engine/codec.ts';
import {
  deleteKnownBrand,
  type KnownBrandRow,
  listKnownBrands,
  putKnownBrand,
} from '../../../store/unscoped/known-brands.ts';
import type { AuditSubject } from '../../core/audit.ts';
import type { Actor } from '../../core/context.ts';
import { notFound } from '../../core/errors/refusals.ts';
import { brandKind } from './kind.ts';

/** What the operator makes known is known to every organization: the installation's own log tells of it. */
function aboutBrand(domain: string, changes: AuditSubject['changes']): AuditSubject {
  return { kind: brandKind, resourceId: domain, ...(changes && { changes }), tenant: 'installation' };
}

export async function makeKnown(
  actor: Actor,
  {
    domain,
    manifest,
    isRegistered,
  }: { readonly domain: string; readonly manifest: BrandManifest; readonly isRegistered: boolean },
): Promise<void> {
  await actor.write(
    (tx) =>
      putKnownBrand(tx, {
        domain,
        id: actor.newId('brand'),
        manifest: toJson(manifest),
        is_registered: toFlag(isRegistered),
        updated_at: actor.now,
      }),
    aboutBrand(domain, { name: { to: manifest.name }, registered: { to: isRegistered } }),
  );
}

export async function forget(actor: Actor, domain: string): Promise<void> {
  const wasKnown = await actor.write(
    (tx) => deleteKnownBrand(tx, domain),
    (isGone) => (isGone ? aboutBrand(domain, { known: { to: false } }) : undefined),
  );
  if (!wasKnown) throw notFound(brandKind);
}

/** What is known, for the operator. */
export function knownBrands({ db }: Pick<Actor, 'db'>): Promise<KnownBrandRow[]> {
  return listKnownBrands(db);
}
