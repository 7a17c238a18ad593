import { z } from 'zod';
import { asFields } from '../../../core/schemas/checks.ts';
import { shownWhole } from '../../shown-answer.ts';
import { boundedText, sellerText, sellerUrl } from '../../text.ts';
import { momentTold } from '../../time.ts';
import type {
  CardImage,
  DetailedCard,
  PriceGuidance,
  ProductCard,
  ProductExtras,
  PublisherProperty,
} from '../product-extras.ts';
import { vendorMetricsOf } from '../vendor-metrics.ts';

/**
 * Reads what a product says beside what it is bought by: what cannot be read is left out, and the product stays. Pure.
 */

const LIST_MAX = 20;
const LINE_MAX = 255;
const WORD_MAX = 64;
const IDENTIFIERS_MAX = 5;
const IMAGES_MAX = 5;
const CODECS_MAX = 10;
const TEXT_MAX = 2_000;
const FORECAST_MAX = 8_192;
const MANIFEST_MAX = 4_096;
const PRICE_MAX = 1_000_000_000;

type Raw = Readonly<Record<string, unknown>>;

/** Those of a product that are there and can be read; the others are left out, and the product stays. */
export function extrasOf(raw: Raw, pricingScope: ProductExtras['pricingScope']): ProductExtras {
  const formatOptions = formatOptionsOf(raw['format_options']);
  const kinds = formatOptions?.flatMap(({ format_kind }) => format_kind ?? []) ?? [];
  return present({
    inventoryType: sellerText(raw['inventory_type'], LINE_MAX),
    formatTypes: kinds.length === 0 ? undefined : [...new Set(kinds)],
    formatOptions,
    expiresAt: momentOf(raw['expires_at']),
    pricingScope,
    productCard: cardOf(raw['product_card']),
    productCardDetailed: detailedCardOf(raw['product_card_detailed']),
    optimizationVendorMetrics: vendorMetricsOf(raw['vendor_metric_optimization']),
    reportingDelayMinutes: delayOf(raw['reporting_capabilities']),
    forecast: shownWhole(raw['forecast'], { max: FORECAST_MAX, items: 200 }) as ProductExtras['forecast'],
  });
}

/** How late its reports are expected; undefined where they are not, or nobody says so. */
function delayOf(given: unknown): number | undefined {
  const { expected_delay_minutes: minutes } = asFields(given);
  return Number.isSafeInteger(minutes) && Number(minutes) > 0 ? Number(minutes) : undefined;
}

/** `cache_scope` of an answer: whether its prices are those of the account. */
export function pricingScopeOf({ cache_scope: said }: { readonly cache_scope?: unknown }) {
  return said === 'public' || said === 'account' ? said : undefined;
}

export function guidanceOf(given: unknown): PriceGuidance {
  if (given === undefined) return undefined;
  const { floor, p25, p50, p75, p90 } = asFields(given);
  const made = present({
    floor: amountOf(floor),
    p25: amountOf(p25),
    p50: amountOf(p50),
    p75: amountOf(p75),
    p90: amountOf(p90),
  });
  return Object.keys(made).length === 0 ? undefined : made;
}

/**
 * What a seller says of the properties of a product, at most so many: one that it says of several publishers at once
 * (`publisher_domains`) is told of each, because each is whose inventory it is.
 */
export function propertiesOf(told: readonly Raw[], atMost: number): PublisherProperty[] {
  const properties: PublisherProperty[] = [];
  for (const raw of told) {
    const { publisher_domain: own, publisher_domains: others = [] } = raw;
    const domains = Array.isArray(others) ? others.slice(0, atMost) : [];
    const each = own === undefined && domains.length > 0 ? domains : [own, ...domains];
    properties.push(...each.map((domain) => propertyOf({ ...raw, publisher_domain: domain })));
    if (properties.length >= atMost) break;
  }
  return properties.slice(0, atMost);
}

/** What a seller says of a property of its publisher. */
function propertyOf(raw: Raw): PublisherProperty {
  const identifiers = listOf(raw['identifiers'], IDENTIFIERS_MAX).flatMap((entry) => {
    const { type, value } = asFields(entry);
    const [known, name] = [sellerText(type, WORD_MAX), sellerText(value, LINE_MAX)];
    return known === undefined || name === undefined ? [] : [{ type: known, value: name }];
  });
  return present({
    publisherDomain: sellerText(raw['publisher_domain'], TEXT_MAX),
    selectionType: sellerText(raw['selection_type'], TEXT_MAX),
    propertyType: sellerText(raw['property_type'], LINE_MAX),
    name: sellerText(raw['name'], LINE_MAX),
    identifiers: identifiers.length === 0 ? undefined : identifiers,
  });
}

