import type { Step } from './steps.ts';

/** Who made a secret of an application: that person is behind what the application asks. */
export const step: Step = {
  async up(db, kit) {
    await db.schema.alterTable('m2m_secrets').addColumn('created_by_user_id', kit.integer).execute();
  },
  async down(db) {
    await db.schema.alterTable('m2m_secrets').dropColumn('created_by_user_id').execute();
  },
};
