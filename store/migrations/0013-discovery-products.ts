import { type Kysely, sql } from 'kysely';
import { fromJson } from '../engine/codec.ts';
import type { Step } from './steps.ts';
import { integer, optional, refers, type Table, tables, text } from './tables.ts';

/** A product of a group each: what was a list within its group is read one by one. */
const products: Table = {
  name: 'discovery_products',
  columns: {
    organization_id: refers(integer, 'organizations.id'),
    session_id: refers(text, 'discovery_sessions.id'),
    group_id: text,
    ordinal: integer,
    product_id: text,
    agent_id: text,
    pricing_models: text,
    price: optional(integer),
    product: text,
  },
  primaryKey: ['session_id', 'group_id', 'ordinal'],
  indexes: {
    discovery_products_by_product: ['session_id', 'product_id', 'agent_id', 'group_id', 'ordinal'],
    discovery_products_by_group: ['session_id', 'group_id', 'pricing_models', 'price'],
  },
};

const made = tables(products);
const PRICE_SCALE = 10_000;
const PRICING_MODEL = /^[a-z_]+$/;

/** The products leave their groups for a table of their own, and a session can be on its way out. */
export const step: Step = {
  async up(db, kit) {
    await made.up(db, kit);
    const { rows } = await sql<{ session_id: string; request: string }>`
      select id as session_id, request from discovery_sessions order by id`.execute(db);
    for (const { session_id, request } of rows) await moveOut(db, session_id, currencyIn(request));
    await db.schema.alterTable('discovery_groups').dropColumn('products').execute();
    await db.schema.alterTable('discovery_sessions').addColumn('removed_at', 'text').execute();
    await db.schema
      .createIndex('discovery_sessions_by_completion')
      .on('discovery_sessions')
      .columns(['completed_at'])
      .execute();
    await db.schema
      .createIndex('discovery_sessions_by_removal')
      .on('discovery_sessions')
      .columns(['removed_at'])
      .execute();
    await db.schema.createIndex('audit_logs_by_time').on('audit_logs').columns(['created_at']).execute();
    await db.schema.createIndex('campaigns_by_session').on('campaigns').columns(['discovery_id']).execute();
    await db.schema
      .createIndex('products_by_source')
      .on('embedded_products')
      .columns(['source_id', 'status', 'id'])
      .execute();
  },
  async down(db, kit) {
    for (const index of [
      'products_by_source',
      'campaigns_by_session',
      'audit_logs_by_time',
      'discovery_sessions_by_removal',
      'discovery_sessions_by_completion',
    ]) {
      await db.schema.dropIndex(index).execute();
    }
    await db.schema.alterTable('discovery_sessions').dropColumn('removed_at').execute();
    await db.schema
      .alterTable('discovery_groups')
      .addColumn('products', 'text', (column) => column.notNull().defaultTo('[]'))
      .execute();
    const { rows } = await sql<Group>`select session_id, group_id from discovery_groups`.execute(db);
    for (const group of rows) await moveBack(db, group);
    await made.down(db, kit);
  },
};

interface Group {
  readonly session_id: string;
  readonly group_id: string;
}

function currencyIn(request: string): string | undefined {
  return fromJson<{ currency?: string }>(request).currency;
}

interface StoredProduct {
  readonly productId: string;
  readonly salesAgentId: string;
  readonly cpm?: number;
  readonly currency?: string;
  readonly pricingOptions: readonly { readonly pricingModel: string }[];
}

/** One group at a time: a group can be large. */
async function moveOut(db: Kysely<unknown>, session: string, currency: string | undefined): Promise<void> {
  const { rows } = await sql<Group>`
    select session_id, group_id from discovery_groups where session_id = ${session}`.execute(db);
  for (const { group_id } of rows) {
    const found = await sql<{ organization_id: number; products: string }>`
      select organization_id, products from discovery_groups
      where session_id = ${session} and group_id = ${group_id}`.execute(db);
    for (const { organization_id, products: text } of found.rows) {
      const place = { organization_id, session, group_id };
      const list = fromJson<readonly StoredProduct[]>(text);
      for (const [ordinal, product] of list.entries()) {
        await insert(db, { ...place, ordinal, currency, product });
      }
    }
  }
}

interface Moved {
  readonly organization_id: number;
  readonly session: string;
  readonly group_id: string;
  readonly ordinal: number;
  readonly currency: string | undefined;
  readonly product: StoredProduct;
}

async function insert(db: Kysely<unknown>, moved: Moved): Promise<void> {
  const { organization_id, session, group_id, ordinal, currency, product } = moved;
  const { productId, salesAgentId, pricingOptions, cpm } = product;
  const named = new Set(pricingOptions.map(({ pricingModel }) => pricingModel));
  const models = `,${[...named].filter((model) => PRICING_MODEL.test(model)).join(',')},`;
  const price = cpm === undefined || product.currency !== currency ? null : Math.round(cpm * PRICE_SCALE);
  await sql`
    insert into discovery_products values (
      ${organization_id}, ${session}, ${group_id}, ${ordinal}, ${productId}, ${salesAgentId}, ${models},
      ${price}, ${JSON.stringify(product)}
    )`.execute(db);
}

async function moveBack(db: Kysely<unknown>, { session_id, group_id }: Group): Promise<void> {
  const { rows } = await sql<{ product: string }>`
    select product from discovery_products
    where session_id = ${session_id} and group_id = ${group_id} order by ordinal`.execute(db);
  const products = `[${rows.map(({ product }) => product).join(',')}]`;
  await sql`
    update discovery_groups set products = ${products}
    where session_id = ${session_id} and group_id = ${group_id}`.execute(db);
}
