import { type KyselyPlugin, type RawBuilder, sql } from 'kysely';
import type { Db } from './db.ts';
import { COUNTED_MAX, contains, readLong } from './paging.ts';
import { isInPlace } from './prepared.ts';
import type { Tenant } from './scope.ts';
import { byRowNumber, dueOf, indexOf, matching } from './sqlite-names.ts';

const asItComes: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  transformResult: async ({ result }) => result,
};

/** The same query, or database, with its rows read in a way that names were found for. */
export function inWay<Q extends { withPlugin(way: KyselyPlugin): Q }>(asked: Q, way: KyselyPlugin): Q {
  return asked.withPlugin(way);
}

/** Rows whose name holds a text. */
interface Named {
  /** How the rows are to be read. */
  readonly way: KyselyPlugin;
  readonly named: RawBuilder<boolean>;
  /** Whether they are so few that they are read sooner than their query is handed over. */
  readonly areFew: boolean;
}

interface Asked {
  readonly text: string | undefined;
  readonly asker: Tenant;
  /** Whether the rows of whoever asks are meant; those of everybody otherwise. */
  readonly isOwn: boolean;
}

/**
 * Names that are held against a text one by one in less than a millisecond, beside those that are due for the index.
 */
const FEW_MAX = 200;

/**
 * Whether a name holds a text somewhere, in any case. SQLite folds the letters of ASCII alone: where a text has others,
 * each of them is looked for in both of its cases.
 */
export function nameContains(db: Db, text: string): RawBuilder<boolean> {
  if (ASCII.test(text) || !isInPlace(db.getExecutor().adapter)) return contains('name', text);
  return sql<boolean>`lower(name) glob ${`*${[...text].map(inBothCases).join('')}*`}`;
}

const ASCII = /^[\0-\x7f]*$/;

/** A letter as a part of a GLOB pattern for what is in lower case as far as that is ASCII. */
function inBothCases(letter: string): string {
  if (ASCII.test(letter)) return letter.toLowerCase().replace(/[*?[]/, '[$&]');
  const cases = [letter, letter.toLowerCase(), letter.toUpperCase()];
  return `[${cases.filter((one) => [...one].length === 1).join('')}]`;
}

/**
 * Whether the name of a row holds a text somewhere, in any case: what `nameContains` says, found through the index of
 * names. A text of one or two letters is in no index, and one that 10,000 names of a tenant hold is found soonest
 * in the order of the list: for both the rows of the list are looked through until there is a page.
 */
export async function nameHolds(
  db: Db,
  table: 'campaigns' | 'advertisers' | 'storefronts',
  { text, asker, isOwn }: Asked,
): Promise<Named> {
  if (text === undefined) return { way: asItComes, named: sql<boolean>`true`, areFew: false };
  const held = { way: asItComes, named: nameContains(db, text), areFew: false };
  // PostgreSQL chooses by what it knows of the words.
  if (!isInPlace(db.getExecutor().adapter)) return held;
  const wanted = matching(text, isOwn ? asker.organizationId : undefined);
  if (wanted === undefined) return held;
  const names = sql.table(indexOf(table));
  const found = sql`select rowid from ${names} where ${names} match ${wanted}`;
  const counting = sql<{ total: number }>`
    select count(*) as total from (${found} limit ${sql.lit(COUNTED_MAX)}) as found`;
  const [counted] = await readLong(db, asker, { compile: () => counting.compile(db) });
  const total = Number(counted?.total ?? 0);
  if (total >= COUNTED_MAX) return held;
  const due = sql`select row from ${sql.table(dueOf(table))}`;
  return {
    way: byRowNumber,
    named: sql<boolean>`(${sql.ref(`${table}.rowid`)} in (${found} union all ${due}) and ${held.named})`,
    areFew: total <= FEW_MAX,
  };
}
