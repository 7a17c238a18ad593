import type { Step } from './steps.ts';

const TABLES = ['campaigns', 'advertisers', 'storefronts'];

/** Lists are found by a part of a name without looking through all names. */
export const step: Step = {
  async up(db, kit) {
    for (const table of TABLES) await kit.indexNames(db, table);
  },
  async down(db, kit) {
    for (const table of [...TABLES].reverse()) await kit.indexNamesNoMore(db, table);
  },
};
