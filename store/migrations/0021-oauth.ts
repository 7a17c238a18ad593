import type { Step } from './steps.ts';
import { integer, optional, refers, type Table, tables, text } from './tables.ts';

/** The programs that may ask people for access: registered by themselves or by the operator. */
const clients: Table = {
  name: 'oauth_clients',
  columns: {
    id: text,
    name: text,
    /** What it registered, as JSON. */
    metadata: text,
    /** `registration` for one that came by itself, `operator` for one that was made at the command line. */
    origin: text,
    created_at: text,
    /** When a person let it in last, or it renewed a token. */
    last_used_at: optional(text),
  },
  primaryKey: ['id'],
  indexes: { oauth_clients_by_use: ['origin', 'last_used_at', 'created_at'] },
};

/** What a person gave a program: access to one organization. */
const grants: Table = {
  name: 'oauth_grants',
  columns: {
    id: text,
    organization_id: refers(integer, 'organizations.id'),
    user_id: refers(integer, 'users.id'),
    client_id: text,
    client_name: text,
    /** 1: nothing may be changed with it, whatever the person may change. */
    read_only: integer,
    /** What was given for which address, as JSON. */
    payload: text,
    created_at: text,
    expires_at: text,
    ended_at: optional(text),
  },
  primaryKey: ['id'],
  indexes: {
    oauth_grants_by_organization: ['organization_id', 'user_id'],
    oauth_grants_by_client: ['client_id'],
    oauth_grants_by_expiry: ['expires_at'],
  },
};

/** What lives for a while in between: requests that wait for a person, codes, refresh tokens. */
const artifacts: Table = {
  name: 'oauth_artifacts',
  columns: {
    kind: text,
    /** SHA-256 of the value; the value itself stands nowhere. */
    hash: text,
    payload: text,
    grant_id: optional(text),
    expires_at: text,
    used_at: optional(text),
  },
  primaryKey: ['kind', 'hash'],
  indexes: { oauth_artifacts_by_grant: ['grant_id'], oauth_artifacts_by_expiry: ['expires_at'] },
};

const made = tables(clients, grants, artifacts);

/** Programs that people let in, and what the authorization server remembers meanwhile. */
export const step: Step = {
  async up(db, kit) {
    await made.up(db, kit);
    await kit.announce(db, { table: 'oauth_grants', columns: ['ended_at'] });
  },
  async down(db, kit) {
    await kit.announceNoMore(db, 'oauth_grants');
    await made.down(db, kit);
  },
};
