import { type AliasedRawBuilder, type Compilable, type OperationNodeSource, sql } from 'kysely';
import type { Db } from './db.ts';
import { likeText } from './like.ts';
import { isInPlace } from './prepared.ts';
import { takesTurns } from './read-turns.ts';
import type { Tenant } from './scope.ts';

/** Which rows of a list: skip so many, then take so many. */
export interface Page {
  readonly take: number;
  readonly skip: number;
}

export interface Counted<T> {
  readonly rows: readonly T[];
  readonly total: number;
}

/** A page, and whether rows follow it. */
export interface Listed<T> extends Counted<T> {
  readonly hasMore: boolean;
}

/** A row in a list that is newest first: by two values that never change. */
export interface Placed {
  readonly created_at: string;
  readonly id: string;
}

/** Whether a row comes behind another in a list that is newest first. An index of both begins there. */
export function isBehind({ created_at, id }: Placed) {
  return sql<boolean>`(created_at, id) < (${created_at}, ${id})`;
}

/**
 * Rows are counted up to here. Beyond it a total is an estimate: counting a million rows takes longer than any page.
 */
export const COUNTED_MAX = 10_000;
/** Rows at the beginning of a list among which most lists find all that is counted. */
export const NEAR_MAX = 20_000;

/** A query of rows in their order, as far as a page needs it. */
interface Rows<T> {
  limit(limit: number): { offset(offset: number): Compilable<T> };
}

/** The same query without order and columns, as far as counting needs it. */
interface Found {
  select(one: AliasedRawBuilder<number, 'one'>): Some;
}

interface Some {
  limit(limit: number): OperationNodeSource & { offset(offset: number): Compilable<unknown> };
}

interface List<T> {
  /** Who asks: long lists are read in turns between the organizations that do. */
  readonly asker: Tenant;
  readonly rows: Rows<T>;
  readonly found: Found;
  /**
   * The same among the first `NEAR_MAX` rows of an index in the order of the list: where enough is found there, a
   * page takes no more time than handing its query over.
   */
  readonly near?: Found | undefined;
  /** True where few rows are to be looked at, however many there are. */
  readonly areFew?: boolean;
}

/**
 * A page of a list, and how long the list is without it. Whether more follows is exact, and so is the total up
 * to 10,000; beyond that it is at least what was seen. One row more than the page is read to know.
 */
export async function counted<T>(db: Db, list: List<T>, { take, skip }: Page): Promise<Listed<T>> {
  const page = list.rows.limit(take + 1).offset(skip);
  const [seen, counted] = (await isNear(db, list, { take, skip }))
    ? [await readHere(db, page), COUNTED_MAX]
    : await Promise.all([reading(db, list, page), countUpToMax(db, list)]);
  const shown = seen.slice(0, take);
  const total = totalOf({ counted, skip, seen: seen.length, shown: shown.length });
  return { rows: shown, total, hasMore: seen.length > shown.length };
}

/** Whether the page and all that is counted stand near, in a file so large that others are read beside us. */
async function isNear<T>(db: Db, { near }: List<T>, { take, skip }: Page): Promise<boolean> {
  const { adapter } = db.getExecutor();
  if (near === undefined || skip + take >= COUNTED_MAX) return false;
  if (!isInPlace(adapter) || !adapter.readsAside(db.isTransaction)) return false;
  // The last row that is counted is looked for, not counted up to: half the work.
  const last = near
    .select(one)
    .limit(1)
    .offset(COUNTED_MAX - 1);
  return (await readHere(db, last)).length > 0;
}

const one = sql<number>`1`.as('one');

type Reading = Pick<List<unknown>, 'asker' | 'areFew'>;

function reading<T>(db: Db, { asker, areFew }: Reading, rows: Compilable<T>): Promise<readonly T[]> {
  return areFew === true ? readHere(db, rows) : readLong(db, asker, rows);
}

async function countUpToMax(db: Db, list: Reading & Pick<List<unknown>, 'found'>): Promise<number> {
  const some = list.found.select(one).limit(COUNTED_MAX);
  const count = sql<{ total: number | string | bigint }>`select count(*) as total from ${some} as found`;
  const [counted] = await reading(db, list, { compile: () => count.compile(db) });
  return Number(counted?.total ?? 0);
}

async function readHere<T>(db: Db, rows: Compilable<T>): Promise<readonly T[]> {
  return (await db.executeQuery<T>(rows.compile())).rows;
}

/** The rows of a query whose work grows with what is stored, in the turn of whoever asks. */
export async function readLong<T>(db: Db, asker: Tenant, rows: Compilable<T>): Promise<readonly T[]> {
  const query = rows.compile();
  const { adapter } = db.getExecutor();
  const here = () => db.executeQuery<T>(query);
  const read = { query, asker, inTransaction: db.isTransaction, here };
  return (await (takesTurns(adapter) ? adapter.readLong<T>(read) : here())).rows;
}

interface Seen {
  readonly counted: number;
  readonly skip: number;
  /** With the row that follows the page, and without it. */
  readonly seen: number;
  readonly shown: number;
}

function totalOf({ counted, skip, seen, shown }: Seen): number {
  if (counted < COUNTED_MAX) return counted;
  if (seen > shown) return Math.max(counted, skip + seen);
  return shown > 0 ? skip + shown : Math.min(counted, skip);
}

/**
 * Whether a column holds a domain that has these labels, whole and beside each other: `acme` is in `news.acme.example`.
 */
export function holdsLabels(column: string, labels: string) {
  const pattern = `%.${likeText(labels)}.%`;
  return sql<boolean>`'.' || lower(${sql.ref(column)}) || '.' like lower(${pattern}) escape '\\'`;
}

/**
 * Whether a column holds a text somewhere, in any case. The database folds both sides, so that they are folded
 * alike whichever letters it knows how to.
 */
export function contains(column: string, text: string) {
  const pattern = `%${likeText(text)}%`;
  return sql<boolean>`lower(${sql.ref(column)}) like lower(${pattern}) escape '\\'`;
}
