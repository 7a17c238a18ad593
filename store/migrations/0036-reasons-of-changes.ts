import type { Step } from './steps.ts';

/** Why a change was made, in the words of whoever made it. */
export const step: Step = {
  async up(db) {
    await db.schema.alterTable('audit_logs').addColumn('reason', 'text').execute();
  },
  async down(db) {
    await db.schema.alterTable('audit_logs').dropColumn('reason').execute();
  },
};
