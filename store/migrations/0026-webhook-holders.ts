import { sql } from 'kysely';
import type { Step } from './steps.ts';

/** Whose grants narrow a webhook subscription: of one that a token made, those of the person the token acts for. */
export const step: Step = {
  async up(db) {
    await db.schema.alterTable('webhook_subscriptions').addColumn('holder', 'text').execute();
    await sql`update webhook_subscriptions set holder = principal`.execute(db);
  },
  async down(db) {
    await db.schema.alterTable('webhook_subscriptions').dropColumn('holder').execute();
  },
};
