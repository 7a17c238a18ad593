import type { Step } from './steps.ts';

/** Each process says which secrets keys it has, so that none is left with values that it cannot open. */
export const step: Step = {
  async up(db) {
    await db.schema.alterTable('processes').addColumn('secret_keys', 'text').execute();
  },
  async down(db) {
    await db.schema.alterTable('processes').dropColumn('secret_keys').execute();
  },
};
