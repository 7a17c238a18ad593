import { z } from 'zod';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { enrichmentWarning, resolveBrand } from '../../domain/brands/resolving.ts';
import { domainName } from '../../domain/text.ts';

const REGISTER = 'Give saveBrand true with the advertiser to register it.';

export const brandResolve = defineTool({
  name: 'brand_resolve',
  title: 'Resolve brand',
  example: { domain: 'acme.example' },
  description:
    'Tells what is known of a brand by its domain: registered, only heard of (warning) or unknown (error).',
  effect: 'read',
  unlisted: true,
  access: needs('buyer:read'),
  rest: { method: 'POST', path: '/brands/resolve' },
  input: z.strictObject({
    domain: domainName.describe('Domain of the brand, or the URL of its site.'),
  }),
  output: z.object({
    resolved: z.boolean().describe('Whether anything is known of the brand.'),
    domain: z.string().describe('The domain that was looked for.'),
    brandName: z.string().optional().describe('Name of the brand.'),
    logoUrl: z.string().nullable().optional().describe('A logo; null where none is known.'),
    logoBackground: z.string().nullable().optional().describe('The background that the logo is for.'),
    manifest: z.record(z.string(), z.unknown()).optional().describe('All that is known of the brand.'),
    registryEntry: z
      .record(z.string(), z.unknown())
      .nullable()
      .optional()
      .describe('Its id, and who registered it; null where nobody did.'),
    warning: z.string().optional().describe('Says that the brand was only heard of.'),
    error: z.string().optional().describe('Says that nothing is known, and what to do.'),
  }),
  errors: [],
  handler: async (ctx, { domain }) => {
    const found = await resolveBrand(ctx.db, ctx.scope, domain);
    if (found.kind === 'unknown') {
      const error = `No brand is known at ${domain}. ${REGISTER}`;
      return { resolved: false, domain, registryEntry: null, error };
    }
    const { brand, kind } = found;
    const [logo] = brand.manifest.logos ?? [];
    return {
      resolved: true,
      domain,
      brandName: brand.manifest.name,
      logoUrl: logo?.url ?? null,
      logoBackground: logo?.background ?? null,
      manifest: { ...brand.manifest },
      registryEntry: kind === 'registered' ? { id: brand.id, source: brand.source } : null,
      ...(kind === 'enriched' ? { warning: `${enrichmentWarning(brand)} ${REGISTER}` } : {}),
    };
  },
});
