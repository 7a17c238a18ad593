import type { Step } from './steps.ts';
import { integer, optional, refers, type Table, tables, text } from './tables.ts';

/** Who somebody is at an identity provider outside. */
const userIdentities: Table = {
  name: 'user_identities',
  columns: {
    issuer: text,
    subject: text,
    user_id: refers(integer, 'users.id'),
    created_at: text,
    used_at: text,
  },
  primaryKey: ['issuer', 'subject'],
  indexes: { user_identities_by_user: ['user_id'] },
};

/** What a mail or the operator's terminal carries: each is used up by the first who opens it. */
const oneUseLinks: Table = {
  name: 'one_use_links',
  columns: {
    hash: text,
    purpose: text,
    email: text,
    user_id: optional(refers(integer, 'users.id')),
    /** Whose administrator its bearer becomes. */
    administers: optional(refers(integer, 'organizations.id')),
    created_at: text,
    expires_at: text,
    used_at: optional(text),
  },
  primaryKey: ['hash'],
  indexes: { one_use_links_by_email: ['email'], one_use_links_by_expiry: ['expires_at'] },
};

/** Where the people of an organization's domain sign in. The secret is encrypted. */
const organizationProviders: Table = {
  name: 'organization_providers',
  columns: {
    domain: text,
    organization_id: refers(integer, 'organizations.id'),
    issuer: text,
    client_id: text,
    secret_sealed: text,
    created_at: text,
  },
  primaryKey: ['domain'],
  indexes: { organization_providers_by_organization: ['organization_id'] },
};

/** People sign in with what an identity provider says of them, or with a link; an organization may have its own. */
export const step: Step = tables(userIdentities, oneUseLinks, organizationProviders);
