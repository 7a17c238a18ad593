import type { z } from 'zod';
import type { AdvertiserRow } from '../../../store/advertisers.ts';
import { fromFlag, fromJson } from '../../../store/engine/codec.ts';
import { shownCaps } from '../../domain/advertisers/delivery-columns.ts';
import { type Brand, enrichmentWarning, type Resolution } from '../../domain/brands/resolving.ts';
import type { advertiser } from './schema.ts';

export type ShownAdvertiser = z.input<typeof advertiser>;

/** What the row says. */
export function bareAdvertiserRecord(row: AdvertiserRow): ShownAdvertiser {
  return {
    id: String(row.id),
    name: row.name,
    description: row.description ?? undefined,
    brand: row.brand,
    status: row.status,
    sandbox: fromFlag(row.sandbox),
    primaryCurrency: row.primary_currency,
    currencyLocked: fromFlag(row.currency_locked),
    optimizationApplyMode: row.optimization_apply_mode,
    utmConfig: utmOf(row),
    frequencyCaps: shownCaps(row.frequency_caps, { targetLevel: 'ADVERTISER', targetId: String(row.id) }),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    revision: row.version,
  };
}

/** What the log compares: how many accounts are linked as well. */
export function loggedAdvertiser(row: AdvertiserRow): Readonly<Record<string, unknown>> {
  return { ...bareAdvertiserRecord(row), linkedAccountCount: row.linked_accounts };
}

function utmOf({ utm_config: config }: AdvertiserRow): ShownAdvertiser['utmConfig'] {
  if (config === null) return undefined;
  return fromJson(config).map((parameter) => ({ ...parameter, source: 'advertiser' as const }));
}

/** The advertiser by itself: its tags, or those that hold while none is set, and what is known of its brand. */
export function brandedAdvertiserRecord(
  row: AdvertiserRow,
  found: Resolution,
  service: string,
): ShownAdvertiser {
  const { utmConfig, ...others } = bareAdvertiserRecord(row);
  return { ...others, utmConfig: utmConfig ?? defaultTags(service), ...brandFields(row, found) };
}

/** Tags of landing pages where an advertiser has none; what stands in braces is filled in where they are used. */
function defaultTags(service: string): ShownAdvertiser['utmConfig'] {
  const tags = {
    utm_source: service,
    utm_medium: 'agentic',
    utm_campaign: '{CAMPAIGN_ID}',
    utm_content: '{CREATIVE_ID}',
    utm_media_buy: '{MEDIA_BUY_ID}',
    utm_package: '{PACKAGE_ID}',
  };
  return Object.entries(tags).map(([paramKey, paramValue]) => ({
    paramKey,
    paramValue,
    source: 'advertiser' as const,
  }));
}

/** The advertiser is there: to make it again would make a second one. */
const REGISTER = 'Register it with advertiser_update and saveBrand true.';

/** What is known of a brand, as an advertiser shows it. */
export function brandFields(
  { brand, sandbox }: Pick<AdvertiserRow, 'brand' | 'sandbox'>,
  found: Resolution,
): Pick<ShownAdvertiser, 'linkedBrand' | 'brandWarning'> {
  // The brand of an example is nobody's. Every other was known when it was given: the operator may take one back.
  if (found.kind === 'unknown') {
    return fromFlag(sandbox) ? {} : { brandWarning: `No brand is known at ${brand} any more. ${REGISTER}` };
  }
  if (found.kind === 'enriched') {
    return { brandWarning: `${enrichmentWarning(found.brand)} ${REGISTER}` };
  }
  return { linkedBrand: linkedBrand(found.brand) };
}

function linkedBrand({ id, domain, manifest }: Brand): ShownAdvertiser['linkedBrand'] {
  const { name, logos, industry, colors, tagline, tone } = manifest;
  return {
    id,
    name,
    domain,
    manifest: { ...manifest },
    logoUrl: logos?.[0]?.url,
    industry,
    colors,
    tagline,
    tone,
  };
}
