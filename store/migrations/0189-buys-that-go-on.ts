import type { Step } from './steps.ts';

/** Since when the seller of a media buy shows it as one that goes on, although it had been said to be over. */
export const step: Step = {
  async up(db) {
    await db.schema.alterTable('media_buys').addColumn('goes_on_since', 'text').execute();
  },
  async down(db) {
    await db.schema.alterTable('media_buys').dropColumn('goes_on_since').execute();
  },
};
