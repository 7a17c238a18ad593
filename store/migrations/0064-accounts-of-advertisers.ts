import type { Step } from './steps.ts';
import { identity, integer, refers, tables, text } from './tables.ts';

/** Accounts that an advertiser has at sellers. */
const accounts = tables({
  name: 'advertiser_accounts',
  columns: {
    id: identity,
    organization_id: refers(integer, 'organizations.id'),
    customer_id: integer,
    advertiser_id: refers(integer, 'advertisers.id'),
    storefront_id: integer,
    storefront_name: text,
    source_id: text,
    source_name: text,
    agent_id: text,
    account_id: text,
    created_at: text,
  },
  unique: { advertiser_accounts_once: ['advertiser_id', 'agent_id', 'account_id'] },
});

/** Advertisers have accounts at sellers, and count them. */
export const step: Step = {
  async up(db, kit) {
    await db.schema
      .alterTable('advertisers')
      .addColumn('linked_accounts', kit.integer, (column) => column.notNull().defaultTo(0))
      .execute();
    await accounts.up(db, kit);
  },
  async down(db, kit) {
    await accounts.down(db, kit);
    await db.schema.alterTable('advertisers').dropColumn('linked_accounts').execute();
  },
};
