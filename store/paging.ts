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

/** A search text as a pattern for `like`, its own wildcards taken literally. */
export function containing(text: string): string {
  return `%${text.toLowerCase().replace(/[\\%_]/g, (character) => `\\${character}`)}%`;
}
