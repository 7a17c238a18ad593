import type { Step } from './steps.ts';

/** The seller within the service has one name: the embedded one. */
const TABLES = [
  { from: 'managed_products', to: 'embedded_products' },
  { from: 'managed_buys', to: 'embedded_buys' },
];

export const step: Step = {
  async up(db, kit) {
    for (const names of TABLES) await kit.renameTable(db, names);
  },
  async down(db, kit) {
    for (const { from, to } of TABLES) await kit.renameTable(db, { from: to, to: from });
  },
};
