import { z } from 'zod';

/**
 * An id that the interface calls a number: requests may give the number or its decimal string
 * (interface, Resources).
 *
 * The published schema keeps one type, because several hosts refuse a union at any level.
 */
export function numericId(what: string) {
  return z
    .preprocess(
      (value) => (typeof value === 'string' && /^[1-9]\d{0,15}$/.test(value) ? Number(value) : value),
      z.number().int().min(1).max(Number.MAX_SAFE_INTEGER),
    )
    .describe(`Id of ${what}: a number, or its decimal string.`);
}

/** An id made of a prefix and letters, digits, `_` or `-`, such as `cmp_…`. */
export function prefixedId(what: string, prefix: string) {
  return z.string().min(1).max(128).describe(`Id of ${what}, such as ${prefix}….`);
}
