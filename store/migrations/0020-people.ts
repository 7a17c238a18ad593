import type { Step } from './steps.ts';
import { integer, optional, refers, type Table, tables, text } from './tables.ts';

/** A signed-in browser. The cookie holds the value, this row its hash. */
const webSessions: Table = {
  name: 'web_sessions',
  columns: {
    id: text,
    hash: text,
    user_id: refers(integer, 'users.id'),
    chosen_organization_id: optional(refers(integer, 'organizations.id')),
    csrf: text,
    user_agent: text,
    ip: text,
    signed_in_at: text,
    seen_at: text,
    expires_at: text,
    ended_at: optional(text),
  },
  primaryKey: ['id'],
  unique: { web_sessions_hash: ['hash'] },
  indexes: { web_sessions_by_user: ['user_id'], web_sessions_by_expiry: ['expires_at'] },
};

/** The pairs that sign tokens. The private half is encrypted. */
const signingKeys: Table = {
  name: 'signing_keys',
  columns: {
    id: text,
    public_jwk: text,
    private_sealed: text,
    created_at: text,
    /** Since when it signs nothing; what it signed is believed until that has expired. */
    retired_at: optional(text),
  },
  primaryKey: ['id'],
};

/** Tokens that were ended before their time. */
const revokedTokens: Table = {
  name: 'revoked_tokens',
  columns: { jti: text, expires_at: text },
  primaryKey: ['jti'],
  indexes: { revoked_tokens_by_expiry: ['expires_at'] },
};

/** Whose change decides who somebody is: word of it goes to every process. Being seen changes nothing. */
const ACCESS = [
  { table: 'users', columns: ['suspended_at'] },
  { table: 'web_sessions', columns: ['chosen_organization_id', 'ended_at'] },
  { table: 'revoked_tokens' },
] as const;

const made = tables(webSessions, signingKeys, revokedTokens);

/** People sign in: their password, whether their address is theirs, their sessions; and the keys that sign tokens. */
export const step: Step = {
  async up(db, kit) {
    for (const column of ['password_hash', 'email_verified_at', 'suspended_at'] as const) {
      await db.schema.alterTable('users').addColumn(column, 'text').execute();
    }
    await db.schema.alterTable('organizations').addColumn('suspended_at', 'text').execute();
    await made.up(db, kit);
    for (const changes of ACCESS) await kit.announce(db, changes);
  },
  async down(db, kit) {
    for (const { table } of ACCESS) await kit.announceNoMore(db, table);
    await made.down(db, kit);
    await db.schema.alterTable('organizations').dropColumn('suspended_at').execute();
    for (const column of ['suspended_at', 'email_verified_at', 'password_hash'] as const) {
      await db.schema.alterTable('users').dropColumn(column).execute();
    }
  },
};
