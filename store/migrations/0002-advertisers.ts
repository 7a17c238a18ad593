import { identity, integer, optional, refers, type Table, tables, text } from './tables.ts';

const advertisersTable: Table = {
  name: 'advertisers',
  columns: {
    id: identity,
    organization_id: refers(integer, 'organizations.id'),
    customer_id: refers(integer, 'customers.id'),
    name: text,
    description: optional(text),
    brand: text,
    status: text,
    sandbox: integer,
    primary_currency: text,
    currency_locked: integer,
    optimization_apply_mode: text,
    version: integer,
    created_at: text,
    updated_at: text,
  },
  indexes: { advertisers_by_customer: ['organization_id', 'customer_id', 'id'] },
};

export const step = tables(advertisersTable);
