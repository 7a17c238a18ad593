import type { Step } from './steps.ts';
import { identity, integer, optional, refers, type Table, tables, text } from './tables.ts';

/** What the operator has open: a name that has no row is closed. */
const admissionSettings: Table = {
  name: 'admission_settings',
  columns: { name: text, is_open: integer, updated_at: text },
  primaryKey: ['name'],
};

/** Where a pilot runs: countries with the channels that are bought there. */
const pilotMarkets: Table = {
  name: 'pilot_markets',
  columns: { country: text, channel: text, created_at: text },
  primaryKey: ['country', 'channel'],
};

/** What buyers said of their plans while admission was closed. It makes nobody a member of anything. */
const previewRequests: Table = {
  name: 'preview_requests',
  columns: {
    id: identity,
    user_id: optional(refers(integer, 'users.id')),
    email: text,
    first_name: text,
    last_name: text,
    company: text,
    org_type: optional(text),
    countries: text,
    channels: text,
    pilot_budget: optional(text),
    pilot_timing: optional(text),
    self_service_experience: optional(integer),
    prelaunch_willing: optional(integer),
    use_case: optional(text),
    route: text,
    launch_countries: text,
    matched_organization_id: optional(refers(integer, 'organizations.id')),
    created_at: text,
  },
  indexes: { preview_requests_by_route: ['route', 'id'] },
};

/** A domain that an organization says is its own; verified, it is nobody else's. */
const organizationDomains: Table = {
  name: 'organization_domains',
  columns: {
    id: identity,
    organization_id: refers(integer, 'organizations.id'),
    domain: text,
    policy: text,
    verified_at: optional(text),
    /** The domain once more, from its verification on: of one organization alone. */
    verified_domain: optional(text),
    created_at: text,
  },
  unique: {
    organization_domains_once: ['organization_id', 'domain'],
    organization_domains_verified: ['verified_domain'],
  },
};

/** People of a verified domain who asked to be let in. */
const joinRequests: Table = {
  name: 'join_requests',
  columns: {
    id: identity,
    organization_id: refers(integer, 'organizations.id'),
    user_id: refers(integer, 'users.id'),
    status: text,
    created_at: text,
    decided_at: optional(text),
    decided_by: optional(refers(integer, 'users.id')),
  },
  unique: { join_requests_once: ['organization_id', 'user_id'] },
};

/** An invitation: the mail holds the value, this row its hash. */
const invitations: Table = {
  name: 'invitations',
  columns: {
    id: text,
    organization_id: refers(integer, 'organizations.id'),
    email: text,
    role: text,
    hash: text,
    invited_by: optional(refers(integer, 'users.id')),
    created_at: text,
    expires_at: text,
    accepted_at: optional(text),
    accepted_by: optional(refers(integer, 'users.id')),
    revoked_at: optional(text),
  },
  primaryKey: ['id'],
  unique: { invitations_hash: ['hash'] },
  indexes: { invitations_by_organization: ['organization_id', 'created_at'] },
};

/** A link that a seller hands out: whoever comes by it buys from that storefront alone. */
const joinLinks: Table = {
  name: 'join_links',
  columns: {
    id: text,
    organization_id: refers(integer, 'organizations.id'),
    customer_id: refers(integer, 'customers.id'),
    storefront_id: refers(integer, 'storefronts.id'),
    slug: text,
    approval_policy: text,
    uses: integer,
    max_uses: optional(integer),
    expires_at: optional(text),
    revoked_at: optional(text),
    created_by: text,
    created_at: text,
    updated_at: text,
  },
  primaryKey: ['id'],
  unique: { join_links_slug: ['slug'] },
  indexes: { join_links_by_account: ['organization_id', 'customer_id'] },
};

/** Which storefront a sponsored buyer sees. An organization without a row here sees them all. */
const sponsorships: Table = {
  name: 'sponsorships',
  columns: {
    organization_id: refers(integer, 'organizations.id'),
    storefront_id: refers(integer, 'storefronts.id'),
    join_link_id: refers(text, 'join_links.id'),
    status: text,
    created_at: text,
    updated_at: text,
  },
  primaryKey: ['organization_id'],
  indexes: { sponsorships_by_storefront: ['storefront_id'] },
};

/** Where a new buyer began. It closes no other way. */
const signupStarts: Table = {
  name: 'signup_starts',
  columns: {
    organization_id: refers(integer, 'organizations.id'),
    choice: text,
    user_id: refers(integer, 'users.id'),
    created_at: text,
  },
  primaryKey: ['organization_id', 'choice'],
};

/** The standard agreement of a storefront account: terms, and nothing of a plan. */
const storefrontAgreements: Table = {
  name: 'storefront_agreements',
  columns: {
    organization_id: refers(integer, 'organizations.id'),
    version: refers(text, 'terms_versions.version'),
    user_id: refers(integer, 'users.id'),
    created_at: text,
  },
  primaryKey: ['organization_id'],
};

/** Pages of an organization's own that may call the service from a browser. */
const browserOrigins: Table = {
  name: 'browser_origins',
  columns: {
    id: identity,
    organization_id: refers(integer, 'organizations.id'),
    origin: text,
    label: optional(text),
    created_by: optional(refers(integer, 'users.id')),
    created_at: text,
    updated_at: text,
  },
  unique: { browser_origins_once: ['organization_id', 'origin'] },
  indexes: { browser_origins_by_origin: ['origin'] },
};

const made = tables(
  admissionSettings,
  pilotMarkets,
  previewRequests,
  organizationDomains,
  joinRequests,
  invitations,
  joinLinks,
  sponsorships,
  signupStarts,
  storefrontAgreements,
  browserOrigins,
);

/** Their change decides what an open connection may go on with. */
const ACCESS = [{ table: 'sponsorships' }, { table: 'browser_origins' }] as const;

/**
 * Organizations say how they came and whether they are admitted: those of before were made by the operator, and
 * are. Memberships say how they came about, terms where they are read.
 */
export const step: Step = {
  async up(db, kit) {
    await db.schema
      .alterTable('organizations')
      .addColumn('admission', 'text', (column) => column.notNull().defaultTo('admitted'))
      .execute();
    for (const table of ['organizations', 'memberships'] as const) {
      await db.schema
        .alterTable(table)
        .addColumn('created_via', 'text', (column) => column.notNull().defaultTo('operator'))
        .execute();
    }
    await db.schema.alterTable('terms_versions').addColumn('url', 'text').execute();
    await db.schema
      .createIndex('organizations_by_parent')
      .on('organizations')
      .columns(['parent_id'])
      .execute();
    await made.up(db, kit);
    for (const changes of ACCESS) await kit.announce(db, changes);
  },
  async down(db, kit) {
    for (const { table } of ACCESS) await kit.announceNoMore(db, table);
    await made.down(db, kit);
    await db.schema.dropIndex('organizations_by_parent').execute();
    await db.schema.alterTable('terms_versions').dropColumn('url').execute();
    for (const table of ['memberships', 'organizations'] as const) {
      await db.schema.alterTable(table).dropColumn('created_via').execute();
    }
    await db.schema.alterTable('organizations').dropColumn('admission').execute();
  },
};
