import type { Step } from './steps.ts';

/** Webhook subscriptions say why their last failure was one, and how long their last attempt took. */
export const step: Step = {
  async up(db, kit) {
    await db.schema.alterTable('webhook_subscriptions').addColumn('failure_reason', 'text').execute();
    await db.schema
      .alterTable('webhook_subscriptions')
      .addColumn('last_ms', kit.integer, (column) => column.notNull().defaultTo(0))
      .execute();
  },
  async down(db) {
    await db.schema.alterTable('webhook_subscriptions').dropColumn('last_ms').execute();
    await db.schema.alterTable('webhook_subscriptions').dropColumn('failure_reason').execute();
  },
};
