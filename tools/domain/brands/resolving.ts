import { type BrandManifest, findBrands } from '../../../store/brands.ts';
import { fromJson } from '../../../store/engine/codec.ts';
import type { Db } from '../../../store/engine/db.ts';
import type { Tenant } from '../../../store/engine/scope.ts';
import { findKnownBrands } from '../../../store/unscoped/known-brands.ts';

export interface Brand {
  readonly id: string;
  readonly domain: string;
  readonly manifest: BrandManifest;
  /** Who says so. */
  readonly source: 'organization' | 'installation';
}

/** What a domain comes to: a brand that is registered, one that was only heard of, or none. */
export type Resolution =
  | { readonly kind: 'registered' | 'enriched'; readonly brand: Brand }
  | { readonly kind: 'unknown' };

const UNKNOWN: Resolution = { kind: 'unknown' };

/**
 * Resolves domains against the brands of this installation, each in lower case. What the organization registered
 * itself comes before what the operator made known.
 */
export async function resolveBrands(
  db: Db,
  tenant: Tenant,
  domains: readonly string[],
): Promise<(domain: string) => Resolution> {
  const wanted = [...new Set(domains)];
  if (wanted.length === 0) return () => UNKNOWN;
  const [own, known] = await Promise.all([findBrands(db, tenant, wanted), findKnownBrands(db, wanted)]);
  const found = new Map<string, Resolution>();
  for (const { id, domain, manifest, is_registered } of known) {
    const brand = { id, domain, manifest: fromJson(manifest), source: 'installation' } as const;
    found.set(domain, { kind: is_registered === 1 ? 'registered' : 'enriched', brand });
  }
  for (const { id, domain, manifest } of own) {
    const brand = { id, domain, manifest: fromJson(manifest), source: 'organization' } as const;
    found.set(domain, { kind: 'registered', brand });
  }
  return (domain) => found.get(domain) ?? UNKNOWN;
}

export async function resolveBrand(db: Db, tenant: Tenant, domain: string): Promise<Resolution> {
  return (await resolveBrands(db, tenant, [domain]))(domain);
}

/** What is said of a brand that nobody registered: how it can be is added by who says it. */
export function enrichmentWarning({ domain }: Pick<Brand, 'domain'>): string {
  return `What is known of ${domain} comes from other sources than the brand.`;
}
