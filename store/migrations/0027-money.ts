import { sql } from 'kysely';
import type { Step } from './steps.ts';
import { identity, integer, optional, refers, type Table, tables, text } from './tables.ts';

/**
 * The ledger: entries come, none changes and none goes. Each says what the sums were after it, and its place in
 * the account, which only one entry can take.
 */
const ledgerEntries: Table = {
  name: 'ledger_entries',
  columns: {
    id: identity,
    organization_id: refers(integer, 'organizations.id'),
    customer_id: refers(integer, 'customers.id'),
    currency: text,
    sequence: integer,
    kind: text,
    amount_minor: integer,
    funded_minor: integer,
    credit_limit_minor: integer,
    committed_minor: integer,
    media_buy_id: optional(refers(text, 'media_buys.id')),
    reference: optional(text),
    reason: text,
    actor: text,
    created_at: text,
  },
  unique: {
    ledger_entries_sequence: ['organization_id', 'customer_id', 'currency', 'sequence'],
    ledger_entries_reference: ['organization_id', 'customer_id', 'reference'],
  },
  indexes: {
    ledger_entries_by_buy: ['organization_id', 'media_buy_id'],
    ledger_entries_by_place: ['organization_id', 'customer_id', 'sequence', 'currency'],
  },
};

/** What the service takes of a budget: the most particular rule holds. One that ended stays to be read. */
const pricingRules: Table = {
  name: 'pricing_rules',
  columns: {
    id: identity,
    organization_id: refers(integer, 'organizations.id'),
    customer_id: refers(integer, 'customers.id'),
    advertiser_id: optional(refers(integer, 'advertisers.id')),
    agent_id: optional(text),
    fee_bps: integer,
    created_at: text,
    ended_at: optional(text),
  },
  indexes: { pricing_rules_by_customer: ['organization_id', 'customer_id'] },
};

const made = tables(ledgerEntries, pricingRules);

/**
 * Accounts of before begin with the default rule, and their open buys as what they have committed. Of what was
 * bought so far the whole budget went to the seller.
 */
export const step: Step = {
  async up(db, kit) {
    await db.schema
      .alterTable('media_buys')
      .addColumn('fee_bps', kit.integer, (column) => column.notNull().defaultTo(0))
      .execute();
    await made.up(db, kit);
    await sql`
      insert into pricing_rules (organization_id, customer_id, fee_bps, created_at)
      select organization_id, id, 0, created_at from customers where role = 'BUYER'
    `.execute(db);
    await sql`
      insert into ledger_entries (
        organization_id, customer_id, currency, sequence, kind, amount_minor, funded_minor, credit_limit_minor,
        committed_minor, media_buy_id, reason, actor, created_at
      )
      select organization_id, customer_id, currency,
        row_number() over (partition by organization_id, customer_id, currency order by created_at, id),
        'commit', budget_minor, 0, 0,
        sum(budget_minor) over (partition by organization_id, customer_id, currency order by created_at, id),
        id, 'Bought before there was a ledger', 'service', created_at
      from media_buys
      where sandbox = 0 and (
        status in ('PENDING_APPROVAL', 'INPUT_REQUIRED', 'ACTIVE', 'PAUSED') or submission in ('sending', 'unknown')
      )
    `.execute(db);
  },
  async down(db, kit) {
    await made.down(db, kit);
    await db.schema.alterTable('media_buys').dropColumn('fee_bps').execute();
  },
};
