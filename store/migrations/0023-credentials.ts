import type { Step } from './steps.ts';
import { identity, integer, optional, refers, type Table, tables, text } from './tables.ts';

const organization = refers(integer, 'organizations.id');
const account = refers(integer, 'customers.id');
const person = refers(integer, 'users.id');

/** Backends that get tokens for themselves. */
const applications: Table = {
  name: 'm2m_applications',
  columns: {
    id: text,
    organization_id: organization,
    /** Null once the application is gone: what it was for is told by its organization alone. */
    customer_id: optional(account),
    client_id: text,
    name: text,
    description: optional(text),
    permissions: text,
    created_by_user_id: optional(person),
    created_at: text,
    updated_at: text,
    deleted_at: optional(text),
  },
  primaryKey: ['id'],
  unique: { m2m_applications_client_id: ['client_id'] },
  indexes: { m2m_applications_by_organization: ['organization_id', 'created_at'] },
};

/** What an application shows to get a token. Several live at once, so that one can take over from another. */
const secrets: Table = {
  name: 'm2m_secrets',
  columns: {
    id: text,
    organization_id: organization,
    application_id: refers(text, 'm2m_applications.id'),
    hash: text,
    hint: text,
    created_at: text,
    /** When it last got a token. */
    last_used_at: optional(text),
    /** When a token that it got was first used: from then on those before it are not needed. */
    proven_at: optional(text),
    revoked_at: optional(text),
  },
  primaryKey: ['id'],
  unique: { m2m_secrets_hash: ['hash'] },
  indexes: { m2m_secrets_by_application: ['application_id', 'created_at'] },
};

/** Credentials that a person lends for a while. */
const serviceTokens: Table = {
  name: 'service_tokens',
  columns: {
    id: identity,
    organization_id: organization,
    customer_id: account,
    user_id: person,
    created_by_user_id: person,
    name: text,
    description: text,
    role: text,
    access_client_id: text,
    hash: text,
    created_at: text,
    expires_at: text,
    last_used_at: optional(text),
    archived_at: optional(text),
  },
  unique: { service_tokens_client_id: ['access_client_id'], service_tokens_hash: ['hash'] },
  indexes: { service_tokens_by_organization: ['organization_id', 'id'] },
};

/** Keys of an earlier kind. They are accepted, listed and ended; none is made. */
const legacyKeys: Table = {
  name: 'legacy_keys',
  columns: {
    id: text,
    organization_id: organization,
    customer_id: account,
    /** Whose key it is; null for one of the account. */
    user_id: optional(person),
    name: text,
    hash: text,
    obfuscated_value: text,
    /** What one of an account opens. One of a person opens what the person holds of it. */
    permissions: text,
    created_at: text,
    last_used_at: optional(text),
    expires_at: optional(text),
    revoked_at: optional(text),
  },
  primaryKey: ['id'],
  unique: { legacy_keys_hash: ['hash'] },
  indexes: { legacy_keys_by_organization: ['organization_id', 'created_at'] },
};

/** Whose change decides who somebody is. That something was used decides nothing. */
const ACCESS = [
  { table: 'm2m_applications', columns: ['customer_id', 'permissions', 'deleted_at'] },
  { table: 'm2m_secrets', columns: ['revoked_at'] },
  { table: 'service_tokens', columns: ['expires_at', 'archived_at'] },
  { table: 'legacy_keys', columns: ['expires_at', 'revoked_at'] },
] as const;

/** Who did it, as it was called then: a name that is gone later is still in the log. */
const NAMES = ['user_email', 'user_name', 'credential_name'] as const;

const made = tables(applications, secrets, serviceTokens, legacyKeys);

/** Applications, service tokens, legacy keys; who made a key; and names in the audit log. */
export const step: Step = {
  async up(db, kit) {
    await made.up(db, kit);
    await db.schema.alterTable('api_keys').addColumn('created_by_user_id', kit.integer).execute();
    for (const name of NAMES) await db.schema.alterTable('audit_logs').addColumn(name, 'text').execute();
    for (const changes of ACCESS) await kit.announce(db, changes);
  },
  async down(db, kit) {
    for (const { table } of ACCESS) await kit.announceNoMore(db, table);
    for (const name of NAMES) await db.schema.alterTable('audit_logs').dropColumn(name).execute();
    await db.schema.alterTable('api_keys').dropColumn('created_by_user_id').execute();
    await made.down(db, kit);
  },
};
