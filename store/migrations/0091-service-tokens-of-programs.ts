import type { Step } from './steps.ts';

const COLUMNS = ['oauth_grant_id', 'audience'] as const;

/**
 * What a program makes is bound as the program is: to what it was given, and to the addresses that its token is for.
 * What programs made before lives a day at the most, and says nothing of who made it.
 */
export const step: Step = {
  async up(db) {
    for (const column of COLUMNS) {
      await db.schema.alterTable('service_tokens').addColumn(column, 'text').execute();
    }
  },
  async down(db) {
    for (const column of COLUMNS) await db.schema.alterTable('service_tokens').dropColumn(column).execute();
  },
};
