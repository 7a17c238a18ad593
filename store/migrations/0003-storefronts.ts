import { identity, integer, optional, refers, type Table, tables, text } from './tables.ts';

const storefrontsTable: Table = {
  name: 'storefronts',
  columns: {
    id: identity,
    organization_id: refers(integer, 'organizations.id'),
    customer_id: refers(integer, 'customers.id'),
    platform_id: text,
    name: text,
    publisher_domain: optional(text),
    operator_domain: optional(text),
    description: optional(text),
    website: optional(text),
    channels: text,
    accepted_countries: optional(text),
    accepts_all_countries: integer,
    default_currency: optional(text),
    transacting: integer,
    is_paused: integer,
    archived_at: optional(text),
    version: integer,
    created_at: text,
    updated_at: text,
  },
  unique: { storefronts_platform_id: ['platform_id'], storefronts_customer: ['customer_id'] },
  indexes: { storefronts_by_organization: ['organization_id'] },
};

const inventorySources: Table = {
  name: 'inventory_sources',
  columns: {
    id: text,
    organization_id: refers(integer, 'organizations.id'),
    customer_id: refers(integer, 'customers.id'),
    storefront_id: refers(integer, 'storefronts.id'),
    source_id: text,
    agent_id: text,
    name: text,
    description: optional(text),
    execution_type: text,
    status: text,
    endpoint_url: optional(text),
    protocol: optional(text),
    authentication_type: optional(text),
    auth: optional(text),
    created_at: text,
    updated_at: text,
  },
  primaryKey: ['id'],
  unique: {
    inventory_sources_source_id: ['storefront_id', 'source_id'],
    inventory_sources_agent_id: ['agent_id'],
  },
  indexes: { inventory_sources_by_organization: ['organization_id', 'customer_id'] },
};

export const step = tables(storefrontsTable, inventorySources);
