import { identity, integer, optional, refers, type Table, tables, text } from './tables.ts';

const organizationsTable: Table = {
  name: 'organizations',
  columns: {
    id: identity,
    name: text,
    domain: optional(text),
    kind: text,
    parent_id: optional(refers(integer, 'organizations.id')),
    tier: text,
    alpha: integer,
    created_at: text,
    updated_at: text,
  },
};

/** An account of an organization: `customer` is its name on the wire. */
const customers: Table = {
  name: 'customers',
  columns: {
    id: identity,
    organization_id: refers(integer, 'organizations.id'),
    role: text,
    name: text,
    created_at: text,
    updated_at: text,
  },
  indexes: { customers_by_organization: ['organization_id'] },
};

const users: Table = {
  name: 'users',
  columns: { id: identity, email: text, name: text, created_at: text, updated_at: text },
  unique: { users_email: ['email'] },
};

const memberships: Table = {
  name: 'memberships',
  columns: {
    user_id: refers(integer, 'users.id'),
    organization_id: refers(integer, 'organizations.id'),
    role: text,
    created_at: text,
  },
  primaryKey: ['user_id', 'organization_id'],
  indexes: { memberships_by_organization: ['organization_id'] },
};

const termsVersions: Table = {
  name: 'terms_versions',
  columns: { version: text, effective_at: text },
  primaryKey: ['version'],
};

const termsAcceptances: Table = {
  name: 'terms_acceptances',
  columns: {
    organization_id: refers(integer, 'organizations.id'),
    version: refers(text, 'terms_versions.version'),
    user_id: optional(refers(integer, 'users.id')),
    via: text,
    accepted_at: text,
  },
  primaryKey: ['organization_id', 'version'],
};

const apiKeys: Table = {
  name: 'api_keys',
  columns: {
    id: text,
    organization_id: refers(integer, 'organizations.id'),
    customer_id: optional(refers(integer, 'customers.id')),
    name: text,
    hash: text,
    obfuscated_value: text,
    permissions: text,
    created_at: text,
    updated_at: text,
    last_used_at: optional(text),
    expires_at: optional(text),
    revoked_at: optional(text),
  },
  primaryKey: ['id'],
  unique: { api_keys_hash: ['hash'] },
  indexes: { api_keys_by_organization: ['organization_id'] },
};

/** What a holder (`user:7`, `api_key:key_…`) may reach. No row: everything of its organization. */
const grants: Table = {
  name: 'grants',
  columns: {
    id: identity,
    organization_id: refers(integer, 'organizations.id'),
    holder: text,
    customer_id: optional(refers(integer, 'customers.id')),
    advertiser_id: optional(integer),
    created_at: text,
  },
  indexes: { grants_by_holder: ['organization_id', 'holder'] },
};

export const step = tables(
  organizationsTable,
  customers,
  users,
  memberships,
  termsVersions,
  termsAcceptances,
  apiKeys,
  grants,
);
