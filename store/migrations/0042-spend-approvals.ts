import { integer, optional, refers, type Table, tables, text } from './tables.ts';

/** From how much on a spend of an organization waits for another person, a currency each. */
const limits: Table = {
  name: 'spend_limits',
  columns: {
    organization_id: refers(integer, 'organizations.id'),
    currency: text,
    limit_minor: integer,
    updated_at: text,
  },
  primaryKey: ['organization_id', 'currency'],
};

/** Spends that wait for another person, and what was decided. */
const approvals: Table = {
  name: 'spend_approvals',
  columns: {
    id: text,
    organization_id: refers(integer, 'organizations.id'),
    customer_id: integer,
    advertiser_id: integer,
    campaign_id: text,
    media_buy_id: optional(text),
    tool: text,
    input: text,
    /** What it would do: another text, another spend. */
    content: text,
    amount_minor: integer,
    limit_minor: integer,
    currency: text,
    state: text,
    asked_by: text,
    asked_by_name: text,
    asked_for: text,
    reason: optional(text),
    decided_by_user_id: optional(refers(integer, 'users.id')),
    decided_by_name: optional(text),
    decision_reason: optional(text),
    decided_at: optional(text),
    expires_at: text,
    version: integer,
    created_at: text,
    updated_at: text,
  },
  primaryKey: ['id'],
  indexes: {
    spend_approvals_by_organization: ['organization_id', 'created_at', 'id'],
    spend_approvals_by_campaign: ['organization_id', 'campaign_id', 'state'],
  },
};

export const step = tables(limits, approvals);
