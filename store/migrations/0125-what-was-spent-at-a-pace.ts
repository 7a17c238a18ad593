import type { Step } from './steps.ts';

/**
 * What of a media buy was spent when its pace last changed. Of those that are there it is null until their next
 * change, and reckoned by what their sellers told, or at an even pace from their start.
 */
export const step: Step = {
  async up(db) {
    await db.schema.alterTable('media_buys').addColumn('spent_so_far', 'text').execute();
  },
  async down(db) {
    await db.schema.alterTable('media_buys').dropColumn('spent_so_far').execute();
  },
};
