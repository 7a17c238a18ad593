import { sql } from 'kysely';
import { likeText } from './like.ts';

/** Which rows of a list: skip so many, then take so many. */
export interface Page {
  readonly take: number;
  readonly skip: number;
}

export interface Counted<T> {
  readonly rows: readonly T[];
  readonly total: number;
}

/** A list and how long it is without its page. `count(*)` comes back as one row. */
export async function counted<T>(
  rows: Promise<readonly T[]>,
  count: Promise<{ total: number | string | bigint }>,
): Promise<Counted<T>> {
  const [list, { total }] = await Promise.all([rows, count]);
  return { rows: list, total: Number(total) };
}

/**
 * Whether a column holds a text somewhere, in any case. The database folds both sides, so that they are folded
 * alike whichever letters it knows how to.
 */
export function contains(column: string, text: string) {
  const pattern = `%${likeText(text)}%`;
  return sql<boolean>`lower(${sql.ref(column)}) like lower(${pattern}) escape '\\'`;
}
