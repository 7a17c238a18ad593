import { isFields } from '../../tools/core/schemas/checks.ts';

/** The most entries that a page may be asked for (AdCP, pagination). */
export const PAGE = 100;
const CURSOR_MAX = 4_096;

/** Whether more is listed behind a page, and how it is asked for, as far as that can be. */
export function pageAfter(content: unknown): { readonly cursor?: string } | undefined {
  const page = isFields(content) ? content['pagination'] : undefined;
  if (!isFields(page) || page['has_more'] === false) return undefined;
  const { cursor, has_more: hasMore } = page;
  if (typeof cursor === 'string' && cursor !== '' && cursor.length <= CURSOR_MAX) return { cursor };
  return hasMore === true ? {} : undefined;
}
