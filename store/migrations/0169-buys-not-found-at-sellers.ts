import type { Step } from './steps.ts';

/** Since when the seller of a media buy says that it does not have it: asked again, it says so of those before. */
export const step: Step = {
  async up(db) {
    await db.schema.alterTable('media_buys').addColumn('unfound_since', 'text').execute();
  },
  async down(db) {
    await db.schema.alterTable('media_buys').dropColumn('unfound_since').execute();
  },
};
