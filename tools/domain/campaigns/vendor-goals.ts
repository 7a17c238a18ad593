import { z } from 'zod';
import type { VendorMetric } from '../../../store/discovery-selections.ts';
import type { VendorGoal } from '../../../store/media-buy-goals.ts';
import { BRIEF_MARK } from '../../core/schemas/json-schema.ts';
import { EMAIL_PROBLEM } from '../email.ts';
import { agreedFields, domainName, longText, SELLER_ID_MAX, shortText, webAddress } from '../text.ts';

/** Figures that somebody else than the seller measures (AdCP, core/optimization-goal: vendor_metric). */

const OPEN_MAX = 4_096;
const INDUSTRIES_MAX = 20;
const LANGUAGES_MAX = 50;

const color = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, 'Give a color such as #0a0b0c.')
  .optional();
const pixels = z.number().int().min(1).max(100_000);

/** Where a picture comes from is told to its seller word by word. */
const provenance = agreedFields(OPEN_MAX)
  .optional()
  .meta({ [BRIEF_MARK]: true, description: 'Where it comes from; for the seller, as it is.' });

const contestation = z.strictObject({
  url: webAddress
    .refine((address) => address.startsWith('https://'), 'Give an address with https.')
    .optional()
    .describe('The page for it.'),
  email: z.email(EMAIL_PROBLEM).max(254).optional().describe('The address for it.'),
  languages: z.array(shortText(35)).max(LANGUAGES_MAX).optional().describe('Languages it is heard in.'),
});

const logo = z.strictObject({
  asset_type: z.enum(['image']).describe('What it is.'),
  url: webAddress.describe('Its address.'),
  width: pixels.describe('Pixels.'),
  height: pixels.describe('Pixels.'),
  format: shortText(64).optional().describe('Such as png.'),
  alt_text: shortText(255).optional().describe('What is to be seen.'),
  provenance: provenance.optional(),
});

const brandKit = z.strictObject({
  logo: logo.optional().describe('Another logo.'),
  colors: z
    .strictObject({
      primary: color.describe('Such as #0a0b0c.'),
      secondary: color.describe('The second.'),
      accent: color.describe('What stands out.'),
    })
    .optional()
    .describe('Other colors.'),
  voice: longText(1_000).optional().describe('How it speaks.'),
  tagline: shortText(255).optional().describe('Its line.'),
});

/** Who measures (contract: optimization_goals, vendor; AdCP, core/brand-ref). */
export const measurementVendor = z.strictObject({
  domain: domainName.describe('Its domain, as products name it.'),
  brand_id: shortText(SELLER_ID_MAX).optional().describe('Which of its brands, where it has several.'),
  industries: z.array(shortText(64)).max(INDUSTRIES_MAX).optional().describe('Its industries.'),
  data_subject_contestation: contestation.optional().describe('Where people object to it.'),
  brand_kit_override: brandKit.optional().describe('How it is to look.'),
});

export const vendorMetricId = shortText(SELLER_ID_MAX);

/** Where a goal is not what a product says it can be optimized for. */
export interface GoalProblem {
  /** The field of the goal; undefined: the whole of it. */
  readonly field?: 'target' | 'reach_unit' | 'view_duration_seconds';
  readonly reason: string;
}

/** A figure of a vendor is its own, and so are its targets: a seller refuses what its product does not declare. */
export function vendorGoalProblem(
  { vendor, metric_id, target }: VendorGoal,
  {
    optimizationVendorMetrics: offered = [],
  }: { readonly optimizationVendorMetrics?: readonly VendorMetric[] | undefined },
): GoalProblem | undefined {
  const figure = `${metric_id} of ${nameOf(vendor)}`;
  const declared = offered.find((one) => isSame(one, { vendor, metric_id }));
  if (declared === undefined) return { reason: `does not declare ${figure} as what it is optimized for.` };
  const { supported_targets: kinds = [] } = declared;
  if (target === undefined || kinds.includes(target.kind)) return undefined;
  return { field: 'target', reason: targetReason(figure, kinds, target.kind) };
}

/** Why a figure cannot have a target, where it takes others of these kinds, or none. */
export function targetReason(figure: string, kinds: readonly string[], wanted: string): string {
  const taken = kinds.length === 0 ? 'no target' : kinds.join(' or ');
  return `declares ${figure} with ${taken}, and not with ${wanted}.`;
}

function nameOf({ domain, brand_id }: VendorMetric['vendor']): string {
  return brand_id === undefined ? domain : `${domain} (${brand_id})`;
}

/** Whether both are the same figure of the same brand of the same vendor. */
export function isSame(one: VendorMetric, other: Pick<VendorMetric, 'vendor' | 'metric_id'>): boolean {
  return (
    one.metric_id === other.metric_id &&
    one.vendor.domain === other.vendor.domain &&
    one.vendor.brand_id === other.vendor.brand_id
  );
}
