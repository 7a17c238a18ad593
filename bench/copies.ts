import SqliteDatabase from 'better-sqlite3';

/** Adds so many copies of the one campaign to a file: an account that has been there for long. */
export function addCampaigns(file: string, campaignId: string, count: number): void {
  const database = new SqliteDatabase(file);
  try {
    const same = columnsBut(database, 'campaigns', ['id', 'name']);
    database.exec(`insert into campaigns (id, name, ${same})
      with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${count})
      select 'cmp_many' || n, 'Campaign ' || n, ${same} from numbers, campaigns where id = '${campaignId}'`);
  } finally {
    database.close();
  }
}

/** Adds so many copies of the one product of an embedded seller. */
export function addProducts(file: string, count: number): void {
  const database = new SqliteDatabase(file);
  try {
    const same = columnsBut(database, 'embedded_products', ['id', 'product_id', 'product']);
    database.exec(`insert into embedded_products (product_id, product, ${same})
      with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${count})
      select 'prod_many' || n, json_set(product, '$.product_id', 'prod_many' || n), ${same}
      from numbers, embedded_products`);
  } finally {
    database.close();
  }
}

function columnsBut(database: SqliteDatabase.Database, table: string, changed: readonly string[]): string {
  return database
    .prepare<[], { name: string }>(`select name from pragma_table_info('${table}')`)
    .all()
    .map(({ name }) => name)
    .filter((name) => !changed.includes(name))
    .join(', ');
}
