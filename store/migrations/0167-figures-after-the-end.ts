import { sql } from 'kysely';
import type { Step } from './steps.ts';

const AWAITED = 'media_buys_awaited';

/**
 * Media buys that are over while their sellers may still report figures: there are few, and they are found without a
 * look at all that ever ended. Of those that had ended before nobody is asked.
 */
export const step: Step = {
  async up({ schema }) {
    await schema.alterTable('media_buys').addColumn('figures_awaited_since', 'text').execute();
    await schema
      .createIndex(AWAITED)
      .on('media_buys')
      .columns(['figures_awaited_since'])
      .where(sql.ref('figures_awaited_since'), 'is not', null)
      .execute();
  },
  async down({ schema }) {
    await schema.dropIndex(AWAITED).execute();
    await schema.alterTable('media_buys').dropColumn('figures_awaited_since').execute();
  },
};
