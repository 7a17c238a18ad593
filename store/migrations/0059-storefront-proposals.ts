import { identity, integer, optional, refers, type Table, tables, text } from './tables.ts';

/** What sellers offer to one buyer by a code. */
const proposals: Table = {
  name: 'storefront_proposals',
  columns: {
    id: identity,
    organization_id: refers(integer, 'organizations.id'),
    customer_id: refers(integer, 'customers.id'),
    storefront_id: refers(integer, 'storefronts.id'),
    code: text,
    operator_customer_id: optional(integer),
    operator_domain: optional(text),
    label: text,
    notes: optional(text),
    expires_at: text,
    /** Sessions are deleted sooner: what was found in this one is in the snapshot. */
    session_id: text,
    agent_id: text,
    proposal_id: text,
    snapshot: text,
    created_by: text,
    created_at: text,
    first_viewed_at: optional(text),
    last_viewed_at: optional(text),
    revoked_at: optional(text),
    redeemed_at: optional(text),
    redeemed_campaign_id: optional(text),
    redeemed_media_buy_id: optional(text),
  },
  unique: { storefront_proposals_code: ['code'] },
  indexes: { storefront_proposals_by_customer: ['customer_id', 'id'] },
};

/** How often an account of buyers tried codes lately. */
const tries: Table = {
  name: 'proposal_code_tries',
  columns: {
    organization_id: refers(integer, 'organizations.id'),
    customer_id: refers(integer, 'customers.id'),
    since: text,
    tries: integer,
  },
  primaryKey: ['customer_id'],
};

export const step = tables(proposals, tries);
