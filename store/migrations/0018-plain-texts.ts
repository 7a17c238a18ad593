import { type Kysely, sql } from 'kysely';
import { fromJson } from '../engine/codec.ts';
import { plainText } from './plain-text.ts';
import type { Step } from './steps.ts';

/** The texts that people wrote, by table: those of one line, and those that may have several. */
const TEXTS = [
  { table: 'organizations', key: 'id', lines: ['name'], longer: [] },
  { table: 'customers', key: 'id', lines: ['name'], longer: [] },
  { table: 'users', key: 'id', lines: ['name'], longer: [] },
  { table: 'api_keys', key: 'id', lines: ['name'], longer: [] },
  { table: 'advertisers', key: 'id', lines: ['name'], longer: ['description'] },
  { table: 'storefronts', key: 'id', lines: ['name'], longer: ['description'] },
  { table: 'inventory_sources', key: 'id', lines: ['name'], longer: ['description'] },
  { table: 'campaigns', key: 'id', lines: ['name'], longer: ['brief'] },
  { table: 'media_buys', key: 'id', lines: ['name', 'agent_name'], longer: ['source_message'] },
  { table: 'embedded_products', key: 'id', lines: ['name'], longer: [] },
] as const;

/** Rows read at a time: a table may have millions of them. */
const ROWS = 500;

/** Names and descriptions that were stored before hidden characters were refused lose those that they have. */
export const step: Step = {
  async up(db) {
    for (const texts of TEXTS) {
      await eachPage(db, texts, (row) => clean(db, texts, row));
    }
    await eachPage(db, { table: 'embedded_products', key: 'id', lines: ['product'], longer: [] }, (row) =>
      cleanProduct(db, row),
    );
  },
  // What was taken out is not known any more, and nothing needs it.
  async down() {},
};

interface Texts {
  readonly table: string;
  readonly key: string;
  readonly lines: readonly string[];
  readonly longer: readonly string[];
}

type Row = Readonly<Record<string, string | number | null>>;

async function eachPage(
  db: Kysely<unknown>,
  { table, key, lines, longer }: Texts,
  work: (row: Row) => Promise<void>,
): Promise<void> {
  const columns = sql.join([key, ...lines, ...longer].map((name) => sql.ref(name)));
  let last: string | number | null | undefined;
  do {
    const after = last === undefined ? sql`` : sql`where ${sql.ref(key)} > ${last}`;
    const { rows } = await sql<Row>`
      select ${columns} from ${sql.table(table)} ${after} order by ${sql.ref(key)} limit ${ROWS}`.execute(db);
    for (const row of rows) await work(row);
    last = rows.length < ROWS ? undefined : rows.at(-1)?.[key];
  } while (last !== undefined);
}

async function clean(db: Kysely<unknown>, { table, key, lines, longer }: Texts, row: Row): Promise<void> {
  const changed = [...lines, ...longer].flatMap((column) => {
    const text = row[column];
    if (typeof text !== 'string') return [];
    const plain = plainText(text, longer.includes(column));
    // A name has to be something.
    const kept = plain === '' && lines.includes(column) ? 'Unnamed' : plain;
    return kept === text ? [] : [sql`${sql.ref(column)} = ${kept}`];
  });
  if (changed.length === 0) return;
  await sql`update ${sql.table(table)} set ${sql.join(changed)} where ${sql.ref(key)} = ${row[key]}`.execute(
    db,
  );
}

/** A product of the embedded seller has its texts in its record, too. */
async function cleanProduct(db: Kysely<unknown>, { id, product: text }: Row): Promise<void> {
  const product = fromJson<Record<string, unknown>>(String(text));
  const name = plainText(String(product['name']), false) || 'Unnamed';
  const description = plainText(String(product['description']), true);
  if (name === product['name'] && description === product['description']) return;
  const cleaned = JSON.stringify({ ...product, name, description });
  await sql`update embedded_products set product = ${cleaned} where id = ${id}`.execute(db);
}
