import { sql } from 'kysely';
import type { Step } from './steps.ts';

/**
 * When the first report since the end of a media buy came by which it is settled. Until now any that came with the word
 * of its end settled it: those stay settled, because what they left was released.
 */
export const step: Step = {
  async up(db) {
    await db.schema.alterTable('media_buys').addColumn('figures_reported_at', 'text').execute();
    await sql`
      update media_buys set figures_reported_at = performance_at
      where figures_awaited_since is not null and performance_at >= figures_awaited_since
    `.execute(db);
  },
  async down(db) {
    await db.schema.alterTable('media_buys').dropColumn('figures_reported_at').execute();
  },
};
