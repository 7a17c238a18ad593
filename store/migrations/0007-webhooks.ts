import { identity, integer, optional, refers, type Table, tables, text } from './tables.ts';

const subscriptions: Table = {
  name: 'webhook_subscriptions',
  columns: {
    /** Grows with every subscription: what tells those made before a session from those made after. */
    sequence: identity,
    id: text,
    organization_id: refers(integer, 'organizations.id'),
    customer_id: refers(integer, 'customers.id'),
    url: text,
    secret: text,
    event_types: text,
    status: text,
    failure_count: integer,
    last_success: optional(text),
    last_failure: optional(text),
    created_at: text,
    updated_at: text,
  },
  unique: { webhook_subscriptions_id: ['id'] },
  indexes: { webhook_subscriptions_by_customer: ['organization_id', 'customer_id', 'status'] },
};

const deliveries: Table = {
  name: 'webhook_deliveries',
  columns: {
    id: identity,
    organization_id: refers(integer, 'organizations.id'),
    subscription_id: text,
    event_type: text,
    session_id: text,
    revision: integer,
    state: text,
    owner: optional(text),
    outcome: optional(text),
    http_status: optional(integer),
    created_at: text,
    claimed_at: optional(text),
    finished_at: optional(text),
  },
  indexes: {
    webhook_deliveries_by_subscription: ['subscription_id', 'state', 'id'],
    webhook_deliveries_by_state: ['state', 'id'],
  },
};

export const step = tables(subscriptions, deliveries);
