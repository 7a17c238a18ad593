import type { Step } from './steps.ts';

/**
 * Which change took the place of one that waited, and how far that had come: where the later is refused, it stands
 * again.
 */
const COLUMNS = ['gave_way_to', 'gave_way_in'] as const;

export const step: Step = {
  async up(db) {
    for (const name of COLUMNS)
      await db.schema.alterTable('media_buy_changes').addColumn(name, 'text').execute();
  },
  async down(db) {
    for (const name of COLUMNS) await db.schema.alterTable('media_buy_changes').dropColumn(name).execute();
  },
};
