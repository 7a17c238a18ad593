import {
  FromNode,
  type Kysely,
  type KyselyPlugin,
  OperationNodeTransformer,
  type PluginTransformQueryArgs,
  type QueryExecutorProvider,
  type RawBuilder,
  RawNode,
  type RootOperationNode,
  type SelectQueryNode,
  sql,
  TableNode,
} from 'kysely';

/**
 * An index of names on SQLite: a table of trigrams (FTS5) beside the table. A row's organization is a trigram as
 * well, of three signs that no name begins with by chance, so that one tenant's names are found without those of
 * the others. To write it row by row would take longer than the row: rows that are due stand in a list, which is
 * worked off when it is long, and whoever looks for a name looks at the list, too.
 */

/** Rows that may be due: written at once they take a few milliseconds. */
const DUE_MAX = 256;
/** The first of a thousand signs that stand for digits of an organization's id (Yi syllables, which have no case). */
const SIGNS_FROM = 40_960;
const SIGNS = 1_000;
/** Trigrams of a text that are looked for; the rest of it is held against what they find. */
const TRIGRAMS_MAX = 24;

export const indexOf = (table: string) => `${table}_names`;
export const dueOf = (table: string) => `${table}_names_due`;

export async function indexNames(db: Kysely<unknown>, table: string): Promise<void> {
  const [rows, names, due] = [sql.table(table), sql.table(indexOf(table)), sql.table(dueOf(table))];
  const digit = (divisor: number) =>
    sql`${sql.lit(SIGNS_FROM)} + (organization_id / ${sql.lit(divisor)}) % ${sql.lit(SIGNS)}`;
  const entry = sql`char(${digit(SIGNS * SIGNS)}, ${digit(SIGNS)}, ${digit(1)}) || name`;
  const trigger = (kind: string) => sql.table(`${table}_names_${kind}`);
  await run(db, [
    sql`create virtual table ${names} using fts5(
      name, content = '', contentless_delete = 1, detail = 'none', tokenize = 'trigram')`,
    sql`create table ${due} (row integer primary key) strict`,
    sql`insert into ${names} (rowid, name) select rowid, ${entry} from ${rows}`,
    sql`create trigger ${trigger('made')} after insert on ${rows} begin
      insert or ignore into ${due} values (new.rowid); end`,
    sql`create trigger ${trigger('changed')} after update of name on ${rows} begin
      insert or ignore into ${due} values (new.rowid); end`,
    sql`create trigger ${trigger('gone')} after delete on ${rows} begin
      insert or ignore into ${due} values (old.rowid); end`,
    sql`create trigger ${trigger('written')} after insert on ${due}
      when (select count(*) from ${due}) >= ${sql.lit(DUE_MAX)} begin
      delete from ${names} where rowid in (select row from ${due});
      insert into ${names} (rowid, name)
        select rowid, ${entry} from ${rows} where rowid in (select row from ${due});
      delete from ${due}; end`,
  ]);
}

export async function indexNamesNoMore(db: Kysely<unknown>, table: string): Promise<void> {
  const triggers = ['made', 'changed', 'gone', 'written'].map((kind) => sql.table(`${table}_names_${kind}`));
  await run(db, [
    ...triggers.map((name) => sql`drop trigger ${name}`),
    sql`drop table ${sql.table(dueOf(table))}`,
    sql`drop table ${sql.table(indexOf(table))}`,
  ]);
}

export async function hasIndexOfNames(db: QueryExecutorProvider, table: string): Promise<boolean> {
  const found = await sql`select 1 from sqlite_master where name = ${indexOf(table)}`.execute(db);
  return found.rows.length > 0;
}

async function run(db: Kysely<unknown>, statements: readonly RawBuilder<unknown>[]): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}

/**
 * The question to the index: rows that have these trigrams, and are of this organization where one is given.
 * Undefined for a text that has no trigram.
 */
export function matching(text: string, organizationId: number | undefined): string | undefined {
  const signs = [...text];
  if (signs.length < 3 || text.includes('\0')) return undefined;
  const all = signs.slice(2).map((_sign, index) => signs.slice(index, index + 3).join(''));
  const own = organizationId === undefined ? [] : [signsOf(organizationId)];
  const wanted = [...own, ...all.slice(0, TRIGRAMS_MAX)];
  return wanted.map((trigram) => `"${trigram.replaceAll('"', '""')}"`).join(' AND ');
}

function signsOf(id: number): string {
  const digits = [SIGNS * SIGNS, SIGNS, 1].map((divisor) => Math.floor(id / divisor) % SIGNS);
  return String.fromCodePoint(...digits.map((digit) => SIGNS_FROM + digit));
}

/**
 * Has rows read by their numbers, which the index of names gives, and by no other index: the planner would rather
 * read a whole account in the order of its list.
 */
class ByRowNumber extends OperationNodeTransformer {
  protected override transformSelectQuery(node: SelectQueryNode): SelectQueryNode {
    const { from, ...rest } = super.transformSelectQuery(node);
    const [table, ...others] = from?.froms ?? [];
    if (table === undefined || others.length > 0 || !TableNode.is(table)) return node;
    return { ...rest, from: FromNode.create([RawNode.create(['', ' not indexed'], [table])]) };
  }
}

const transformer = new ByRowNumber();

export const byRowNumber: KyselyPlugin = {
  transformQuery: ({ node }: PluginTransformQueryArgs): RootOperationNode => transformer.transformNode(node),
  transformResult: async ({ result }) => result,
};
