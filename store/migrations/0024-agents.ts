import type { Step } from './steps.ts';
import { integer, optional, refers, type Table, tables, text } from './tables.ts';

/** An agent that came without a credential. The claim token is with the agent, its hash here. */
const agentRegistrations: Table = {
  name: 'agent_registrations',
  columns: {
    id: text,
    kind: text,
    claim_hash: text,
    user_agent: text,
    ip_hash: text,
    sandbox_organization_id: optional(refers(integer, 'organizations.id')),
    user_id: optional(refers(integer, 'users.id')),
    claimed_organization_id: optional(refers(integer, 'organizations.id')),
    created_at: text,
    expires_at: text,
    claimed_at: optional(text),
    revoked_at: optional(text),
  },
  primaryKey: ['id'],
  unique: { agent_registrations_claim: ['claim_hash'] },
  indexes: {
    agent_registrations_by_expiry: ['expires_at'],
    agent_registrations_by_sandbox: ['sandbox_organization_id'],
    agent_registrations_by_organization: ['claimed_organization_id'],
    agent_registrations_by_user: ['user_id'],
  },
};

/** One try to have a person claim an agent. The address leads to it by a token, of which this is the hash. */
const agentClaimAttempts: Table = {
  name: 'agent_claim_attempts',
  columns: {
    id: text,
    registration_id: refers(text, 'agent_registrations.id'),
    token_hash: text,
    login_hint: text,
    user_agent: text,
    ip: text,
    created_at: text,
    expires_at: text,
    tries: integer,
    code_hash: optional(text),
    confirmed_by: optional(refers(integer, 'users.id')),
    chosen_organization_id: optional(refers(integer, 'organizations.id')),
    confirmed_at: optional(text),
    ended_at: optional(text),
  },
  primaryKey: ['id'],
  unique: { agent_claim_attempts_token: ['token_hash'] },
  indexes: {
    agent_claim_attempts_by_registration: ['registration_id', 'created_at'],
    agent_claim_attempts_by_expiry: ['expires_at'],
  },
};

/** What a claimed agent gets its next assertion with. Each is used once; those that were stay, to be known again. */
const agentRefreshTokens: Table = {
  name: 'agent_refresh_tokens',
  columns: {
    hash: text,
    registration_id: refers(text, 'agent_registrations.id'),
    created_at: text,
    expires_at: text,
    used_at: optional(text),
  },
  primaryKey: ['hash'],
  indexes: {
    agent_refresh_tokens_by_registration: ['registration_id'],
    agent_refresh_tokens_by_expiry: ['expires_at'],
  },
};

const made = tables(agentRegistrations, agentClaimAttempts, agentRefreshTokens);

/** What decides who an agent is; that it came is no news. */
const ACCESS = {
  table: 'agent_registrations',
  columns: ['claimed_at', 'revoked_at', 'expires_at'],
} as const;

/** Agents register themselves, and people claim them. */
export const step: Step = {
  async up(db, kit) {
    await made.up(db, kit);
    await kit.announce(db, ACCESS);
  },
  async down(db, kit) {
    await kit.announceNoMore(db, ACCESS.table);
    await made.down(db, kit);
  },
};
