import { identity, integer, optional, refers, type Table, tables, text } from './tables.ts';

const sessions: Table = {
  name: 'discovery_sessions',
  columns: {
    id: text,
    organization_id: refers(integer, 'organizations.id'),
    customer_id: refers(integer, 'customers.id'),
    advertiser_id: refers(integer, 'advertisers.id'),
    campaign_id: optional(text),
    request: text,
    status: text,
    revision: integer,
    /** Subscriptions made after this one get nothing of the session. */
    last_subscription: integer,
    owner: text,
    created_at: text,
    completed_at: optional(text),
  },
  primaryKey: ['id'],
  indexes: {
    discovery_sessions_by_customer: ['organization_id', 'customer_id'],
    discovery_sessions_by_status: ['status'],
  },
};

const agents: Table = {
  name: 'discovery_agents',
  columns: {
    organization_id: refers(integer, 'organizations.id'),
    session_id: refers(text, 'discovery_sessions.id'),
    agent_id: text,
    agent_name: text,
    storefront_id: integer,
    storefront_name: text,
    state: text,
    reason: optional(text),
    message: optional(text),
    products: integer,
    invalid_products: integer,
    revision: optional(integer),
    settled_at: optional(text),
  },
  primaryKey: ['session_id', 'agent_id'],
};

const groups: Table = {
  name: 'discovery_groups',
  columns: {
    organization_id: refers(integer, 'organizations.id'),
    session_id: refers(text, 'discovery_sessions.id'),
    group_id: text,
    position: integer,
    revision: integer,
    name: text,
    agent_id: text,
    storefront_id: integer,
    publisher_domain: text,
    product_count: integer,
    /** Prices in ten-thousandths of the currency's unit, so that their sum stays exact. */
    price_count: integer,
    price_min: optional(integer),
    price_max: optional(integer),
    price_sum: integer,
    products: text,
  },
  primaryKey: ['session_id', 'group_id'],
  indexes: { discovery_groups_by_position: ['session_id', 'position'] },
};

const revisions: Table = {
  name: 'discovery_revisions',
  columns: {
    organization_id: refers(integer, 'organizations.id'),
    session_id: refers(text, 'discovery_sessions.id'),
    revision: integer,
    complete: integer,
    /** The bytes that the event stream and every webhook send. */
    payload: text,
    created_at: text,
  },
  primaryKey: ['session_id', 'revision'],
};

const selections: Table = {
  name: 'discovery_selections',
  columns: {
    id: identity,
    organization_id: refers(integer, 'organizations.id'),
    session_id: refers(text, 'discovery_sessions.id'),
    agent_id: text,
    product_id: text,
    group_id: text,
    group_name: text,
    pricing_option_id: text,
    bid_price: optional(text),
    budget_minor: optional(integer),
    /** The product as it was when it was chosen. */
    product: text,
    selected_at: text,
  },
  unique: { discovery_selections_product: ['session_id', 'agent_id', 'product_id'] },
};

export const step = tables(sessions, agents, groups, revisions, selections);