function formatOptionsOf(given: unknown): ProductExtras['formatOptions'] {
  const options = listOf(given).flatMap((entry) => {
    const { format_kind, format_option_id, display_name, params } = asFields(entry);
    const { containers, video_codecs, audio_codecs } = asFields(params);
    const files = present({
      containers: wordsOf(containers),
      video_codecs: wordsOf(video_codecs),
      audio_codecs: wordsOf(audio_codecs),
    });
    const made = present({
      format_kind: sellerText(format_kind, WORD_MAX),
      format_option_id: sellerText(format_option_id, LINE_MAX),
      display_name: sellerText(display_name, LINE_MAX),
      params: Object.keys(files).length === 0 ? undefined : files,
    });
    return Object.keys(made).length === 0 ? [] : [made];
  });
  return options.length === 0 ? undefined : options;
}

function cardOf(given: unknown): ProductCard | undefined {
  return filled({ ...commonOf(given), image: imageOf(asFields(given)['image']) });
}

function detailedCardOf(given: unknown): DetailedCard | undefined {
  const raw = asFields(given);
  const images = listOf(raw['carousel_images'], IMAGES_MAX).flatMap((entry) => imageOf(entry) ?? []);
  const figures = listOf(raw['specifications']).flatMap((entry) => {
    const { label, value } = asFields(entry);
    const [known, said] = [sellerText(label, LINE_MAX), boundedText(value, LINE_MAX)];
    return known === undefined || said === '' ? [] : [{ label: known, value: said }];
  });
  return filled({
    ...commonOf(given),
    hero_image: imageOf(raw['hero_image']),
    carousel_images: images.length === 0 ? undefined : images,
    specifications: figures.length === 0 ? undefined : figures,
  });
}

function commonOf(given: unknown) {
  const raw = asFields(given);
  const { agent_url, id } = asFields(raw['format_id']);
  const [agentUrl, formatId] = [sellerUrl(agent_url), sellerText(id, LINE_MAX)];
  return {
    title: sellerText(raw['title'], LINE_MAX),
    description: sellerText(raw['description'], TEXT_MAX),
    price_label: sellerText(raw['price_label'], LINE_MAX),
    cta_label: sellerText(raw['cta_label'], LINE_MAX),
    formatId: agentUrl === undefined || formatId === undefined ? undefined : { agentUrl, id: formatId },
    manifest: shownWhole(raw['manifest'], { max: MANIFEST_MAX }) as Record<string, unknown> | undefined,
  };
}

const size = z.number().int().min(1).max(100_000);

function imageOf(given: unknown): CardImage | undefined {
  const raw = asFields(given);
  const [url, width, height] = [
    sellerUrl(raw['url']),
    size.safeParse(raw['width']),
    size.safeParse(raw['height']),
  ];
  if (url === undefined || !width.success || !height.success) return undefined;
  return present({
    asset_type: 'image' as const,
    url,
    width: width.data,
    height: height.data,
    format: sellerText(raw['format'], LINE_MAX),
    alt_text: sellerText(raw['alt_text'], LINE_MAX),
  });
}

function momentOf(given: unknown): string | undefined {
  const { data } = z.iso.datetime({ offset: true }).safeParse(given);
  return data === undefined ? undefined : momentTold(data);
}

function amountOf(given: unknown): number | undefined {
  return typeof given === 'number' && given >= 0 && given <= PRICE_MAX ? given : undefined;
}

function wordsOf(given: unknown): string[] | undefined {
  const words = listOf(given, CODECS_MAX).flatMap((word) => sellerText(word, WORD_MAX) ?? []);
  return words.length === 0 ? undefined : words;
}

function listOf(given: unknown, max = LIST_MAX): unknown[] {
  return Array.isArray(given) ? given.slice(0, max) : [];
}

/** Without the fields that nothing is said in. */
function present<T extends object>(fields: T): T {
  for (const name of Object.keys(fields)) {
    if (fields[name as keyof T] === undefined) delete fields[name as keyof T];
  }
  return fields;
}

function filled<T extends object>(fields: T): T | undefined {
  const made = present(fields);
  return Object.keys(made).length === 0 ? undefined : made;
}
