import type { Step } from './steps.ts';

/** The tables, with what each is told beside what it was. */
const ADDED = [
  ['campaigns', 'utm_config'],
  ['campaigns', 'frequency_caps'],
  ['media_buys', 'pacing_periods'],
  ['media_buys', 'optimization_goals'],
  ['discovery_selections', 'pacing'],
] as const;

/** Campaigns have tags and a cap of their own, media buys periods and goals, and chosen products a pace. */
export const step: Step = {
  async up(db) {
    for (const [table, column] of ADDED)
      await db.schema.alterTable(table).addColumn(column, 'text').execute();
  },
  async down(db) {
    for (const [table, column] of [...ADDED].reverse()) {
      await db.schema.alterTable(table).dropColumn(column).execute();
    }
  },
};
