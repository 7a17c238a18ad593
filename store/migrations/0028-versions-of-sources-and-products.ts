import type { Step } from './steps.ts';

const VERSIONED = ['inventory_sources', 'embedded_products'] as const;

/** Counts what their owner changes, so that a change can say which state it was made on. */
export const step: Step = {
  async up(db, kit) {
    for (const table of VERSIONED) {
      await db.schema
        .alterTable(table)
        .addColumn('version', kit.integer, (column) => column.notNull().defaultTo(1))
        .execute();
    }
  },
  async down(db) {
    for (const table of VERSIONED) await db.schema.alterTable(table).dropColumn('version').execute();
  },
};
