import { sql } from 'kysely';
import type { Step } from './steps.ts';

/** Since when a seller stands by a linked account, and when its status changed: so far, when it was linked. */
export const step: Step = {
  async up(db) {
    await db.schema.alterTable('advertiser_accounts').addColumn('confirmed_at', 'text').execute();
    await db.schema
      .alterTable('advertiser_accounts')
      .addColumn('updated_at', 'text', (column) => column.notNull().defaultTo(''))
      .execute();
    await sql`update advertiser_accounts set updated_at = created_at`.execute(db);
    await sql`update advertiser_accounts set confirmed_at = created_at where status = 'active'`.execute(db);
  },
  async down(db) {
    await db.schema.alterTable('advertiser_accounts').dropColumn('updated_at').execute();
    await db.schema.alterTable('advertiser_accounts').dropColumn('confirmed_at').execute();
  },
};
