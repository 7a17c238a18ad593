import type { Step } from './steps.ts';

/** What a person let programs do is looked for by the person alone: on their page, and where a password changes. */
export const step: Step = {
  async up(db) {
    await db.schema.createIndex('oauth_grants_by_user').on('oauth_grants').columns(['user_id']).execute();
  },
  async down(db) {
    await db.schema.dropIndex('oauth_grants_by_user').execute();
  },
};
