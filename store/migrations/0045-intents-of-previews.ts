import type { Step } from './steps.ts';

const COLUMNS = ['intent', 'agent_name', 'source'] as const;

/** What whoever asks for a preview wants of it, for which agent, and where they came from. */
export const step: Step = {
  async up(db) {
    for (const column of COLUMNS) {
      await db.schema.alterTable('preview_requests').addColumn(column, 'text').execute();
    }
  },
  async down(db) {
    for (const column of COLUMNS) await db.schema.alterTable('preview_requests').dropColumn(column).execute();
  },
};
