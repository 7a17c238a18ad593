import type { Step } from './steps.ts';

/** Two installations in one database had the extension in the schema of the first, and lost their indexes with it. */
export const step: Step = {
  up: (db, kit) => kit.shareIndexesOfNames(db),
  down: async () => {},
};
