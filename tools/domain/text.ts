import { z } from 'zod';
import { asText } from '../core/schemas/as-text.ts';
import { ENOUGH, hiddenIn, hiddenRuns, nothingHidden } from '../core/schemas/hidden-characters.ts';

const DOMAIN = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const LABELS = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/;

const URL_MAX = 2_048;

/** A text of 1 to `max` characters in one line, without blanks around it and with nothing hidden in it. */
export function shortText(max: number) {
  return z.string().trim().min(1).max(max, ENOUGH).check(nothingHidden());
}

/**
 * A text of up to `max` characters that may have several lines, without blanks around it and with nothing hidden in it.
 */
export function longText(max: number) {
  return z
    .string()
    .trim()
    .max(max, ENOUGH)
    .check(nothingHidden({ lines: true }));
}

/**
 * Fields that a buyer and a seller agreed on, handed on as they are: `max` characters of JSON, nothing hidden inside.
 */
export function agreedFields(max: number) {
  return z
    .record(z.string().min(1).max(64), z.unknown())
    .refine((fields) => JSON.stringify(fields).length <= max, {
      ...ENOUGH,
      error: `${max} characters of JSON at the most.`,
    })
    .check(({ value, issues }) => {
      const message = hiddenIn(textsIn(value), { lines: true });
      if (message !== undefined) issues.push({ code: 'custom', message, input: value });
    });
}

/** The names and texts inside of fields, however deep. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inside]) => [name, ...textsIn(inside)]);
}

/** An address on the web, http or https. */
export const webAddress = z
  .string()
  .trim()
  .max(URL_MAX, ENOUGH)
  // First: the check of the form takes new lines and tabs out without a word.
  .check(
    nothingHidden(),
    z.url({ protocol: /^https?$/, error: 'Give a web address such as https://acme.example/page.' }),
  );

/** A domain name, from a domain or from the URL of a page on it: `https://Acme.example/x` is `acme.example`. */
export const domainName = z
  .string()
  .trim()
  .max(2048)
  .transform((value) => hostOf(value))
  .refine((value) => DOMAIN.test(value), 'Give a domain such as acme.example.');

/** Labels of a domain, whole and beside each other: `acme` and `news.acme` are in `news.acme.example`. */
export const domainLabels = z
  .string()
  .trim()
  .max(2048)
  .transform((value) => hostOf(value).replace(/^\.+|\.+$/g, ''))
  .refine(
    (value) => LABELS.test(value),
    'Give a domain or whole parts of one, such as acme or acme.example.',
  );

function hostOf(value: string): string {
  if (!/^https?:\/\//i.test(value)) return value.toLowerCase();
  return URL.canParse(value) ? new URL(value).hostname : value.toLowerCase();
}

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

/** How much of a text is looked at for each character that is kept: what a stranger writes has no length. */
const LOOKED_AT = 4;

/** A text from outside, cut to what a reader can use and freed of characters that are hidden or steer a display. */
export function boundedText(value: unknown, max: number): string {
  const text = asText(value);
  const looked = text.slice(0, max * LOOKED_AT);
  const plain = looked.replace(hiddenRuns, ' ').trim();
  if (plain.length <= max && (looked.length === text.length || plain === '')) return plain;
  // The cut leaves no half of a pair, and nothing that was there for the character behind it.
  return `${plain.slice(0, max - 1).replace(/(?:\u200c|\u200d|\ufe0e|\ufe0f|[\ud800-\udbff])+$/, '')}…`;
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

/** An address on the web that a seller gave, taken as it is; undefined for any other and for what is no address. */
export function sellerUrl(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > URL_MAX || boundedText(value, URL_MAX) !== value)
    return undefined;
  return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol) ? value : undefined;
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
