import type { Step } from './steps.ts';

/** The total that a seller shows for a media buy of which it lists no packages: of those before, none is known. */
export const step: Step = {
  async up(db) {
    await db.schema.alterTable('media_buys').addColumn('shown_total', 'text').execute();
  },
  async down(db) {
    await db.schema.alterTable('media_buys').dropColumn('shown_total').execute();
  },
};
