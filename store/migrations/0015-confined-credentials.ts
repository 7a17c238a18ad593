import { sql } from 'kysely';
import type { Step } from './steps.ts';

/** Keys say whether they are live or test, and webhook subscriptions who made them, and whether in the sandbox. */
export const step: Step = {
  async up(db, kit) {
    await db.schema
      .alterTable('api_keys')
      .addColumn('environment', 'text', (column) => column.notNull().defaultTo('live'))
      .execute();
    // Until now only the key itself said it, and what lists show of it.
    await sql`update api_keys set environment = 'test' where obfuscated_value like '%k\\_test\\_%' escape '\\'`.execute(
      db,
    );
    await db.schema.alterTable('webhook_subscriptions').addColumn('principal', 'text').execute();
    await db.schema
      .alterTable('webhook_subscriptions')
      .addColumn('sandbox', kit.integer, (column) => column.notNull().defaultTo(0))
      .execute();
    await sql`update webhook_subscriptions set sandbox = 1 where organization_id in
      (select id from organizations where kind = 'sandbox')`.execute(db);
    await db.schema
      .createIndex('webhook_subscriptions_by_principal')
      .on('webhook_subscriptions')
      .columns(['organization_id', 'principal'])
      .execute();
  },
  async down(db) {
    await db.schema.dropIndex('webhook_subscriptions_by_principal').execute();
    await db.schema.alterTable('webhook_subscriptions').dropColumn('sandbox').execute();
    await db.schema.alterTable('webhook_subscriptions').dropColumn('principal').execute();
    await db.schema.alterTable('api_keys').dropColumn('environment').execute();
  },
};
