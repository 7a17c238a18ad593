import { z } from 'zod';

const DOMAIN = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** A text of 1 to `max` characters, without blanks around it. */
export function shortText(max: number) {
  return z.string().trim().min(1).max(max);
}

/** A domain name, from a domain or from the URL of a page on it: `https://Acme.example/x` is `acme.example`. */
export const domainName = z
  .string()
  .trim()
  .max(2048)
  .transform((value) => hostOf(value))
  .refine((value) => DOMAIN.test(value), 'Give a domain such as acme.example.');

function hostOf(value: string): string {
  if (!/^https?:\/\//i.test(value)) return value.toLowerCase();
  return URL.canParse(value) ? new URL(value).hostname : value.toLowerCase();
}

/** An ISO 3166-1 alpha-2 country code. */
export const countryCode = z
  .string()
  .regex(/^[A-Z]{2}$/, 'Give a two-letter country code in capitals, such as US.');

/** The advertising channels of AdCP 3. */
export const channels = [
  'display',
  'olv',
  'social',
  'search',
  'ctv',
  'linear_tv',
  'radio',
  'streaming_audio',
  'podcast',
  'dooh',
  'ooh',
  'print',
  'cinema',
  'email',
  'gaming',
  'retail_media',
  'influencer',
  'affiliate',
  'product_placement',
  'sponsored_intelligence',
] as const;

/** A text from outside, cut to what a reader can use and freed of characters that steer a display. */
export function boundedText(value: unknown, max: number): string {
  const text = typeof value === 'string' ? value : String(value ?? '');
  // Control characters, halves of pairs, zero-width characters and marks that reverse the reading direction.
  const plain = text.replace(/[\p{Cc}\p{Cs}\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/gu, ' ').trim();
  if (plain.length <= max) return plain;
  return `${plain.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** A text of a seller as it may be kept and shown, of `max` characters at most; undefined when none is left. */
export function sellerText(value: unknown, max: number): string | undefined {
  const text = typeof value === 'string' ? boundedText(value, max) : '';
  return text === '' ? undefined : text;
}

export const SELLER_ID_MAX = 255;

/**
 * An id that a seller gave. It travels back letter by letter, so it is taken as it is or not at all: 1 to 255
 * characters, none of them hidden, no blanks around them. Undefined when it cannot be used.
 */
export function sellerId(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > SELLER_ID_MAX) return undefined;
  return value !== '' && boundedText(value, SELLER_ID_MAX) === value ? value : undefined;
}

/** A name as it stands in addresses: lowercase letters, digits and hyphens, 2 to 80 of them. */
export function slugOf(name: string, fallback: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 80)
    .replace(/-+$/, '');
  return slug.length >= 2 ? slug : fallback;
}
