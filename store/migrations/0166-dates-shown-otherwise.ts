import type { Step } from './steps.ts';

/**
 * The dates that a seller shows for a media buy where they are others than were ordered: of those before, none is
 * known.
 */
export const step: Step = {
  async up(db) {
    await db.schema.alterTable('media_buys').addColumn('shown_start', 'text').execute();
    await db.schema.alterTable('media_buys').addColumn('shown_end', 'text').execute();
  },
  async down(db) {
    await db.schema.alterTable('media_buys').dropColumn('shown_end').execute();
    await db.schema.alterTable('media_buys').dropColumn('shown_start').execute();
  },
};
