import type { Step } from './steps.ts';

/** Tries of codes that count no more are forgotten in the order in which they began. */
export const step: Step = {
  async up(db) {
    await db.schema
      .createIndex('proposal_code_tries_by_time')
      .on('proposal_code_tries')
      .columns(['since'])
      .execute();
  },
  async down(db) {
    await db.schema.dropIndex('proposal_code_tries_by_time').execute();
  },
};
