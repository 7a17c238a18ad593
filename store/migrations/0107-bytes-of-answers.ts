import { sql } from 'kysely';
import type { Step } from './steps.ts';

/**
 * What is kept under the idempotency keys of an account has a bound in bytes. Of small answers their number says
 * enough: an index of the larger ones is written for those alone. Keys of before are forgotten within a day or so,
 * and count as small.
 */
export const step: Step = {
  async up(db, kit) {
    await db.schema
      .alterTable('idempotency_keys')
      .addColumn('answer_bytes', kit.integer, (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema
      .createIndex('idempotency_keys_by_size')
      .on('idempotency_keys')
      .columns(['organization_id', 'customer_id', 'answer_bytes'])
      .where(sql.ref('answer_bytes'), '>', sql.lit(4_096))
      .execute();
  },
  async down(db) {
    await db.schema.dropIndex('idempotency_keys_by_size').execute();
    await db.schema.alterTable('idempotency_keys').dropColumn('answer_bytes').execute();
  },
};
