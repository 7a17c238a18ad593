import { sql } from 'kysely';
import type { Step } from './steps.ts';

/**
 * Codes of proposals are encrypted. A migration has no key: those that are there are encrypted by housekeeping, which
 * finds them by the index.
 */
export const step: Step = {
  async up(db) {
    await db.schema.alterTable('storefront_proposals').addColumn('code_sealed', 'text').execute();
    await db.schema
      .createIndex('storefront_proposals_open_codes')
      .on('storefront_proposals')
      .columns(['id'])
      .where(sql.ref('code_sealed'), 'is', null)
      .execute();
  },
  // What is encrypted by then opens no more: the codes live for two weeks.
  async down(db) {
    await db.schema.dropIndex('storefront_proposals_open_codes').execute();
    await db.schema.alterTable('storefront_proposals').dropColumn('code_sealed').execute();
  },
};
