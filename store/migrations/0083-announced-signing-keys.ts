import type { Step } from './steps.ts';

/** A new pair that signs is told to every process: the first token of it is known everywhere. */
export const step: Step = {
  async up(db, kit) {
    await kit.announce(db, { table: 'signing_keys' });
  },
  async down(db, kit) {
    await kit.announceNoMore(db, 'signing_keys');
  },
};
