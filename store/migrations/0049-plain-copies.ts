import { type Kysely, sql } from 'kysely';
import { plainText } from './plain-text.ts';
import type { Step } from './steps.ts';

/** Where names and descriptions stand a second time: in columns of one line, and within what is kept as JSON. */
const COPIES: readonly Copies[] = [
  {
    table: 'discovery_agents',
    key: ['session_id', 'agent_id'],
    lines: ['agent_name', 'storefront_name'],
    json: [],
  },
  { table: 'discovery_groups', key: ['session_id', 'group_id'], lines: ['name'], json: [] },
  { table: 'discovery_products', key: ['session_id', 'group_id', 'ordinal'], lines: [], json: ['product'] },
  { table: 'discovery_selections', key: ['id'], lines: ['group_name'], json: ['product'] },
  { table: 'media_buys', key: ['id'], lines: [], json: ['products'] },
  { table: 'media_buy_versions', key: ['media_buy_id', 'revision'], lines: ['name'], json: ['products'] },
];

/** Rows read at a time: a table may have millions of them. */
const ROWS = 500;

/**
 * Copies of names and descriptions that were made before hidden characters were refused lose those that they have.
 * Ids, addresses and what a seller is sent stay to the letter; so do revisions and the audit log, which are what
 * was told.
 */
export const step: Step = {
  async up(db) {
    for (const copies of COPIES) await eachPage(db, copies, (row) => clean(db, copies, row));
  },
  // What was taken out is not known any more, and nothing needs it.
  async down() {},
};

interface Copies {
  readonly table: string;
  readonly key: readonly string[];
  readonly lines: readonly string[];
  readonly json: readonly string[];
}

type Value = string | number | null;
type Row = Readonly<Record<string, Value>>;

async function eachPage(
  db: Kysely<unknown>,
  { table, key, lines, json }: Copies,
  work: (row: Row) => Promise<void>,
): Promise<void> {
  const columns = sql.join([...key, ...lines, ...json].map((name) => sql.ref(name)));
  const order = sql.join(key.map((name) => sql.ref(name)));
  let last: Row | undefined;
  do {
    const after: ReturnType<typeof sql> =
      last === undefined ? sql`` : sql`where (${order}) > (${sql.join(valuesOf(last, key))})`;
    const { rows } = await sql<Row>`
      select ${columns} from ${sql.table(table)} ${after} order by ${order} limit ${ROWS}`.execute(db);
    for (const row of rows) await work(row);
    last = rows.length < ROWS ? undefined : rows.at(-1);
  } while (last !== undefined);
}

function valuesOf(row: Row, names: readonly string[]): Value[] {
  return names.map((name) => row[name] ?? null);
}

async function clean(db: Kysely<unknown>, { table, key, lines, json }: Copies, row: Row): Promise<void> {
  const changed = [...lines, ...json].flatMap((column) => {
    const text = row[column];
    if (typeof text !== 'string') return [];
    const kept = json.includes(column) ? plainJson(text) : plainText(text, false) || 'Unnamed';
    return kept === text ? [] : [sql`${sql.ref(column)} = ${kept}`];
  });
  if (changed.length === 0) return;
  const place = sql.join(
    key.map((name) => sql`${sql.ref(name)} = ${row[name]}`),
    sql` and `,
  );
  await sql`update ${sql.table(table)} set ${sql.join(changed)} where ${place}`.execute(db);
}

/** What people read in a product; all else may be what a seller knows it by. */
const READ = /^(name|description|salesAgentName|storefrontName|briefRelevance|channel|deliveryType)$/;

/** The same text where nothing in it is hidden. */
function plainJson(text: string): string {
  let found = false;
  const cleaned: unknown = JSON.parse(text, (name, value: unknown) => {
    if (typeof value !== 'string' || !READ.test(name)) return value;
    const plain = plainText(value, name === 'description') || (name === 'name' ? 'Unnamed' : '');
    found ||= plain !== value;
    return plain;
  });
  return found ? JSON.stringify(cleaned) : text;
}
