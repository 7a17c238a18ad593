import { type Files, type Names, parts } from './subject.ts';

/** The table of a family and the queries on it: a migration, and a module of the store. */
export function storeFiles(names: Names): Files {
  const number = String(names.migration).padStart(4, '0');
  return {
    [`store/migrations/${number}-${names.plural}.ts`]: migration(names),
    [`store/${names.plural}.ts`]: parts(
      imports(names),
      table(names),
      names.can('create') && insert(names),
      names.can('get', 'update', 'execute', 'delete') && find(names),
      names.can('list') && list(names),
      names.can('update') && update(names),
      names.can('delete') && remove(names),
    ),
  };
}

function migration({ plural, can }: Names): string {
  return `import { identity, integer, optional, refers, type Table, tables, text } from './tables.ts';

const ${plural}Table: Table = {
  name: '${plural}',
  columns: {
    id: identity,
    organization_id: refers(integer, 'organizations.id'),
    customer_id: refers(integer, 'customers.id'),
    name: text,
    note: optional(text),${can('update') ? '\n    version: integer,' : ''}
    created_at: text,
    updated_at: text,
  },
  indexes: { ${plural}_by_customer: ['organization_id', 'customer_id', 'id'] },
};

export const step = tables(${plural}Table);
`;
}

function imports({ can }: Names): string {
  const types = ['Generated', 'Selectable', can('update') && 'Updateable'].filter(Boolean).join(', ');
  const scoped = [
    can('update') && 'atVersion, type Change',
    can('get', 'list', 'update', 'execute', 'delete') && 'inAccount',
    can('update') && 'nextVersion',
    can('create') && 'ofAccount',
  ].filter(Boolean);
  return parts(
    `import type { ${types} } from 'kysely';`,
    `import type { Db } from './engine/db.ts';`,
    can('list') && `import { type Counted, counted, type Page } from './engine/paging.ts';`,
    `import type { Scope } from './engine/scope.ts';`,
    `import { ${scoped.join(', ')} } from './engine/scoped.ts';`,
  );
}

function table({ one, plural, can }: Names): string {
  return `${can('update') ? 'export ' : ''}interface ${one}Table {
  id: Generated<number>;
  organization_id: number;
  customer_id: number;
  name: string;
  note: string | null;${can('update') ? '\n  version: number;' : ''}
  created_at: string;
  updated_at: string;
}

export type ${one}Row = Selectable<${one}Table>;

declare module './engine/database.ts' {
  interface Database {
    ${plural}: ${one}Table;
  }
}
`;
}

function insert({ one, noun, plural }: Names): string {
  return `export function insert${one}(
  db: Db,
  scope: Scope,
  ${noun}: Omit<${one}Row, 'id' | 'organization_id' | 'customer_id'>,
): Promise<${one}Row> {
  return db.insertInto('${plural}').values(ofAccount(scope, ${noun})).returningAll().executeTakeFirstOrThrow();
}
`;
}

function find({ one, noun, plural }: Names): string {
  return `/** One ${noun} of the caller's account. */
export function find${one}(db: Db, scope: Scope, id: number): Promise<${one}Row | undefined> {
  return db
    .selectFrom('${plural}')
    .selectAll()
    .$call(inAccount(scope))
    .where('id', '=', id)
    .executeTakeFirst();
}
`;
}

function list({ one, many, plural }: Names): string {
  return `/** The ${plural} of the account, oldest first. Served by \`${plural}_by_customer\`. */
export function list${many}(db: Db, scope: Scope, page: Page): Promise<Counted<${one}Row>> {
  const found = db.selectFrom('${plural}').$call(inAccount(scope));
  return counted(db, { asker: scope, rows: found.selectAll().orderBy('id'), found }, page);
}
`;
}

function update({ one, plural }: Names): string {
  return `/** Writes the changes if nobody wrote in between; undefined when somebody did. */
export function update${one}(
  db: Db,
  scope: Scope,
  change: Change<number, Updateable<${one}Table>>,
): Promise<${one}Row | undefined> {
  return db
    .updateTable('${plural}')
    .set(nextVersion(change))
    .$call(inAccount(scope))
    .$call(atVersion(change))
    .returningAll()
    .executeTakeFirst();
}
`;
}

function remove({ one, plural }: Names): string {
  return `export async function delete${one}(db: Db, scope: Scope, id: number): Promise<void> {
  await db.deleteFrom('${plural}').$call(inAccount(scope)).where('id', '=', id).execute();
}
`;
}
