import type { Step } from './steps.ts';

/** What a seller, which lists a media buy more than once, does not show alike: of those before, none is known. */
export const step: Step = {
  async up(db) {
    await db.schema.alterTable('media_buys').addColumn('listed_apart', 'text').execute();
  },
  async down(db) {
    await db.schema.alterTable('media_buys').dropColumn('listed_apart').execute();
  },
};
