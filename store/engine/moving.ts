import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db, Store } from './db.ts';
import { type Row, sideOf } from './moving-sides.ts';

/** What a table was found to hold, and what was found where it went. */
interface Moved {
  readonly table: string;
  readonly rows: number;
}

/** Parameters of one statement: SQLite takes 32,766, PostgreSQL twice as many. */
const PARAMETERS_MAX = 20_000;
const ROWS_AT_ONCE = 500;

/**
 * Copies every row of a database into another of the same shape, in one transaction there, and holds what came against
 * what went: the number of rows of each table, and a hash over all that is in them. Where anything differs it fails,
 * and nothing is there. What the steps of the other put there itself goes first.
 */
export async function moveRows(from: Store, to: Store): Promise<Moved[]> {
  return from.engine.patiently(() =>
    to.engine.patiently(() =>
      from.transaction((source) => to.transaction((target) => copy({ from, source }, { to, target }))),
    ),
  );
}

interface Source {
  readonly from: Store;
  readonly source: Db;
}

interface Target {
  readonly to: Store;
  readonly target: Db;
}

async function copy({ from, source }: Source, { to, target }: Target): Promise<Moved[]> {
  const [here, there] = [sideOf(from), sideOf(to)];
  const names = await orderOf(here, source);
  const strange = names.filter(isMissingIn(await there.tables(target)));
  if (strange.length > 0) throw new Error(`The other database has no table ${strange.join(', ')}.`);
  for (const name of names.toReversed()) await sql`delete from ${sql.table(name)}`.execute(target);
  const moved: Moved[] = [];
  for (const table of names) {
    const went = new Content();
    for await (const rows of here.pages(source, table)) {
      await insert(target, table, rows);
      went.add(rows);
    }
    const came = new Content();
    for await (const rows of there.pages(target, table)) came.add(rows);
    if (!came.equals(went)) throw new Error(`What came of ${table} is not what went: nothing was moved.`);
    moved.push({ table, rows: went.rows });
  }
  await there.goOnAt(target, await here.lastIds(source));
  return moved;
}

function isMissingIn(present: readonly string[]): (name: string) => boolean {
  const all = new Set(present);
  return (name) => !all.has(name);
}

/** Tables in an order in which each comes after those that its rows name. */
async function orderOf(side: ReturnType<typeof sideOf>, db: Db): Promise<string[]> {
  const waiting = new Set(await side.tables(db));
  const references = await side.references(db);
  const order: string[] = [];
  while (waiting.size > 0) {
    const free = [...waiting].filter((name) =>
      references.every(({ table, refers }) => table !== name || refers === name || !waiting.has(refers)),
    );
    if (free.length === 0) throw new Error(`Tables that name each other: ${[...waiting].join(', ')}.`);
    for (const name of free.toSorted()) {
      order.push(name);
      waiting.delete(name);
    }
  }
  return order;
}

async function insert(db: Db, table: string, rows: readonly Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  const each = Math.max(1, Math.min(ROWS_AT_ONCE, Math.floor(PARAMETERS_MAX / Math.max(1, columns.length))));
  for (let first = 0; first < rows.length; first += each) {
    const values = rows
      .slice(first, first + each)
      .map((row) => sql`(${sql.join(columns.map((column) => row[column] ?? null))})`);
    const named = sql.join(columns.map((column) => sql.ref(column)));
    await sql`insert into ${sql.table(table)} (${named}) values ${sql.join(values)}`.execute(db);
  }
}

const BITS = 256n;

/** What rows hold, whatever order they come in: databases order text each in their own way. */
class Content {
  rows = 0;
  #sum = 0n;

  add(rows: readonly Row[]): void {
    for (const row of rows) {
      const fields = Object.entries(row).toSorted(([one], [other]) => (one < other ? -1 : 1));
      this.#sum = BigInt.asUintN(
        Number(BITS),
        this.#sum + BigInt(`0x${hash('sha256', JSON.stringify(fields))}`),
      );
      this.rows += 1;
    }
  }

  equals(other: Content): boolean {
    return this.rows === other.rows && this.#sum === other.#sum;
  }
}
