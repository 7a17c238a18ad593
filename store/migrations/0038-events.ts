import type { Step } from './steps.ts';
import { identity, integer, optional, refers, type Table, tables, text } from './tables.ts';

/** What happened to campaigns and media buys, as it is told. */
const events: Table = {
  name: 'account_events',
  columns: {
    sequence: identity,
    id: text,
    organization_id: refers(integer, 'organizations.id'),
    customer_id: integer,
    advertiser_id: integer,
    event_type: text,
    payload: text,
    /** Where it stands in the stream of its account; given once it is stored. */
    place: optional(integer),
    created_at: text,
  },
  indexes: {
    account_events_by_account: ['organization_id', 'customer_id', 'place', 'sequence'],
    account_events_by_age: ['created_at'],
  },
};

const made = tables(events);

/** Deliveries carry events too, and remember what was answered to each. */
export const step: Step = {
  async up(db, kit) {
    await made.up(db, kit);
    const alter = () => db.schema.alterTable('webhook_deliveries');
    await alter().addColumn('event', kit.integer).execute();
    await alter()
      .addColumn('test', kit.integer, (column) => column.notNull().defaultTo(0))
      .execute();
    await alter().addColumn('ms', kit.integer).execute();
    await alter().addColumn('answer', 'text').execute();
    await db.schema
      .createIndex('webhook_deliveries_by_age')
      .on('webhook_deliveries')
      .columns(['finished_at'])
      .execute();
    await db.schema
      .createIndex('webhook_deliveries_by_event')
      .on('webhook_deliveries')
      .columns(['event'])
      .execute();
    await db.schema
      .createIndex('webhook_deliveries_log')
      .on('webhook_deliveries')
      .columns(['organization_id', 'subscription_id', 'id'])
      .execute();
  },
  async down(db, kit) {
    await db.schema.dropIndex('webhook_deliveries_log').execute();
    await db.schema.dropIndex('webhook_deliveries_by_event').execute();
    await db.schema.dropIndex('webhook_deliveries_by_age').execute();
    for (const column of ['answer', 'ms', 'test', 'event']) {
      await db.schema.alterTable('webhook_deliveries').dropColumn(column).execute();
    }
    await made.down(db, kit);
  },
};
