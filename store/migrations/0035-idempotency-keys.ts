import { integer, optional, refers, type Table, tables, text } from './tables.ts';

/** Changes that may be repeated: the key, what was asked under it, and what was answered. */
const keys: Table = {
  name: 'idempotency_keys',
  columns: {
    organization_id: refers(integer, 'organizations.id'),
    customer_id: integer,
    hash: text,
    principal: text,
    input_hash: text,
    process_id: optional(text),
    answer: optional(text),
    existed: integer,
    resource_type: text,
    resource_id: optional(text),
    created_at: text,
  },
  primaryKey: ['organization_id', 'customer_id', 'hash'],
  indexes: { idempotency_keys_by_age: ['created_at'] },
};

export const step = tables(keys);
