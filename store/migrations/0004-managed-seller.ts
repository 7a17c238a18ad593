import { identity, integer, optional, refers, type Table, tables, text } from './tables.ts';

/** What the embedded seller offers. */
const managedProducts: Table = {
  name: 'managed_products',
  columns: {
    id: identity,
    organization_id: refers(integer, 'organizations.id'),
    customer_id: refers(integer, 'customers.id'),
    source_id: refers(text, 'inventory_sources.id'),
    product_id: text,
    name: text,
    status: text,
    product: text,
    created_at: text,
    updated_at: text,
  },
  unique: { managed_products_product_id: ['source_id', 'product_id'] },
};

/** What the embedded seller sold: its side of each media buy. */
const managedBuys: Table = {
  name: 'managed_buys',
  columns: {
    id: text,
    organization_id: refers(integer, 'organizations.id'),
    customer_id: refers(integer, 'customers.id'),
    source_id: refers(text, 'inventory_sources.id'),
    idempotency_key: text,
    payload_hash: text,
    status: text,
    currency: text,
    total_minor: integer,
    start_time: text,
    end_time: text,
    packages: text,
    sandbox: integer,
    revision: integer,
    confirmed_at: optional(text),
    created_at: text,
    updated_at: text,
  },
  primaryKey: ['id'],
  unique: { managed_buys_idempotency_key: ['source_id', 'idempotency_key'] },
};

export const step = tables(managedProducts, managedBuys);
